// The program that brings what a gate has caught to the host. Text only; perl-base is in every Debian.
// Where the host takes them, it hands over the very sockets on which connections arrive, and stays on the line: when the host goes, they
// stop listening at once. Where it does not, because it is in another kernel, HAProxy relays each connection. DNS questions over UDP go to the
// host's socket as they are, framed as DNS over TCP, and the answer back. It knows no policy and reads no name.
// Source: RFC 1035 4.2.2 (framing), 4.1.1 (header); unix(7) SCM_RIGHTS, cmsg(3).
import { selfTestAddress } from '../egress/synthetic-pool.ts';
import { commonPorts, dnsSocketName, handSocketName, relayAddress, relayPorts, socketTarget, testSocketName } from './addresses.ts';
import { gateFolder } from './capture-files.ts';
import { loadSocketWords } from './socket-words.ts';

/** How many questions may wait for the host at a time; more are answered SERVFAIL at once. */
const maxQuestions = 200;

/** How long the host may take to answer one. */
const questionSeconds = 6;

/** How long it waits before it looks for the host again, and how many connections may wait to be taken in. */
const askAgainSeconds = 0.1;
const backlog = 256;

/** The most connections that one sandbox has open at a time; the policy proxy refuses earlier and says so. */
const maxConnections = 4096;

