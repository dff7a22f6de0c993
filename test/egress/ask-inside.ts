// Asks for names from inside a sandbox, with messages that the test writes itself, by UDP and by TCP, of whatever server.
import { decode, encode, type Packet } from 'dns-packet';
import type { Said } from '../runtime/support/gate-house.ts';

/** A message, and where it is sent. */
export interface Asked {
  way: 'udp' | 'tcp';
  server: string;
  port?: number;
  message: Buffer;
}

/** What came back: the message, or why none did, and after how many milliseconds. */
export interface Heard {
  answer: Buffer | null;
  why: string;
  ms: number;
}

const program = String.raw`
use strict; use warnings; use Socket qw(:all); use Errno; use Time::HiRes qw(time); $| = 1; $SIG{PIPE} = 'IGNORE';
sub why { my ($name) = grep { $!{$_} } sort keys %!; $name // 'nothing' }
sub ask {
  my ($way, $server, $port, $hex) = @_; my ($sock, $answer) = (undef, ''); my $bytes = pack 'H*', $hex;
  socket($sock, AF_INET, $way eq 'udp' ? SOCK_DGRAM : SOCK_STREAM, 0) && connect($sock, sockaddr_in($port, inet_aton($server))) or return (undef, why());
  setsockopt($sock, SOL_SOCKET, $_, pack('q2', 3, 0)) for SO_RCVTIMEO, SO_SNDTIMEO;
  if ($way eq 'udp') { send($sock, $bytes, 0); defined recv($sock, $answer, 65535, 0) or return (undef, why()); return ($answer, '') }
  syswrite($sock, pack('n', length $bytes) . $bytes);
  while (length $answer < 2 || length $answer < 2 + unpack 'n', $answer) { my $count = sysread $sock, $answer, 65536, length $answer; $count or return (undef, defined $count ? 'closed' : why()) }
  return (substr($answer, 2), '');
}
while (my $line = <STDIN>) {
  chomp $line; last if $line eq ''; my $began = time; my ($answer, $why) = ask(split ' ', $line);
  print '>', join("\t", defined $answer ? unpack('H*', $answer) : '', $why, int((time - $began) * 1000)), "\n";
}
`;

type Run = (command: string[]) => Promise<Said>;

/** A command's words may not be long: more questions than these are asked by the next one. */
const mostAtOnce = 500;

/** Asks one after the other and answers what came back, in their order. */
export const askInside = async (run: Run, asked: Asked[]): Promise<Heard[]> => {
  if (asked.length > mostAtOnce)
    return [...(await askInside(run, asked.slice(0, mostAtOnce))), ...(await askInside(run, asked.slice(mostAtOnce)))];
  const lines = asked.map(({ way, server, port = 53, message }) => `${way} ${server} ${port} ${message.toString('hex')}`);
  const text = lines.join('\n').replaceAll("'", '');
  const said = await run(['bash', '-c', `perl -e "$0" <<'END'\n${text}\nEND`, program]);
  const told = said.text.split('\n').filter((line) => line.startsWith('>'));
  return told.map((line) => {
    const [hex = '', why = '', ms = '0'] = line.slice(1).split('\t');
    return { answer: hex === '' ? null : Buffer.from(hex, 'hex'), why, ms: Number(ms) };
  });
};

/** A question as an ordinary resolver asks it. */
export const questionFor = (name: string, type = 'A'): Buffer =>
  encode({ type: 'query', id: 7, flags: 256, questions: [{ type: type as 'A', name }] });

/** Asks for a record of one name at the sandbox's own server, and answers the addresses that came back. */
export const addressesOf = ({ answer }: Heard): string[] => {
  if (answer === null) return [];
  const { answers = [] } = decode(answer) as Packet & { answers?: { type: string; data?: unknown }[] };
  return answers.flatMap((each) => (each.type === 'A' ? [String(each.data)] : []));
};

/** The code of an answer; null where none came. */
export const rcodeOf = ({ answer }: Heard): number | null => (answer === null ? null : (answer[3] ?? 0) & 15);
