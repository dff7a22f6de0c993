// A pipe of bytes, both ways, from the host to something that listens inside a sandbox: a port, or a unix socket. It is an exec, so it
// needs no network and works whatever the policy says. What comes out of it is the sandbox's word: hostile, and never trusted.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';

/** What listens inside: a unix socket by its path, or a port of an address (127.0.0.1 unless said). */
export type InsidePlace = { socket: string } | { port: number; address?: string };

/** The host's end. Whoever opens it reads it to its end, or closes it. */
export interface InsideRelay {
  /** Hands over each piece that comes from inside; a promise that `take` answers holds the sender back until it resolves. Resolves when
   *  the other end has closed. @throws stream_broken */
  each: (take: (bytes: Buffer) => Promise<void> | undefined) => Promise<void>;
  /** Resolves when the connection has taken the bytes: who waits for it is held back by a slow reader inside. */
  write: (bytes: Uint8Array) => Promise<void>;
  close: () => void;
}

// First byte: + it is connected, - it is not, and why. Then nothing but the bytes. When the host lets go it ends at once, and with it the
// connection: nobody reads what still comes, but the runtime takes it for ever. What comes in drops is gathered for some milliseconds after
// each time that it was all sent: every piece costs each process on its way to the host as much as one of 32 KiB, and a busy screen would
// take the processor from those who type.
const relayProgram = String.raw`
use strict; use Errno; use Fcntl; use Socket;
$0 = 'sandlot-relay'; $SIG{PIPE} = 'IGNORE';
my ($kind, $where, $port) = @ARGV;
sub refuse { syswrite(STDOUT, "-$_[0]\n"); exit 1 }
my ($family, $place) = (PF_UNIX, undef);
if ($kind eq 'socket') { length($where) < 108 or refuse('the path is too long'); $place = sockaddr_un($where) }
elsif (my $six = inet_pton(AF_INET6, $where)) { ($family, $place) = (PF_INET6, pack_sockaddr_in6($port, $six)) }
elsif (my $four = inet_pton(AF_INET, $where)) { ($family, $place) = (PF_INET, pack_sockaddr_in($port, $four)) }
else { refuse('that is no address') }
my $far; socket($far, $family, SOCK_STREAM, 0) && connect($far, $place) or refuse("$!");
setsockopt($far, 6, 1, 1) if $kind ne 'socket';
syswrite(STDOUT, '+');
fcntl($_, F_SETFL, fcntl($_, F_GETFL, 0) | O_NONBLOCK) for $far, \*STDIN, \*STDOUT;
my ($there, $back, $told, $heard, $gathers) = ('', '', 0, 0, 0);
sub passes { $!{EAGAIN} || $!{EINTR} }
# True at the end.
sub take { my $count = sysread($_[0], $_[1], 65536, length $_[1]); defined $count ? !$count : !passes() }
sub give { my $count = syswrite($_[0], $_[1]); if (defined $count) { substr($_[1], 0, $count, '') } elsif (!passes()) { exit 0 } }
until ($heard && !length $back) {
  my ($reads, $writes) = ('', '');
  vec($reads, 0, 1) = 1 if length($there) < 65536;
  if ($gathers) { select(my $said = $reads, undef, undef, 0.004); $gathers = 0 }
  vec($reads, fileno $far, 1) = 1 if !$heard && length($back) < 65536;
  vec($writes, fileno $far, 1) = 1 if length $there;
  vec($writes, 1, 1) = 1 if length $back;
  next if select($reads, $writes, undef, undef) < 0;
  if (vec($reads, fileno $far, 1)) { my $had = length $back; $heard = take($far, $back); $gathers = length($back) - $had < 65536 }
  if (vec($reads, 0, 1)) { $told = take(\*STDIN, $there) }
  give(\*STDOUT, $back) if length $back;
  $gathers = 0 if length $back;
  give($far, $there) if length $there;
  exit 0 if $told
}
`;

