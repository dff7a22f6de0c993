// The program that carries many connections over one exec: for each it connects to a port inside its own network, which may be loopback
// alone. It speaks frames (forward-frames.ts). Each connection has a window of its own each way, so that a slow one holds up no other.
// It runs in Perl, which the runtime layer has in every base, needs no right and no network.
import { frameKinds, windowBytes } from './forward-frames.ts';

/** No arguments. It ends with its input. */
export const forwardProgram = String.raw`
use strict; use Errno; use Fcntl; use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6 IPPROTO_TCP TCP_NODELAY);
$0 = 'sandlot-forward'; $SIG{PIPE} = 'IGNORE';
my ($told, $said) = ('', '');
my (%channels, %at);
sub unblock { fcntl($_[0], F_SETFL, fcntl($_[0], F_GETFL, 0) | O_NONBLOCK) }
sub passes { $!{EAGAIN} || $!{EINTR} }
sub speak { $said .= pack('CnN', $_[0], $_[1], length($_[2] // '')) . ($_[2] // '') }

# Addresses of this network that the port is listened at, beside the loopback ones.
sub own_addresses {
  my $port = shift; my @found;
  open(my $table, '<', '/proc/net/tcp') or return;
  while (my $line = readline $table) {
    my ($address, $number) = $line =~ /^\s*\d+: ([0-9A-F]{8}):([0-9A-F]{4}) [0-9A-F:]+ 0A / or next;
    next if hex($number) != $port;
    my $dotted = join '.', reverse map { hex } $address =~ /../g;
    push @found, $dotted if $dotted ne '0.0.0.0' && $dotted ne '127.0.0.1';
  }
  return @found;
}

sub forget { my $one = shift; delete $at{fileno $one->{socket}} if $one->{socket}; close $one->{socket} if $one->{socket}; delete $channels{$one->{id}} }
sub break_off { speak(${frameKinds.reset}, $_[0]{id}, $_[1]); forget($_[0]) }
sub stand { my $one = shift; $one->{connecting} = 0; setsockopt($one->{socket}, IPPROTO_TCP, TCP_NODELAY, 1); speak(${frameKinds.open}, $one->{id}) }
sub try_next {
  my $one = shift; my $why = 'nothing listens';
  if ($one->{socket}) { delete $at{fileno $one->{socket}}; close $one->{socket}; $one->{socket} = undef }
  while (defined(my $address = shift @{$one->{places}})) {
    my $six = $address =~ /:/;
    socket(my $far, $six ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or next;
    unblock($far);
    my $place = $six ? pack_sockaddr_in6($one->{port}, inet_pton(AF_INET6, $address)) : pack_sockaddr_in($one->{port}, inet_pton(AF_INET, $address));
    my $stands = connect($far, $place);
    if (!$stands && !$!{EINPROGRESS}) { $why = "$!"; next }
    $one->{socket} = $far; $one->{connecting} = 1; $at{fileno $far} = $one;
    stand($one) if $stands;
    return;
  }
  break_off($one, $why);
}

sub hear {
  my ($kind, $id, $bytes) = @_;
  my $one = $channels{$id};
  if ($kind == ${frameKinds.open}) {
    my $port = unpack 'n', $bytes;
    $channels{$id} = { id => $id, port => $port, to => '', credit => ${windowBytes}, taken => 0, places => ['127.0.0.1', '::1', own_addresses($port)] };
    return try_next($channels{$id});
  }
  $one or return;
  if ($kind == ${frameKinds.bytes}) { $one->{to} .= $bytes }
  elsif ($kind == ${frameKinds.end}) { $one->{told} = 1; half_close($one) }
  elsif ($kind == ${frameKinds.credit}) { $one->{credit} += unpack 'N', $bytes }
  elsif ($kind == ${frameKinds.reset}) { setsockopt($one->{socket}, SOL_SOCKET, SO_LINGER, pack 'ii', 1, 0) if $one->{socket}; forget($one) }
}
sub hear_all {
  while (length($told) >= 7) {
    my ($kind, $id, $length) = unpack 'CnN', $told;
    last if length($told) < 7 + $length;
    my $bytes = substr($told, 7, $length); substr($told, 0, 7 + $length, '');
    hear($kind, $id, $bytes);
  }
}
sub half_close {
  my $one = shift;
  return if !$one->{told} || length $one->{to} || $one->{connecting};
  shutdown($one->{socket}, 1) if $one->{socket};
  forget($one) if $one->{heard};
}
sub take {
  my $one = shift;
  my $most = $one->{credit} < 65536 ? $one->{credit} : 65536;
  my $count = sysread($one->{socket}, my $bytes, $most);
  if ($count) { $one->{credit} -= $count; speak(${frameKinds.bytes}, $one->{id}, $bytes) }
  elsif (defined $count) { $one->{heard} = 1; speak(${frameKinds.end}, $one->{id}); forget($one) if $one->{told} && !length $one->{to} }
  elsif (!passes()) { break_off($one, "$!") }
}
sub give {
  my $one = shift;
  if ($one->{connecting}) {
    my $error = unpack 'i', getsockopt($one->{socket}, SOL_SOCKET, SO_ERROR);
    return try_next($one) if $error;
    stand($one);
  }
  if (length $one->{to}) {
    my $count = syswrite($one->{socket}, $one->{to}, 262144);
    if (defined $count) {
      substr($one->{to}, 0, $count, ''); $one->{taken} += $count;
      if ($one->{taken} >= 65536 || !length $one->{to}) { speak(${frameKinds.credit}, $one->{id}, pack 'N', $one->{taken}); $one->{taken} = 0 }
    }
    elsif (!passes()) { return break_off($one, "$!") }
  }
  half_close($one);
}

unblock(\*STDIN); unblock(\*STDOUT);
for (;;) {
  my ($reads, $writes) = ('', '');
  vec($reads, 0, 1) = 1;
  vec($writes, 1, 1) = 1 if length $said;
  for my $one (values %channels) {
    my $number = fileno $one->{socket};
    vec($writes, $number, 1) = 1 if $one->{connecting} || length $one->{to};
    vec($reads, $number, 1) = 1 if !$one->{connecting} && !$one->{heard} && $one->{credit} > 0 && length($said) < 1048576;
  }
  next if select($reads, $writes, undef, undef) < 1;
  if (vec($writes, 1, 1)) { my $count = syswrite(STDOUT, $said, 262144); if (defined $count) { substr($said, 0, $count, '') } elsif (!passes()) { exit 0 } }
  for my $number (keys %at) {
    my $one = $at{$number} or next;
    give($one) if vec($writes, $number, 1);
    take($one) if vec($reads, $number, 1) && $at{$number} && $at{$number} == $one && !$one->{connecting};
  }
  if (vec($reads, 0, 1)) { my $count = sysread(STDIN, $told, 262144, length $told); if ($count) { hear_all() } elsif (defined $count || !passes()) { exit 0 } }
}
`;
