// A program that hands over sockets as a gate does, or as one that behaves badly would. It is Perl, as in a gate. Source: unix(7) SCM_RIGHTS.
import { type ChildProcess, spawn } from 'node:child_process';

/** Offers sockets as its second argument says, the one that listens at its third; tells its port, and tells when the other side has let go. */
export const offeringProgram = String.raw`
use strict; use warnings; use Socket; use Config; $| = 1; $SIG{PIPE} = 'IGNORE';
my ($sendmsg) = $Config{archname} =~ /^x86_64/ ? 46 : 211;
socket(my $tcp, AF_INET, SOCK_STREAM, 0); my ($ip, $port) = split /:/, $ARGV[2] // '127.0.0.1:0';
bind($tcp, sockaddr_in($port, inet_aton($ip))) && listen($tcp, 256) or die "$!";
socket(my $deaf, AF_INET, SOCK_STREAM, 0); bind($deaf, sockaddr_in(0, inet_aton('127.0.0.1')));
socket(my $udp, AF_INET, SOCK_DGRAM, 0); open(my $file, '<', '/etc/passwd');
socket(my $host, AF_UNIX, SOCK_STREAM, 0); connect($host, pack_sockaddr_un($ARGV[0])) or die "$!";
sub give {
  my ($byte, @given) = @_;
  my $data = pack('P J', $byte, 1);
  my $rights = pack('J i i', 16 + 4 * @given, SOL_SOCKET, 1) . pack('i*', map { fileno $_ } @given) . "\0" x (@given % 2 * 4);
  my $message = pack('J J P J P J J', 0, 0, $data, 1, @given ? $rights : "\0", @given ? length $rights : 0, 0);
  syscall($sendmsg, fileno $host, $message, 0) == 1 and return;
  print "0\nlet go\n"; sleep 20;
}
my %all = (tcp => $tcp, deaf => $deaf, udp => $udp, file => $file);
for (split /;/, $ARGV[1]) {
  my ($byte, @names) = split / /;
  if ($byte eq 'wait') { select(undef, undef, undef, $names[0]) } else { give($byte, map { $all{$_} } @names) }
}
print((sockaddr_in(getsockname $tcp))[0], "\n");
close $tcp; close $deaf;
sysread($host, my $byte, 1); print "let go\n"; sleep 20;
`;

export interface OfferingGate {
  child: ChildProcess;
  port: number;
  letGo: Promise<unknown>;
}

const lines = (child: ChildProcess): { next: (wanted: RegExp) => Promise<string> } => {
  let text = '';
  const waiting = new Set<() => void>();
  child.stdout?.on('data', (bytes: Buffer) => {
    text += bytes.toString();
    for (const look of waiting) look();
  });
  return {
    next: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          const found = wanted.exec(text);
          if (found === null) return;
          waiting.delete(look);
          resolve(found[0]);
        };
        waiting.add(look);
        look();
      }),
  };
};

/**
 * Starts it at a path; resolves when all is offered. Each part of `what` is a byte and the sockets with it, or `wait` and
 * seconds. Who starts it kills it.
 */
export const startOfferingGate = async (path: string, what: string): Promise<OfferingGate> => {
  const child = spawn('perl', ['-e', offeringProgram, path, what], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = lines(child);
  return { child, port: Number(await said.next(/\d+(?=\n)/)), letGo: said.next(/let go/) };
};
