// What a carrier must prove before a sandbox may join the gate that it serves. The program runs inside of it as the relay's own user: what it
// cannot do, the relay cannot. That the token opens the host's port is proven by the gate, whose questions go all the way.
// Source: NETWORK.md H09-H12.
import { relayUser } from './addresses.ts';
import { gateFolder } from './capture-files.ts';
import { relayRights } from './self-test.ts';

/** Every check there is, in the order they are told. */
export const carrierChecks = ['seccomp', 'ipv6', 'rights', 'listens', 'host', 'filter'] as const;

export const carrierTestProgram = String.raw`
use strict; use warnings; use Socket qw(:DEFAULT); use Errno qw(EINPROGRESS); use Time::HiRes qw(time sleep);
$| = 1; my $deadline = time + 5;
my ($host) = slurp('/proc/1/environ') =~ /(?:^|\0)CARRIER_HOST=([0-9.]+)/; my $port = $ENV{CARRIER_PORT}; $host //= '';
sub say_it { my ($name, $ok, $text) = @_; $text =~ s/[\t\n]/ /g; print join("\t", $name, $ok ? 'ok' : 'failed', $text), "\n" }
sub slurp { open(my $file, '<', $_[0]) or return ''; local $/; my $text = <$file>; defined $text ? $text : '' }
${relayRights}
{
  # The runtime's own name server listens on loopback, where nobody outside gets and nothing inside may go.
  my @open = grep { (split)[3] eq '0A' && (split)[1] !~ /^.{6}7F:/ } grep { /^\s*\d+:/ } map { split /\n/, slurp($_) } '/proc/net/tcp', '/proc/net/tcp6';
  say_it('listens', !@open, @open ? scalar(@open) . ' ports are open to its neighbours' : 'at no port');
}
{
  my $ok = 0;
  until ($ok || time > $deadline) {
    socket(my $tcp, AF_INET, SOCK_STREAM, 0) or last;
    $ok = $host ne '' && connect($tcp, sockaddr_in($port, inet_aton($host))); $ok || sleep 0.02;
  }
  say_it('host', $ok, $ok ? 'the host answers at its port' : "the host at $host:$port: $!");
}
{
  # A datagram that the filter drops fails at once.
  my ($near) = $host =~ /^(.*)\.\d+$/; my @out;
  for my $to ([$host, 53], [$host, $port], ["$near.7", 9], ['1.1.1.1', 443], ['127.0.0.11', 53], ['169.254.169.254', 80], ['224.0.0.251', 5353]) {
    socket(my $udp, AF_INET, SOCK_DGRAM, 0) or next;
    push @out, join(':', @$to) if defined send($udp, 'x', 0, sockaddr_in($to->[1], inet_aton($to->[0])));
  }
  # A connection that it drops is never made.
  for my $to ([$host, $port == 65535 ? 1 : $port + 1], [$host, 22], ["$near.7", 80], ['1.1.1.1', 443]) {
    socket(my $tcp, AF_INET, SOCK_STREAM | 2048, 0) or next;
    my $made = connect($tcp, sockaddr_in($to->[1], inet_aton($to->[0]))); my $left = $! == EINPROGRESS;
    my $ready = ''; vec($ready, fileno $tcp, 1) = 1;
    push @out, join(':', @$to) if $made || ($left && select(undef, $ready, undef, 0.02));
  }
  say_it('filter', !@out, @out ? "not closed: @out" : 'nothing but the port of the host can be reached');
}
`;

/** Where the self-test is run, and as whom. */
export const carrierTestExec = {
  command: ['/usr/bin/perl', `${gateFolder}/carrier-test.pl`],
  user: `${relayUser}:${relayUser}`,
  workdir: '/',
  stdin: false,
};
