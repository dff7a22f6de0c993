// The small program that makes the rows' connections inside a sandbox, as it is told. Perl, because perl-base is in every Debian.
// It never waits for one connection while another has something to say, so that one that hangs harms no other row.

/**
 * One command a line: `N ID NAME` looks up, `C ID IP PORT` connects, `S ID HEX` sends, `F ID` says that no more is sent, `X ID` closes.
 * It tells: `ID ip ADDRESS`, `ID up`, `ID down WHY`, `ID D HEX`, `ID E`.
 */
export const insideProgram = String.raw`
use strict; use warnings; use Socket qw(:all); use Fcntl; use Errno qw(EAGAIN EINTR);
$| = 1; $SIG{PIPE} = 'IGNORE'; my ($held, %links) = ('');
sub over { my $one = delete $links{$_[0]} or return; close $one->{sock}; print "$_[0] E\n" }
sub push_out {
  my ($id, $one) = @_;
  while (length $one->{out}) {
    my $count = syswrite $one->{sock}, $one->{out};
    if (!defined $count) { return if $! == EAGAIN || $! == EINTR; $one->{out} = ''; last }
    substr $one->{out}, 0, $count, '';
  }
  if ($one->{end}) { $one->{end} = 0; shutdown $one->{sock}, 1 }
}
sub dial {
  my ($id, $ip, $port) = @_;
  my $family = $ip =~ /:/ ? AF_INET6 : AF_INET;
  my $packed = inet_pton($family, $ip);
  return print "$id down no address\n" unless defined $packed;
  socket(my $sock, $family, SOCK_STREAM, 0) or return print "$id down $!\n";
  setsockopt($sock, SOL_SOCKET, SO_SNDTIMEO, pack('q2', 3, 0));
  connect($sock, $family == AF_INET ? pack_sockaddr_in($port, $packed) : pack_sockaddr_in6($port, $packed)) or return print "$id down $!\n";
  fcntl $sock, F_SETFL, O_NONBLOCK;
  $links{$id} = { sock => $sock, out => '', end => 0 };
  print "$id up\n";
}
sub obey {
  my ($what, $id, @rest) = split ' ', shift;
  my $one = $links{$id};
  if ($what eq 'N') { my $packed = gethostbyname $rest[0]; print "$id ip ", (defined $packed ? inet_ntoa($packed) : 'none'), "\n" }
  elsif ($what eq 'C') { dial($id, @rest) }
  elsif ($what eq 'S' && $one) { $one->{out} .= pack 'H*', $rest[0]; push_out($id, $one) }
  elsif ($what eq 'F' && $one) { $one->{end} = 1; push_out($id, $one) }
  elsif ($what eq 'X' && $one) { close $one->{sock}; delete $links{$id} }
}
for (;;) {
  my ($in, $out) = ('', ''); vec($in, 0, 1) = 1;
  for (values %links) { vec($in, fileno $_->{sock}, 1) = 1; vec($out, fileno $_->{sock}, 1) = 1 if length $_->{out} }
  next if select($in, $out, undef, undef) < 0;
  for my $id (keys %links) {
    my $one = $links{$id}; my $at = fileno $one->{sock};
    push_out($id, $one) if vec($out, $at, 1);
    next unless vec($in, $at, 1);
    my $count = sysread $one->{sock}, my $bytes, 65536;
    if ($count) { print "$id D ", unpack('H*', $bytes), "\n" }
    elsif (defined $count || ($! != EAGAIN && $! != EINTR)) { over($id) }
  }
  next unless vec($in, 0, 1);
  sysread(STDIN, $held, 1048576, length $held) or exit;
  while ((my $end = index $held, "\n") >= 0) { my $line = substr $held, 0, $end + 1, ''; chomp $line; obey($line) if $line ne '' }
}
`;
