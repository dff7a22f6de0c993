// What a gate must prove before a sandbox may join it. The program runs inside the gate as the relay's own user, so that what it can
// do is what the relay can do; a check that gives no answer has failed.
// Source: NETWORK.md 0 and J16.
import { selfTestAddress, selfTestName } from '../egress/synthetic-pool.ts';
import { dnsSocketName, nameServer, proxySocketName, relayAddress, relayPorts, socketTarget } from './addresses.ts';
import { loadSocketWords } from './socket-words.ts';

export interface GateCheck {
  name: string;
  passed: boolean;
  /** What was seen, in a person's words. */
  message: string;
}

export interface SelfTest {
  passed: boolean;
  checks: GateCheck[];
  /** `all`: every port is caught; `ports`: the common ones only, because this kernel cannot translate addresses. */
  capture: 'all' | 'ports' | null;
}

/** Every check there is, in the order they are told. */
export const gateChecks = ['route', 'interfaces', 'ipv6', 'seccomp', 'rights', 'socket', 'redirect', 'dns'] as const;

/** How long the relay may take until it listens. */
const patienceSeconds = 5;

/** Whether no socket of another kind, no IPv6 and no right is left to the relay: Perl, with `slurp` and `say_it` of the program around it. */
export const relayRights = String.raw`{
  my @v6 = map { (split)[5] } split /\n/, slurp('/proc/net/if_inet6');
  say_it('ipv6', !@v6, @v6 ? "IPv6 is on: @v6" : 'IPv6 is off');
}
{
  my ($filter) = slurp('/proc/self/status') =~ /^Seccomp:\s*(\d)/m;
  my @open;
  for ([40, 'VSOCK'], [38, 'ALG'], [17, 'PACKET'], [44, 'XDP']) {
    push @open, $_->[1] if socket(my $sock, $_->[0], SOCK_STREAM, 0) || $! != 1;
  }
  push @open, 'io_uring' if syscall(425, 1, 0) != -1 || $! != 1;
  my $ok = defined $filter && $filter == 2 && !@open;
  say_it('seccomp', $ok, $ok ? 'only the sockets of our own profile' : @open ? "not refused: @open" : 'no filter is in force');
}
{
  my $status = slurp('/proc/1/status');
  my ($uid) = $status =~ /^Uid:\s*(\d+)/m; my ($bound) = $status =~ /^CapBnd:\s*([0-9a-f]+)/m; my ($has) = $status =~ /^CapPrm:\s*([0-9a-f]+)/m;
  my $ok = $uid && defined $bound && defined $has && !((hex($bound) | hex($has)) & ~0x400);
  say_it('rights', $ok, $ok ? "the relay is user $uid without rights" : 'the relay has rights that it must not keep: ' . ($bound // '?'));
}`;

