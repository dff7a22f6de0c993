// Tries every way out of a sandbox that is not a plain TCP connection, and the tricks that could turn one against its gate. What it
// prints is what the sandbox saw; whether anything got out is judged by the capture and the host's side.
// Source: NETWORK.md F01-F14, G01-G09, G18, G19, G21, H01-H03.

/** An address that belongs to nobody, and a text: what the capture looks for. */
export const probeAddress = '203.0.113.77';
export const probeText = 'sandlot-probe-7b1f';

/** Each line is `name<TAB>what was seen`; an error is its symbolic name. The arguments are ADDRESS:PORT of canaries on this machine. */
export const closedProbes = String.raw`
use strict; use warnings; use Socket qw(:all); use Errno; use Fcntl;
$| = 1; $SIG{PIPE} = 'IGNORE'; my $text = '${probeText}'; my $out = '${probeAddress}';
sub why { my ($name) = grep { $!{$_} } sort keys %!; $name // "error $!" }
sub tell_it { print "$_[0]\t$_[1]\n" }
sub try_it { my ($name, $what) = @_; tell_it($name, $what->() ? 'ok' : why()) }
sub at { sockaddr_in($_[1], inet_aton($_[0])) }

# A connection, and the first line that came back.
sub dial {
  my ($address, $port, $protocol) = @_;
  socket(my $tcp, AF_INET, SOCK_STREAM, $protocol // 0) or return why();
  setsockopt($tcp, SOL_SOCKET, $_, pack('q2', 3, 0)) for SO_RCVTIMEO, SO_SNDTIMEO;
  connect($tcp, at($address, $port)) or return why();
  syswrite($tcp, "$text\n"); my $line = readline $tcp; defined $line or return 'closed'; chomp $line; $line;
}

# F01, F02: UDP.
sub datagram {
  my ($name, $address, $port) = @_;
  socket(my $udp, AF_INET, SOCK_DGRAM, 0) or return tell_it($name, why());
  setsockopt($udp, SOL_SOCKET, SO_BROADCAST, 1);
  send($udp, $text, 0, at($address, $port));
  connect($udp, at($address, $port)) or return tell_it($name, why());
  send($udp, $text, 0); select(undef, undef, undef, 0.02);
  tell_it($name, defined send($udp, $text, 0) ? 'sent' : why());
}
datagram('udp out', $out, 443); datagram('udp name', '198.18.0.2', 443); datagram('udp stun', $out, 3478);
datagram('udp broadcast', '255.255.255.255', 9); datagram('udp multicast', '239.255.255.250', 1900);
datagram('udp bridge', '172.17.255.255', 9); datagram('udp gateway', '172.17.0.1', 9);

# F03: an echo that the kernel would answer by itself.
{
  my $seen = 'no socket';
  if (socket(my $icmp, AF_INET, SOCK_DGRAM, 1)) {
    connect($icmp, at($out, 0)); send($icmp, pack('CCnnna*', 8, 0, 0, 1, 1, $text), 0);
    my $ready = ''; vec($ready, fileno $icmp, 1) = 1;
    $seen = select($ready, undef, undef, 0.5) == 1 && defined recv($icmp, my $answer, 2000, MSG_DONTWAIT) ? 'reply' : 'no reply';
  }
  tell_it('ping', $seen);
}

# F04-F06, F08: other families and protocols.
for ([2, 3, 1, 'raw icmp'], [2, 3, 6, 'raw tcp'], [2, 3, 255, 'raw ip'], [10, 3, 58, 'raw icmp6'], [17, 3, 768, 'packet'], [17, 2, 768, 'packet dgram'],
  [44, 3, 0, 'xdp'], [40, 1, 0, 'vsock stream'], [40, 2, 0, 'vsock dgram'], [38, 5, 0, 'alg'], [21, 5, 0, 'rds'], [30, 1, 0, 'tipc'], [31, 3, 1, 'bluetooth'],
  [2, 1, 132, 'sctp'], [2, 6, 33, 'dccp'], [2, 6, 0, 'dccp by its type'], [2, 5, 0, 'packets in a row'], [10, 6, 0, 'dccp6 by its type'],
  [2, 2, 136, 'udp lite'], [16, 3, 6, 'netlink xfrm'], [16, 3, 8, 'netlink iscsi'], [16, 3, 11, 'netlink connector'], [16, 2, 15, 'netlink uevent'],
  [16, 3, 16, 'netlink generic'], [16, 3, 20, 'netlink rdma'], [16, 3, 21, 'netlink crypto']) {
  my ($family, $type, $protocol, $name) = @$_;
  try_it($name, sub { socket(my $sock, $family, $type, $protocol) });
}
tell_it('mptcp', dial($out, 443, 262));

# F09: IPv6.
for (['out', '2001:db8::1'], ['loopback', '::1'], ['mapped', "::ffff:$out"], ['link', 'fe80::1'], ['multicast', 'ff02::1']) {
  my ($name, $address) = @$_;
  try_it("ipv6 $name", sub { my $six; socket($six, AF_INET6, SOCK_STREAM, 0) && connect($six, pack_sockaddr_in6(443, Socket::inet_pton(AF_INET6, $address))) });
}

# F10: devices.
for (['tun', '/dev/net/tun', 10, 200], ['vhost', '/dev/vhost-net', 10, 238], ['vsock device', '/dev/vsock', 10, 121]) {
  my ($name, $path, $major, $minor) = @$_;
  try_it($name, sub { sysopen(my $device, $path, O_RDWR) });
  my $made = "/tmp/$name-$$"; syscall(133, $made, 020666, $major << 8 | $minor & 0xff);
  try_it("$name made", sub { sysopen(my $device, $made, O_RDWR) }); unlink $made;
}

# F11, G02: calls that make sockets or namespaces by another way.
for (['io_uring_setup', 425, 1, 0], ['io_uring_enter', 426, 0, 0], ['io_uring_register', 427, 0, 0], ['unshare net', 272, 0x40000000, 0],
  ['unshare user', 272, 0x10000000, 0], ['unshare both', 272, 0x50000000, 0], ['clone net', 56, 0x40000011, 0], ['bpf', 321, 0, 0], ['perf', 298, 0, 0],
  ['mount', 165, 0, 0]) {
  my ($name, $number, @rest) = @$_;
  try_it($name, sub { syscall($number, @rest, 0, 0, 0) != -1 });
}
{ open(my $own, '<', '/proc/self/ns/net'); try_it('setns', sub { syscall(308, fileno $own, 0) != -1 }) }

# F12: odd ends of a TCP connection.
{
  socket(my $fast, AF_INET, SOCK_STREAM, 0); send($fast, "$text\n", 0x20000000, at($out, 443)); my $line = readline $fast; chomp $line if defined $line;
  tell_it('fast open', $line // 'closed');
  socket(my $urgent, AF_INET, SOCK_STREAM, 0); connect($urgent, at($out, 443)); send($urgent, '!', MSG_OOB); $line = readline $urgent; chomp $line if defined $line;
  tell_it('urgent', $line // 'closed');
  socket(my $reset, AF_INET, SOCK_STREAM, 0); connect($reset, at($out, 443)); setsockopt($reset, SOL_SOCKET, SO_LINGER, pack('ii', 1, 0)); close $reset;
  tell_it('after reset', dial($out, 443));
  # What comes back is never read, until neither side may send any more.
  socket(my $full, AF_INET, SOCK_STREAM, 0); setsockopt($full, SOL_SOCKET, SO_RCVBUF, pack('i', 2048)); connect($full, at($out, 443));
  fcntl($full, F_SETFL, O_NONBLOCK); for (1 .. 200) { defined syswrite($full, 'x' x 65536) or select(undef, undef, undef, 0.005) }
  tell_it('after no window', dial($out, 443)); close $full;
}

# F13: options that steer.
{
  socket(my $tcp, AF_INET, SOCK_STREAM, 0);
  try_it('mark', sub { setsockopt($tcp, SOL_SOCKET, 36, pack('i', 1)) });
  try_it('transparent', sub { setsockopt($tcp, 0, 19, pack('i', 1)) });
  setsockopt($tcp, SOL_SOCKET, 25, "lo\0"); setsockopt($tcp, 0, 15, pack('i', 1)); setsockopt($tcp, 0, 50, pack('N', 1));
  # A filter that chooses among the sockets of one port (SO_ATTACH_REUSEPORT_CBPF): "the first".
  my $filter = pack('SCCL', 0x06, 0, 0, 0); setsockopt($tcp, SOL_SOCKET, 51, pack('Sx6P', 1, $filter));
  setsockopt($tcp, SOL_SOCKET, $_, pack('q2', 3, 0)) for SO_RCVTIMEO, SO_SNDTIMEO;
  connect($tcp, at($out, 443)); my $line = readline $tcp; chomp $line if defined $line;
  tell_it('steered', $line // 'closed');
}

# F14, G01, G04: netlink may read, never write.
sub netlink {
  my ($family, $type, $flags, $body) = @_;
  socket(my $link, 16, SOCK_RAW, $family) or return why();
  setsockopt($link, SOL_SOCKET, SO_RCVTIMEO, pack('q2', 2, 0));
  my $message = pack('LSSLL', 16 + length $body, $type, $flags, 1, 0) . $body;
  defined send($link, $message, 0, pack('SSLL', 16, 0, 0, 0)) or return why();
  defined recv($link, my $answer, 65536, 0) or return why();
  my (undef, $kind) = unpack 'LS', $answer;
  return 'answer' if $kind != 2;
  my $error = unpack 'l', substr $answer, 16, 4; return 'done' if !$error; $! = -$error; return why();
}
my $route = pack('CCCCCCCCL', 2, 0, 0, 0, 254, 3, 0, 1, 0);
tell_it('netlink read routes', netlink(0, 26, 0x301, $route));
tell_it('netlink new route', netlink(0, 24, 0x405, $route . pack('SSL', 8, 4, 1)));
tell_it('netlink del route', netlink(0, 25, 0x5, pack('CCCCCCCCL', 2, 0, 0, 0, 255, 0, 0, 2, 0)));
tell_it('netlink new address', netlink(0, 20, 0x405, pack('CCCCL', 2, 32, 0, 0, 1) . pack('SSN', 8, 2, 0x0a0a0a0a)));
tell_it('netlink new link', netlink(0, 16, 0x605, pack('CCSlLL', 0, 0, 0, 0, 0, 0) . pack('SSa8', 12, 3, "probe0") . pack('SSSSa8', 16, 18, 12, 1, 'dummy')));
tell_it('netlink link down', netlink(0, 16, 0x5, pack('CCSlLL', 0, 0, 0, 1, 0, 1)));
tell_it('netlink new rule', netlink(0, 32, 0x405, pack('CCCCCCCCL', 2, 0, 0, 0, 254, 0, 0, 1, 0)));
{
  socket(my $server, AF_INET, SOCK_STREAM, 0); bind($server, at('127.0.0.1', 0)); listen($server, 5); my ($port) = sockaddr_in(getsockname $server);
  my $own = pack('nnNx12Nx12LLL', $port, 0, 0x7f000001, 0, 0, 0xffffffff, 0xffffffff);
  tell_it('netlink destroy', netlink(4, 21, 0x5, pack('CCCCL', 2, 6, 0, 0, 0xffffffff) . $own));
}
tell_it('nft list', netlink(12, 0x0a01, 0x301, pack('CCn', 2, 0, 0)));
tell_it('nft flush', netlink(12, 0x0a02, 0x5, pack('CCn', 2, 0, 0)));

# G16: what one connection may hold in the machine's kernel.
for my $end ('rmem', 'wmem') { open(my $file, '<', "/proc/sys/net/ipv4/tcp_$end"); my $line = readline($file) // ''; tell_it("most held in $end", (split ' ', $line)[2] // 'nothing') }

# G03, G21: nobody else's processes.
{
  my @others = grep { my $path = $_; open(my $file, '<', "$path/cmdline"); my $line = <$file>; defined $line && $line =~ /haproxy|sandlot-gate/ } glob '/proc/[0-9]*';
  tell_it('gate processes', scalar @others);
  my $hold = do { open(my $file, '<', '/proc/1/cmdline'); <$file> } // '';
  my %mine = map { m{(\d+)} ? ($1 => 1) : () } glob '/proc/[0-9]*';
  my ($handles, $read) = (0, 0);
  for my $pid (grep { !$mine{$_} } 2 .. 4000) {
    $handles++ if syscall(434, $pid, 0) >= 0;
    my $bytes = "\0" x 8; my $local = pack('Pq', $bytes, 8); my $remote = pack('qq', 0x400000, 8);
    $read++ if syscall(310, $pid, $local, 1, $remote, 1, 0) > 0;
  }
  tell_it('pidfd of others', $hold =~ /haproxy|sandlot-gate/ ? 'the gate' : $handles); tell_it('gate memory', $read);
}

# G05: settings.
for (['forward', '/proc/sys/net/ipv4/ip_forward'], ['accept local', '/proc/sys/net/ipv4/conf/all/accept_local'], ['ipv6', '/proc/sys/net/ipv6/conf/all/disable_ipv6']) {
  my ($name, $path) = @$_;
  try_it("sysctl $name", sub { my $file; sysopen($file, $path, O_WRONLY) && syswrite($file, '1') });
}
{ my ($kind, $folder) = ('proc', '/proc'); try_it('remount proc', sub { syscall(165, $kind, $folder, $kind, 32, 0) != -1 }) }

# G06: beside the relay, as whoever this is.
sub beside {
  my ($address, $port, $type) = @_;
  socket(my $sock, AF_INET, $type, 0); setsockopt($sock, SOL_SOCKET, 15, 1); setsockopt($sock, SOL_SOCKET, SO_REUSEADDR, 1);
  bind($sock, at($address, $port)) && ($type == SOCK_DGRAM || listen($sock, 5)) ? 'bound' : why();
}
tell_it('beside the relay', beside('127.13.13.13', 15001, SOCK_STREAM));
tell_it('beside all', beside('0.0.0.0', 15001, SOCK_STREAM));
tell_it('beside names', beside('127.13.13.13', 15053, SOCK_DGRAM));
tell_it('beside names tcp', beside('127.13.13.13', 15054, SOCK_STREAM));
tell_it('relay itself', dial('127.13.13.13', 15001)); tell_it('names itself', dial('127.13.13.13', 15054));

# G08 and the same for what is caught: a listener of the sandbox's own at any address hears nothing.
{
  socket(my $server, AF_INET, SOCK_STREAM, 0); setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
  my $bound = bind($server, at('9.9.9.9', 5432)) && listen($server, 5) ? 'bound' : why();
  my $line = dial('9.9.9.9', 5432); my $ready = ''; vec($ready, fileno $server, 1) = 1;
  tell_it('own listener out there', "$bound, $line, heard " . select($ready, undef, undef, 0.05));
  socket(my $own, AF_INET, SOCK_STREAM, 0); bind($own, at('127.0.0.1', 0)); listen($own, 5); my ($port) = sockaddr_in(getsockname $own);
  socket(my $client, AF_INET, SOCK_STREAM, 0);
  try_it('own server', sub { connect($client, at('127.0.0.1', $port)) });
  socket(my $wide, AF_INET, SOCK_STREAM, 0); bind($wide, at('0.0.0.0', 0)); listen($wide, 5); ($port) = sockaddr_in(getsockname $wide);
  socket(my $second, AF_INET, SOCK_STREAM, 0);
  try_it('own server by its address', sub { connect($second, at('198.18.0.10', $port)) });
}

# G09, G19: sockets of the gate and of the host.
{
  open(my $file, '<', '/proc/net/unix'); my @abstract = grep { /\s@/ } <$file>;
  tell_it('abstract sockets', scalar @abstract);
  my @there = grep { -e } '/run/sandlot', '/var/run/docker.sock', '/run/podman/podman.sock', '/opt/sandlot';
  tell_it('host files', scalar @there);
  my $found = qx(find / -xdev -type s 2>/dev/null; find /run /tmp /workspace /var /dev -type s 2>/dev/null); $found =~ s/\n/ /g;
  tell_it('sockets found', $found);
}

# G18: the files that two containers may share.
for my $path ('/etc/hosts', '/etc/resolv.conf', '/etc/hostname') {
  my $file;
  tell_it("write $path", open($file, '>>', $path) && print({$file} "$out host-name.test\n") && close $file ? 'written' : why());
}

# H01-H03: this machine, by every address that it has.
tell_it("canary $_", dial(split /:/)) for @ARGV;
tell_it('control', dial($out, 443));
`;
