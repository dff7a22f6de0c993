// The secrets that a session has as files: on a file system in memory that is mounted over /run/secrets, so that no image, no volume and no
// inspection holds them. Written through the input of a program inside, so that no command line and no variable holds them either.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';

/** Where they are. */
const secretFolder = '/run/secrets';

/** The mount of a session that has such files. */
export const secretMount: Record<string, string> = { [secretFolder]: 'rw,noexec,nosuid,nodev,size=16m,mode=0755' };

/** One file, by its name below the folder. */
export interface SecretFile {
  name: string;
  value: string;
}

/** `NAME_FILE=/run/secrets/NAME` for each: many programs read a secret from the file that such a variable names. */
export const fileVariables = (names: readonly string[]): string[] => names.map((name) => `${name}_FILE=${secretFolder}/${name}`);

// Each file whole or as it was. A folder that is not a file system of its own would be part of an image: then nothing is written.
const writeProgram = String.raw`
use strict; use Fcntl;
my ($folder, $user) = @ARGV; my ($uid, $gid) = (getpwnam $user)[2, 3]; defined $uid or die "there is no user $user\n";
my ($root, $own) = map { (stat)[0] } '/', $folder; defined $own && $own != $root or die "$folder is not mounted\n";
binmode STDIN; local $/ = undef; my $given = <STDIN>; my %kept; my $at = 0; umask 077;
while ($given =~ /\G([\w.]+) (\d+)\n/gc) { my ($name, $size) = ($1, $2); $kept{$name} = substr($given, pos $given, $size); pos($given) += $size }
$given =~ /\Gend\n\z/gc or die "the list was cut off\n";
for my $name (sort keys %kept) {
  my $part = "$folder/.part"; unlink $part;
  sysopen(my $file, $part, O_WRONLY | O_CREAT | O_EXCL, 0600) or die "$name: $!\n";
  print($file $kept{$name}) && chown($uid, $gid, $file) && chmod(0400, $file) && close($file) && rename($part, "$folder/$name") or die "$name: $!\n";
}
opendir(my $all, $folder); for (readdir $all) { unlink "$folder/$_" unless exists $kept{$_} || /^\.\.?$/ }
print "written\n";
`;

const writeLimitMs = 15_000;

/** What the program reads: name, bytes, and the bytes of each; `end` says that none was lost. */
export const frameFiles = (files: readonly SecretFile[]): Buffer =>
  Buffer.concat([
    ...files.flatMap(({ name, value }) => {
      const bytes = Buffer.from(value);
      return [Buffer.from(`${name} ${bytes.length}\n`), bytes];
    }),
    Buffer.from('end\n'),
  ]);

const answerOf = async (handle: ExecHandle): Promise<string> => {
  let said = '';
  for await (const { bytes } of handle.output) said = (said + bytes.toString('utf8')).slice(0, 500);
  return said;
};

/** Puts exactly these files in place. @throws runtime_error */
const putFiles = async (deps: SessionDeps, session: Session, containerId: string, files: readonly SecretFile[]): Promise<void> => {
  const command = ['perl', '-e', writeProgram, secretFolder, sandboxUser];
  const handle = await deps.runtimeOf(session.runtime).exec(containerId, { command, user: 'root', workdir: '/', stdin: true });
  const over = new AbortController();
  try {
    // A sandbox that goes away meanwhile is said by the answer.
    handle.stdin.on('error', () => undefined).end(frameFiles(files));
    const said = await Promise.race([answerOf(handle), delay(writeLimitMs, 'there was no answer', { signal: over.signal })]);
    if (said.trim() === 'written') return;
    throw new SandlotError('runtime_error', `The secrets of "${session.name}" were not written as files: ${said.trim() || 'no answer'}.`, {
      nextAction: 'Restart the session; if it stays so, give these secrets as variables.',
    });
  } finally {
    over.abort();
    handle.close();
  }
};

/** Writes the session's files with their newest values; asks nobody when it has none. @throws runtime_error @throws secrets_damaged
 *  @throws secrets_locked */
export const writeSecretFiles = async (deps: SessionDeps, session: Session, containerId: string): Promise<void> => {
  if (session.secret_files.length === 0) return;
  await putFiles(deps, session, containerId, await deps.secrets.filesOf(session));
};

/** Writes them anew in every session that runs and has one of this name, or in this one session; what cannot be written is said there. */
export const renewSecretFiles = async (
  deps: SessionDeps,
  book: SessionBook,
  of: { name: string } | { sessionId: string },
): Promise<void> => {
  const sessions = 'name' in of ? await book.list() : [await book.get(of.sessionId)];
  const renew = async (session: Session): Promise<void> => {
    const { id, status, container_id: containerId, secret_files: files } = session;
    if (status !== 'running' || containerId === null || ('name' in of && !files.includes(of.name))) return;
    await writeSecretFiles(deps, session, containerId).catch((thrown: unknown) => book.note(id, { message: (thrown as Error).message }));
  };
  await Promise.all(sessions.map(renew));
};