export const selfTestProgram = String.raw`
use strict; ${loadSocketWords}
$| = 1; my $deadline = time + ${patienceSeconds};
sub say_it { my ($name, $ok, $text) = @_; $text =~ s/[\t\n]/ /g; print join("\t", $name, $ok ? 'ok' : 'failed', $text), "\n" }
sub slurp { open(my $file, '<', $_[0]) or return ''; local $/; my $text = <$file>; defined $text ? $text : '' }
sub udp_to {
  socket(my $udp, AF_INET, SOCK_DGRAM, 0) or return (undef, "$!");
  connect($udp, sockaddr_in($_[1], inet_aton($_[0]))) or return (undef, "$!");
  return ($udp, '');
}

# These wait, because the gate may still be starting; once its relay listens, the rest is as it will stay. The host closes what is made to
# this address: only that says that it is there.
sub reaches {
  my $port = shift;
  socket(my $tcp, AF_INET, SOCK_STREAM, 0) or return 0;
  connect($tcp, sockaddr_in($port, inet_aton('${selfTestAddress}'))) or return 0;
  my $ready = ''; vec($ready, fileno $tcp, 1) = 1;
  return 1 if select($ready, undef, undef, 1) == 1 && defined sysread($tcp, my $nothing, 1);
  $! = ETIMEDOUT;
  return 0;
}

# Whoever is root in the sandbox may listen where the gate should, when it could not; only the gate's own programs are seen from here. Where
# not even they are, because of other rights or another guard, nothing is said against it.
sub is_ours {
  my ($address, $port) = split /:/, shift;
  my $place = sprintf '%08X:%04X', unpack('L', inet_aton($address)), $port;
  my ($inode) = slurp('/proc/net/tcp') =~ /^\s*\d+: $place \S+ 0A (?:\S+\s+){5}(\d+)/m or return 0;
  my @seen = grep { defined } map { readlink } names_in('/proc/1/fd');
  return !@seen || grep { (readlink($_) // '') eq "socket:[$inode]" } map { names_in("$_/fd") } grep { m{/\d+$} } names_in('/proc');
}
{
  my ($all, $listed) = (0, 0);
  until ($all || $listed || time > $deadline) {
    $all = reaches(9); $listed = !$all && reaches(443);
    $all = reaches(9) if $listed; # It may have begun to listen between the two.
    $all || $listed || select undef, undef, undef, 0.01;
  }
  my $seen = $all ? 'every TCP port is caught' : $listed ? 'the common TCP ports are caught' : "nothing is caught: $!";
  my @places = $all ? ('${relayAddress}:${relayPorts.any}', '${relayAddress}:${relayPorts.dnsOverTcp}') : $listed ? '0.0.0.0:443' : ();
  my @taken = grep { !is_ours($_) } @places;
  say_it('redirect', ($all || $listed) && !@taken, @taken ? "a program in the sandbox has taken the gate's place at @taken" : $seen);
}
{
  my $question = pack('n6', 4711, 0x0100, 1, 0, 0, 0) . join('', map { chr(length) . $_ } split(/\./, '${selfTestName}'), '') . pack('n2', 1, 1);
  my $why = 'no answer came';
  for (;;) {
    my ($udp, $refused) = udp_to('${nameServer}', 53);
    $why = $refused;
    if ($udp && defined send($udp, $question, 0)) {
      my $ready = ''; vec($ready, fileno $udp, 1) = 1;
      if (select($ready, undef, undef, 2) == 1 && defined recv($udp, my $answer, 4096, 0)) {
        my ($id, $flags) = length $answer >= 12 ? unpack 'n2', $answer : (0, 0);
        my $ok = $id == 4711 && $flags & 0x8000 && ($flags & 15) != 2;
        say_it('dns', $ok, $ok ? 'a question is answered' : 'the host did not answer the question');
        last;
      }
      $why = "$!" || 'no answer came';
    }
    if (time > $deadline) { say_it('dns', 0, "no question can be asked: $why"); last }
    select undef, undef, undef, 0.01;
  }
}

# The kernel answers from the address itself only where every address is local.
{
  my ($udp, $why) = udp_to('203.0.113.1', 9);
  my $from = $udp ? inet_ntoa((sockaddr_in(getsockname $udp))[1]) : '';
  say_it('route', $from eq '203.0.113.1', $udp ? "an address out there is answered from $from" : "an address out there: $why");
}
{
  my @up;
  for my $path (names_in('/sys/class/net')) {
    my ($name) = $path =~ m{([^/]+)$}; my $flags = slurp("$path/flags"); chomp $flags;
    push @up, $name if $name ne 'lo' && -d $path && hex($flags || '0x1') & 1;
  }
  say_it('interfaces', !@up && -d '/sys/class/net/lo', @up ? "there is a way out: @up" : 'loopback only');
}
${relayRights}
{
  my @why;
  for my $name ('${proxySocketName}', '${dnsSocketName}') {
    my $host;
    socket($host, AF_UNIX, SOCK_STREAM, 0) && connect($host, sockaddr_un("${socketTarget}/$name")) or push @why, "$name: $!";
  }
  say_it('socket', !@why, @why ? join('; ', @why) : 'the host listens');
}
`;

/** What is said of a check that is missing. */
export const noAnswer = 'gave no answer';

/** Reads what such a program printed. A check that is missing has failed: closed unless proven. */
export const readChecks = (output: string, names: readonly string[]): GateCheck[] => {
  const told = new Map(
    output
      .split('\n')
      .map((line) => line.split('\t'))
      .filter((fields) => fields.length === 3)
      .map(([name = '', verdict, message = '']) => [name, { name, passed: verdict === 'ok', message }]),
  );
  return names.map((name) => told.get(name) ?? { name, passed: false, message: noAnswer });
};

/** Reads what the gate's program printed. */
export const readSelfTest = (output: string): SelfTest => {
  const checks = readChecks(output, gateChecks);
  const redirect = checks.find(({ name }) => name === 'redirect');
  const capture = redirect?.passed !== true ? null : redirect.message.startsWith('every') ? 'all' : 'ports';
  return { passed: checks.every((check) => check.passed), checks, capture };
};
