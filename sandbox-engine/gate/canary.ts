// Fixed probes that are run inside a sandbox when it starts, and the judgement whether its network is sealed. What must arrive is judged by
// what the host saw: an image could print whatever it likes. What must not leave at all has no other way out than the gate's own checks
// found, and is reported as the sandbox saw it.
// Source: SPEC.md 6 (canary).
import { selfTestAddress } from '../egress/synthetic-pool.ts';

export interface CanaryProbe {
  name: string;
  /** `open`: something got out, or could; `unproven`: nothing shows that it did or did not. */
  result: 'sealed' | 'open' | 'unproven';
  /** What was seen, in a person's words. */
  message: string;
}

/** What the host saw of one destination. */
export interface SeenDestination {
  host: string | null;
  verdict: 'allowed' | 'blocked';
}

interface Arriving {
  name: string;
  /** The part of the host name by which the host knows the probe again. */
  key: string;
  address: string;
}

/** Made with the address alone, so that no name has to be asked for; addresses that are nobody's, the cloud's metadata, a bridge's gateway. */
const arriving: Arriving[] = [
  { name: 'direct address', key: 'direct', address: '198.51.100.7' },
  { name: 'metadata service', key: 'metadata', address: '169.254.169.254' },
  { name: 'gateway', key: 'gateway', address: '172.17.0.1' },
  { name: 'mismatched name', key: 'mismatch', address: selfTestAddress.replace(/\d+$/, '2') },
];

/** Asked of a name server far away, and connected to at the address that came back. */
const asked = { name: 'foreign name server', key: 'foreign' };
/** As a program does that knows nothing of a proxy. */
const plain = { name: 'no proxy variables', key: 'plain' };
const staying = ['UDP', 'IPv6', 'other sockets'];

/** The domain of the probes: reserved, so that no rule and no server of anybody can be meant. Source: RFC 6761. */
const domain = 'invalid';

/** The host names of one run; `nonce` is made new for each. */
export const canaryHost = (nonce: string, key: string): string => `${nonce}-${key}.${domain}`;

/** Whether an attempt belongs to this run. */
export const isCanaryHost = (host: string | null, nonce: string): boolean =>
  host?.startsWith(`${nonce}-`) === true && host.endsWith(`.${domain}`);

const canaryProgram = String.raw`
use strict; use warnings; use Socket qw(:all); use Errno;
$SIG{PIPE} = 'IGNORE'; $| = 1; my ($nonce, @places) = @ARGV;
sub why { my ($name) = grep { $!{$_} } sort keys %!; $name // 'error' }
sub timed { my $sock = shift; setsockopt($sock, SOL_SOCKET, $_, pack('q2', 3, 0)) for SO_RCVTIMEO, SO_SNDTIMEO; $sock }
sub http {
  my ($address, $host) = @_; my $tcp;
  socket($tcp, AF_INET, SOCK_STREAM, 0) && connect(timed($tcp), sockaddr_in(80, inet_aton($address))) or return why();
  syswrite($tcp, "GET / HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n"); my $line = readline $tcp; return 'closed' unless defined $line;
  return $line =~ /^HTTP\/1\.\d (\d+)/ ? "answer $1" : 'answer';
}
sub tell_it { print join("\t", @_), "\n" }
for (@places) { my ($key, $address) = split /=/; tell_it($key, http($address, "$nonce-$key.${domain}")) }
{
  my ($udp, $answer); my $name = "$nonce-foreign.${domain}";
  my $question = pack('n6', 7, 0x0100, 1, 0, 0, 0) . join('', map { chr(length) . $_ } split(/\./, $name), '') . pack('n2', 1, 1);
  socket($udp, AF_INET, SOCK_DGRAM, 0) && connect(timed($udp), sockaddr_in(53, inet_aton('198.51.100.53'))) && send($udp, $question, 0);
  my $address = defined recv($udp, $answer, 4096, 0) && length($answer) > 16 ? inet_ntoa(substr $answer, -4) : undef;
  tell_it('foreign', defined $address ? http($address, $name) : why());
}
{ my $name = "$nonce-plain.${domain}"; my $packed = inet_aton($name); tell_it('plain', defined $packed ? http(inet_ntoa($packed), $name) : 'no such name') }
{
  my $udp; socket($udp, AF_INET, SOCK_DGRAM, 0) && connect($udp, sockaddr_in(443, inet_aton('198.51.100.7'))) or tell_it('UDP', why());
  send($udp, $nonce, 0); select(undef, undef, undef, 0.02); tell_it('UDP', defined send($udp, $nonce, 0) ? 'sent' : why());
}
{
  my $six; my $ok = socket($six, AF_INET6, SOCK_STREAM, 0) && connect(timed($six), pack_sockaddr_in6(443, Socket::inet_pton(AF_INET6, '2001:db8::7')));
  tell_it('IPv6', $ok ? 'connected' : why());
}
{
  my @open; for ([40, 1, 0, 'VSOCK'], [17, 3, 768, 'PACKET'], [2, 3, 1, 'raw']) { push @open, $_->[3] if socket(my $sock, $_->[0], $_->[1], $_->[2]) || !$!{EPERM} }
  tell_it('other sockets', @open ? "open: @open" : 'EPERM');
}
`;

/** How the program is run: as whoever the sandbox's programs run as, without a single variable. */
export const canaryCommand = (nonce: string): string[] => [
  ...['/usr/bin/env', '-i', '/usr/bin/perl', '-e', canaryProgram, nonce],
  ...arriving.map(({ key, address }) => `${key}=${address}`),
];

const refusals = /^E(CONNREFUSED|PERM|ACCES|NETUNREACH|HOSTUNREACH|ADDRNOTAVAIL|AFNOSUPPORT|INVAL)$/;

const judgeArrived = (name: string, host: string, seen: readonly SeenDestination[], said = 'it said nothing'): CanaryProbe => {
  const mine = seen.filter((one) => one.host === host);
  if (mine.some(({ verdict }) => verdict === 'allowed')) return { name, result: 'open', message: 'it was let through' };
  if (mine.length > 0) return { name, result: 'sealed', message: 'it reached the policy proxy, which refused it' };
  // Somebody answered, and it was not us.
  if (said.startsWith('answer')) return { name, result: 'open', message: `something else than the policy proxy answered (${said})` };
  return { name, result: 'unproven', message: `the policy proxy did not see it (${said})` };
};

const judgeStayed = (name: string, said: string | undefined): CanaryProbe => {
  if (said === undefined) return { name, result: 'unproven', message: 'it said nothing' };
  return refusals.test(said) ? { name, result: 'sealed', message: `refused at once (${said})` } : { name, result: 'open', message: said };
};

/** Judges one run: `output` is what the sandbox printed, `seen` what the host saw of it. A probe without proof is not sealed. */
export const judgeCanary = (nonce: string, output: string, seen: readonly SeenDestination[]): CanaryProbe[] => {
  const told = new Map(output.split('\n').map((line) => line.split('\t') as [string, string]));
  const hosts = [...arriving, asked, plain].map(({ name, key }) => judgeArrived(name, canaryHost(nonce, key), seen, told.get(key)));
  return [...hosts, ...staying.map((name) => judgeStayed(name, told.get(name)))];
};
