// Everything that leaves or crosses this machine on any interface but loopback, searched for byte patterns: what proves that nothing
// got out. A program in Perl, because a raw capture needs a packet socket, which Node has not.
// It tells when it listens, and a control packet proves at the end that it still hears.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Capture {
  /** Frames seen so far that hold a pattern: `pattern interface`. */
  hits: string[];
  /** Resolves when a frame with this pattern has been seen. */
  heard: (pattern: string) => Promise<void>;
  stop: () => Promise<void>;
}

const program = String.raw`
$| = 1; my @wanted = map { [ $_, pack('H*', $_) ] } @ARGV;
socket(my $all, 17, 3, 0x0300) or die "no packet socket: $!";
setsockopt($all, 1, 33, 67108864);
my %name; sub name { my $index = shift; $name{$index} //= do { my ($found) = grep { open(my $f, '<', "$_/ifindex") && <$f> == $index } glob '/sys/class/net/*'; $found =~ s{.*/}{} if $found; $found // "gone$index" } }
print "ready\n";
for (;;) {
  my $from = recv($all, my $frame, 65535, 0); next unless defined $from;
  my ($family, $protocol, $index, $hardware) = unpack 'S n l S', $from;
  next if $hardware == 772; # Loopback, by the kernel's own word.
  for my $one (@wanted) {
    my $at = index($frame, $one->[1]);
    # Four bytes are found anywhere in much data: an address counts in the headers only.
    next if $at < 0 || (length $one->[1] == 4 && $at > 60);
    print "$one->[0] ", name($index), "\n";
  }
}
`;

/** Only root may look at packets. */
export const canCapture = process.getuid?.() === 0;

/** Four bytes of an IPv4 address, as hex. */
export const addressPattern = (ip: string): string => Buffer.from(ip.split('.').map(Number)).toString('hex');

/** A text, as hex. */
export const textPattern = (text: string): string => Buffer.from(text).toString('hex');

/** Captures until it is stopped; patterns are hex. */
export const startCapture = async (patterns: string[]): Promise<Capture> => {
  const child = spawn('/usr/bin/perl', ['-e', program, ...patterns], { stdio: ['ignore', 'pipe', 'inherit'] });
  const hits: string[] = [];
  const waiting = new Set<() => void>();
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  lines.on('line', (line) => {
    hits.push(line);
    for (const look of waiting) look();
  });
  return {
    hits,
    heard: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!hits.some((hit) => hit.startsWith(pattern))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
};
