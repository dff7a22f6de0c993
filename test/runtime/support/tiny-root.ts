// A root file system of a few megabytes, made of this machine's own programs and the libraries they need, as a tar stream.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pack } from 'tar-stream';

interface TinyFile {
  name: string;
  text?: string;
  mode?: number;
  uid?: number;
}

/** The programs by path, their libraries, and more files; one without text is a folder. */
export const tinyRoot = (programs: string[], files: TinyFile[] = []): Readable => {
  const paths = new Set(programs);
  for (const program of programs) {
    const listed = execFileSync('/usr/bin/ldd', [program], { encoding: 'utf8' });
    for (const match of listed.matchAll(/(\/\S+) \(0x/g)) paths.add(match[1] ?? '');
  }
  const archive = pack();
  for (const path of paths) archive.entry({ name: path.slice(1), mode: 0o755 }, readFileSync(path));
  for (const { name, text, mode = 0o755, uid = 0 } of files) {
    if (text === undefined) archive.entry({ name: name.slice(1), type: 'directory', mode, uid, gid: uid });
    else archive.entry({ name: name.slice(1), mode, uid, gid: uid }, text);
  }
  archive.finalize();
  return archive as unknown as Readable;
};

const sessionPrograms = ['bash', 'sh', 'sleep', 'touch', 'mkdir', 'id', 'stat', 'ls', 'chmod', 'cat', 'kill', 'ps', 'perl'];

/** All that a session without a repository touches, with a workspace that belongs to user 1000. */
export const tinySessionRoot = (): Readable =>
  tinyRoot(
    sessionPrograms.map((name) => `/usr/bin/${name}`).filter((path) => existsSync(path)),
    [
      { name: '/etc/passwd', text: 'root:x:0:0::/root:/bin/sh\nsandbox:x:1000:1000::/home/sandbox:/usr/bin/bash\n', mode: 0o644 },
      { name: '/etc/group', text: 'root:x:0:\nsandbox:x:1000:\n', mode: 0o644 },
      { name: '/tmp', mode: 0o1777 },
      { name: '/bin/', mode: 0o755 },
      { name: '/bin/sh', text: '#!/usr/bin/bash\nexec /usr/bin/bash "$@"\n' },
      { name: '/home/sandbox', uid: 1000 },
      { name: '/workspace', uid: 1000 },
    ],
  );
