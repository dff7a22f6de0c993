// The program that keeps a gate's relay running and carries DNS questions from UDP to the host. Text only; perl-base is in every Debian.
// It knows no policy and reads no name: a question goes to the host's socket as it is, framed as DNS over TCP, and the answer back.
// Source: RFC 1035 4.2.2 (framing), 4.1.1 (header).
import { selfTestAddress } from '../egress/synthetic-pool.ts';
import { commonPorts, dnsSocketName, relayAddress, relayPorts, socketTarget } from './addresses.ts';
import { gateFolder } from './capture-files.ts';

/** How many questions may wait for the host at a time; more are answered SERVFAIL at once. */
const maxQuestions = 200;

/** How long the host may take to answer one. */
const questionSeconds = 6;

/** The most connections that one sandbox has open at a time; the policy proxy refuses earlier and says so. */
const maxConnections = 4096;

export const relayProgram = String.raw`
use strict; use warnings; use Socket qw(:DEFAULT); use Errno qw(EINPROGRESS EAGAIN EINTR);
$| = 1; $0 = 'sandlot-gate';
my $mode = shift @ARGV;
my $sentinel = '${selfTestAddress}';

sub socket_on {
  my ($address, $port, $type) = @_;
  socket(my $sock, AF_INET, $type | 2048, 0) or return;
  setsockopt($sock, SOL_SOCKET, SO_REUSEADDR, 1) if $type == SOCK_STREAM;
  bind($sock, sockaddr_in($port, inet_aton($address))) or return;
  return $sock;
}

# Whether a connection to any address ends up at the relay's own.
if ($mode eq 'is-caught') {
  my $server = socket_on('${relayAddress}', ${relayPorts.any}, SOCK_STREAM) or exit 1;
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
    && connect($to_host, pack_sockaddr_un('${socketTarget}/${dnsSocketName}'))
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
my %work = (relay => \&relay, names => \&names);
my %running;
sub begin {
  my $name = shift;
  my $pid = fork;
  if (defined $pid && !$pid) { $SIG{TERM} = $SIG{INT} = 'DEFAULT'; $0 = "sandlot-gate $name"; $work{$name}->() }
  $running{$pid // -1} = { name => $name, at => time };
}
$SIG{TERM} = $SIG{INT} = sub { kill 'KILL', grep { $_ > 0 } keys %running; exit 0 };
begin($_) for sort keys %work;
for (;;) {
  my $pid = waitpid -1, 0;
  next if $pid > 0 && !$running{$pid};
  my $ended = delete $running{$pid};
  select(undef, undef, undef, $ended && time - $ended->{at} < 2 ? 1 : 0.05);
  begin($ended->{name}) if $ended;
}
`;