const wordsOf = (place: InsidePlace): string[] =>
  'socket' in place ? ['socket', place.socket] : ['tcp', place.address ?? '127.0.0.1', String(place.port)];

const nameOf = (place: InsidePlace): string => ('socket' in place ? place.socket : `port ${place.port}`);

const longestWhy = 200;

const notThere = (place: InsidePlace, why: string): SandlotError =>
  new SandlotError('not_found', `Nothing answers at ${nameOf(place)} in the sandbox: ${why === '' ? 'the connection was refused' : why}.`);

interface Opening {
  /** Takes the first bytes; answers what comes after the word, or null while it is not known. @throws not_found */
  hear: (bytes: Buffer) => Buffer | null;
}

const createOpening = (place: InsidePlace): Opening => {
  let why: string | null = null;
  return {
    hear: (bytes) => {
      if (why === null && bytes[0] === 0x2b) return bytes.subarray(1);
      why = `${why ?? ''}${bytes.toString('latin1')}`.slice(0, longestWhy);
      if (why.includes('\n') || why.length === longestWhy) throw notThere(place, why.replace(/[^\x20-\x7e]/g, '').slice(1));
      return null;
    },
  };
};

const howLong = (place: InsidePlace): SandlotError =>
  new SandlotError('timeout', `The sandbox did not connect to ${nameOf(place)} in ten seconds.`, { nextAction: 'Restart the session.' });

const openMs = 10_000;
const leaveMs = 2_000;

type Take = (bytes: Buffer) => Promise<void> | undefined;

/** One loop reads from the beginning; who takes the bytes comes when the connection is known to stand. */
const readFrom = (handle: ExecHandle, place: InsidePlace) => {
  const opening = createOpening(place);
  let tellTaker: (take: Take) => void = () => undefined;
  const taker = new Promise<Take>((resolve) => {
    tellTaker = resolve;
  });
  let take: Take | null = null;
  let tellOpen: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    tellOpen = resolve;
  });
  let isOpen = false;
  const receive = (bytes: Buffer): Promise<void> | undefined => {
    if (take !== null) return take(bytes);
    const rest = isOpen ? bytes : opening.hear(bytes);
    if (rest === null) return undefined;
    isOpen = true;
    tellOpen();
    return taker.then((found) => {
      take = found;
      return rest.length === 0 ? undefined : found(rest);
    });
  };
  const ended = handle.each((bytes) => (bytes.length === 0 ? undefined : receive(bytes)));
  ended.catch(() => undefined);
  return { opened, ended, tellTaker };
};

/** Says that nothing will be written any more, and reads to the end: Podman takes a connection that breaks off with bytes in it for one that
 *  may come back. */
const letGo = async (handle: ExecHandle, ended: Promise<void>): Promise<void> => {
  handle.stdin.end();
  const timer = setTimeout(handle.close, leaveMs).unref();
  await ended.catch(() => undefined);
  clearTimeout(timer);
  handle.close();
};

/** Connects to what listens inside. @throws not_found when nothing does @throws timeout @throws runtime_error */
export const openInsideRelay = async (
  runtime: ContainerRuntime,
  containerId: string,
  place: InsidePlace,
  user: string = sandboxUser,
): Promise<InsideRelay> => {
  const command = ['/usr/bin/perl', '-e', relayProgram, ...wordsOf(place)];
  const handle = await runtime.exec(containerId, { command, user, workdir: '/', stdin: true });
  const { opened, ended, tellTaker } = readFrom(handle, place);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(howLong(place)), openMs);
  });
  try {
    await Promise.race([opened, late, ended.then(() => Promise.reject(notThere(place, '')))]);
  } catch (thrown) {
    handle.close();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
  let isLeaving = false;
  return {
    each: async (take) => {
      tellTaker((bytes) => (isLeaving ? undefined : take(bytes)));
      await ended;
    },
    write: handle.type,
    close: () => {
      isLeaving = true;
      void letGo(handle, ended);
    },
  };
};
