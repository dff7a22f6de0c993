// Runs rows of the corpus inside a real sandbox, behind a real gate: a small program in the sandbox makes the connections as it is told.
// Perl, because perl-base is in every Debian.
import type { ContainerRuntime, ExecHandle } from '../../sandbox-engine/container/container-runtime.ts';
import type { To } from './corpus/row.ts';
import { explicitProxy, type RowConnection } from './gate-client.ts';
import type { RowPlace } from './run-row.ts';
import type { World } from './world.ts';

// One command a line: N NAME looks up, C IP PORT connects, S HEX sends, F says that no more is sent, X closes.
// It tells: ip ADDRESS, up, down WHY, D HEX, E.
const program = String.raw`
use strict; use warnings; use Socket; $| = 1; $SIG{PIPE} = 'IGNORE';
my ($tcp, $held) = (undef, '');
sub over { close $tcp if $tcp; $tcp = undef; print "E\n" }
sub obey {
  my ($what, @rest) = split ' ', shift;
  if ($what eq 'N') { my $packed = gethostbyname $rest[0]; print 'ip ', (defined $packed ? inet_ntoa($packed) : 'none'), "\n" }
  elsif ($what eq 'C') {
    close $tcp if $tcp; socket($tcp, AF_INET, SOCK_STREAM, 0);
    if (connect($tcp, sockaddr_in($rest[1], inet_aton($rest[0])))) { print "up\n" } else { print "down $!\n"; $tcp = undef }
  }
  elsif ($what eq 'S') { my $bytes = pack 'H*', $rest[0]; while ($tcp && length $bytes) { my $count = syswrite($tcp, $bytes) or return over(); substr($bytes, 0, $count, '') } }
  elsif ($what eq 'F') { shutdown($tcp, 1) if $tcp }
  elsif ($what eq 'X') { close $tcp if $tcp; $tcp = undef }
}
for (;;) {
  my $ready = ''; vec($ready, 0, 1) = 1; vec($ready, fileno $tcp, 1) = 1 if $tcp;
  select($ready, undef, undef, undef);
  if ($tcp && vec($ready, fileno $tcp, 1)) { sysread($tcp, my $bytes, 65536) ? print 'D ', unpack('H*', $bytes), "\n" : over() }
  next unless vec($ready, 0, 1);
  sysread(STDIN, $held, 65536, length $held) or exit;
  while ((my $end = index $held, "\n") >= 0) { my $line = substr($held, 0, $end + 1, ''); chomp $line; obey($line) if $line ne '' }
}
`;

/** The program in a sandbox, and the lines that it tells. */
export interface InsideDriver {
  tell: (line: string) => void;
  /** Calls for each line from now on, until it is let go of. */
  onLine: (call: (line: string) => void) => () => void;
  close: () => void;
}

const followLines = async (handle: ExecHandle, calls: Set<(line: string) => void>): Promise<void> => {
  let held = '';
  for await (const { bytes } of handle.output) {
    held += bytes.toString('latin1');
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) for (const call of [...calls]) call(line);
  }
};

/** Starts the program as its user or as root by sudo, with no variable of a proxy. Who starts it closes it. */
export const startInside = async (runtime: ContainerRuntime, containerId: string, as: string[] = []): Promise<InsideDriver> => {
  const command = [...as, 'env', '-i', '/usr/bin/perl', '-e', program];
  const handle = await runtime.exec(containerId, { command, user: 'sandbox', workdir: '/', stdin: true });
  const calls = new Set<(line: string) => void>();
  followLines(handle, calls).catch(() => undefined);
  return {
    tell: (line) => void handle.stdin.write(`${line}\n`),
    onLine: (call) => {
      calls.add(call);
      return () => void calls.delete(call);
    },
    close: handle.close,
  };
};

const next = (driver: InsideDriver, isIt: (line: string) => boolean, line: string): Promise<string> =>
  new Promise((resolve) => {
    const letGo = driver.onLine((told) => {
      if (!isIt(told)) return;
      letGo();
      resolve(told);
    });
    driver.tell(line);
  });

const addressOf = async (driver: InsideDriver, to: To): Promise<{ ip: string; port: number }> => {
  if (to === 'proxy') return explicitProxy;
  if ('address' in to) return { ip: to.address, port: to.port };
  const told = await next(driver, (line) => line.startsWith('ip '), `N ${to.name}`);
  return { ip: told.slice(3), port: to.port };
};

const connectInside = async (driver: InsideDriver, to: To): Promise<RowConnection> => {
  const { ip, port } = await addressOf(driver, to);
  let text = '';
  let over = false;
  const looks = new Set<() => void>();
  const letGo = driver.onLine((line) => {
    if (line.startsWith('D ')) text += Buffer.from(line.slice(2), 'hex').toString('latin1');
    if (line === 'E' || line.startsWith('down')) over = true;
    if (over) letGo();
    for (const look of [...looks]) look();
  });
  await next(driver, (line) => line === 'up' || line.startsWith('down'), `C ${ip} ${port}`);
  const until = (isEnough: (seen: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!over && !isEnough(text)) return;
        looks.delete(look);
        resolve(text);
      };
      looks.add(look);
      look();
    });
  return {
    end: () => driver.tell('F'),
    send: (bytes) => driver.tell(`S ${Buffer.from(bytes as string, 'latin1').toString('hex')}`),
    text: () => text,
    until,
    closed: () => until(() => false),
    isOver: () => over,
  };
};

/** The rows' place inside a sandbox: for each, the proxy listens anew where the sandbox's gate looks. */
export const insideSandbox = (world: World, driver: InsideDriver, socketFolder: string): RowPlace => ({
  open: (sandboxId, policy) => world.openSandbox(sandboxId, policy, {}, socketFolder),
  connect: (to) => connectInside(driver, to),
});