export const relayProgram = String.raw`
use strict; ${loadSocketWords}
$| = 1; $0 = 'sandlot-gate';
my $mode = shift @ARGV;
my $sentinel = '${selfTestAddress}';

sub socket_on {
  my ($address, $port, $type) = @_;
  socket(my $sock, AF_INET, $type | 2048, 0) or return;
  my $at = sockaddr_in($port, inet_aton($address));
  # What was bound as one that may be shared first of all stays open to others; later it is needed beside connections that are just ending.
  my $is_bound = bind($sock, $at);
  return $is_bound ? $sock : undef if $type != SOCK_STREAM;
  setsockopt($sock, SOL_SOCKET, SO_REUSEADDR, 1);
  return $is_bound || bind($sock, $at) ? $sock : undef;
}

# Whether a connection to any address ends up at the relay's own. Where somebody in the sandbox has taken that, the test will say so.
if ($mode eq 'is-caught') {
  my $server = socket_on('${relayAddress}', ${relayPorts.any}, SOCK_STREAM) or exit($! == EADDRINUSE ? 0 : 1);
  listen($server, 1) or exit 1;
  socket(my $client, AF_INET, SOCK_STREAM | 2048, 0) or exit 1;
  connect($client, sockaddr_in(9, inet_aton($sentinel))) or $! == EINPROGRESS or exit 1;
  my $ready = ''; vec($ready, fileno $server, 1) = 1;
  exit(select($ready, undef, undef, 1) == 1 ? 0 : 1);
}

my @ports = split ' ', ($ENV{GATE_PORTS} // '${commonPorts.join(' ')}');
my ($name_address, $name_port) = $mode eq 'all' ? ('${relayAddress}', ${relayPorts.dnsOverUdp}) : ('0.0.0.0', 53);
$ENV{GATE_TCP} = $mode eq 'all' ? '${relayAddress}:${relayPorts.any}' : join ',', map { "0.0.0.0:$_" } grep { $_ != 53 } @ports;
$ENV{GATE_DNS_TCP} = $mode eq 'all' ? '${relayAddress}:${relayPorts.dnsOverTcp}' : '0.0.0.0:53';

# Two descriptors a connection; a runtime may allow fewer than we would like.
sub most_connections {
  open(my $limits, '<', '/proc/self/limits') or return ${maxConnections};
  my ($files) = join('', readline $limits) =~ /^Max open files\s+\d+\s+(\d+)/m;
  my $fit = defined $files ? int(($files - 100) / 2) : ${maxConnections};
  return $fit < ${maxConnections} ? $fit : ${maxConnections};
}

# One socket a message: the byte says what is spoken on it.
my $sendmsg = sendmsg_number();
sub send_socket {
  my ($host, $byte, $socket) = @_;
  my $data = pack('P J', $byte, 1);
  my $rights = pack('J i i i x4', 20, SOL_SOCKET, 1, fileno $socket);
  my $message = pack('J J P J P J J', 0, 0, $data, 1, $rights, length $rights, 0);
  return syscall($sendmsg, fileno $host, $message, 0) == 1;
}

sub caught {
  my ($byte, $places) = @_;
  return map { my ($address, $port) = split /:/; [$byte, socket_on($address, $port, SOCK_STREAM) || exit 1] } split /,/, $places;
}

# What does not listen could be bound a second time from the sandbox, whose listening would then keep ours away. So it may be shared only
# while it listens, because of connections that are just ending.
sub share { my $whether = shift; setsockopt($_->[1], SOL_SOCKET, SO_REUSEADDR, $whether) for @_ }

sub hand_over {
  my @sockets = (caught('P', $ENV{GATE_TCP}), caught('N', $ENV{GATE_DNS_TCP}));
  share(0, @sockets);
  for (;;) {
    my $host;
    if (socket($host, AF_UNIX, SOCK_STREAM, 0) && connect($host, sockaddr_un('${socketTarget}/${handSocketName}'))) {
      my $given = 1;
      share(1, @sockets);
      for (@sockets) { $given &&= listen($_->[1], ${backlog}) && send_socket($host, @$_) }
      # Nothing ever comes: the host holds the line, or is gone.
      sysread($host, my $nothing, 1) if $given;
      share(0, @sockets);
      shutdown($_->[1], 0) for @sockets;
    }
    close($host);
    select(undef, undef, undef, ${askAgainSeconds});
  }
}

sub bring { defined $sendmsg && -S '${socketTarget}/${handSocketName}' ? hand_over() : relay() }

sub relay {
  my $most = most_connections();
  exec '/usr/sbin/haproxy', '-db', '-q', '-n', $most, '-f', '${gateFolder}/relay.cfg';
  exit 127;
}

sub servfail {
  my $answer = shift;
  substr($answer, 2, 2) = pack 'n', (unpack('n', substr $answer, 2, 2) & 0x7900) | 0x8082;
  return $answer;
}

my ($udp, %waiting);

sub give_up { my $one = delete $waiting{$_[0]}; send($udp, servfail($one->{question}), 0, $one->{from}) }

sub ask {
  my ($question, $from) = @_;
  return if length($question) < 12 || length($question) > 4096;
  my $to_host;
  my $asked = keys(%waiting) < ${maxQuestions} && socket($to_host, AF_UNIX, SOCK_STREAM | 2048, 0)
    && connect($to_host, sockaddr_un('${socketTarget}/${dnsSocketName}'))
    && defined syswrite($to_host, pack('n', length $question) . $question);
  return send($udp, servfail($question), 0, $from) unless $asked;
  $waiting{fileno $to_host} = { socket => $to_host, question => $question, from => $from, heard => '', until => time + ${questionSeconds} };
}

sub hear {
  my $one = $waiting{$_[0]};
  my $count = sysread($one->{socket}, $one->{heard}, 65536, length $one->{heard});
  return if !defined $count && ($! == EAGAIN || $! == EINTR);
  return give_up($_[0]) if !$count;
  return if length($one->{heard}) < 2;
  my $length = unpack 'n', $one->{heard};
  return if length($one->{heard}) < 2 + $length;
  send($udp, substr($one->{heard}, 2, $length), 0, $one->{from});
  delete $waiting{$_[0]};
}

sub names {
  $udp = socket_on($name_address, $name_port, SOCK_DGRAM) or exit 1;
  for (;;) {
    my $ready = ''; vec($ready, $_, 1) = 1 for fileno $udp, keys %waiting;
    my $count = select($ready, undef, undef, %waiting ? 1 : undef);
    if ($count > 0 && vec($ready, fileno $udp, 1)) {
      for (1 .. 50) { my $from = recv($udp, my $question, 65535, MSG_DONTWAIT); last unless defined $from; ask($question, $from) }
    }
    for (keys %waiting) {
      if ($count > 0 && vec($ready, $_, 1)) { hear($_) }
      elsif ($waiting{$_}{until} < time) { give_up($_) }
    }
  }
}

# What ends is started again: a namespace outlives its relay, and until then connections are refused.
my %work = (relay => \&bring, names => \&names);
my %running;
sub begin {
  my $name = shift;
  my $pid = fork;
  if (defined $pid && !$pid) { $SIG{TERM} = $SIG{INT} = 'DEFAULT'; $0 = "sandlot-gate $name"; $work{$name}->() }
  $running{$pid // -1} = { name => $name, at => time };
}
$SIG{TERM} = $SIG{INT} = sub { kill 'KILL', grep { $_ > 0 } keys %running; exit 0 };
begin($_) for sort keys %work;

# Who started it may want to hear at once what it is worth.
sub tell_test {
  my $host;
  socket($host, AF_UNIX, SOCK_STREAM, 0) && connect($host, sockaddr_un('${socketTarget}/${testSocketName}')) or return;
  open(STDOUT, '>&', $host) or return;
  do '${gateFolder}/self-test.pl';
}
if (-S '${socketTarget}/${testSocketName}') {
  my $pid = fork;
  if (defined $pid && !$pid) { $SIG{TERM} = $SIG{INT} = 'DEFAULT'; tell_test(); exit 0 }
}
for (;;) {
  my $pid = waitpid -1, 0;
  next if $pid > 0 && !$running{$pid};
  my $ended = delete $running{$pid};
  select(undef, undef, undef, $ended && time - $ended->{at} < 2 ? 1 : 0.05);
  begin($ended->{name}) if $ended;
}
`;
