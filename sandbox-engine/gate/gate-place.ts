// What a gate needs on this machine: a folder for the host's sockets, a resolv.conf, the seccomp profile as a file.
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxHostname } from '../container/sandbox-spec.ts';
import { nameServer, proxySocketName } from './addresses.ts';
import type { GatePlace } from './gate-container.ts';
import { seccompProfile } from './seccomp-profile.ts';

/** Some systems hold a socket's path in 104 bytes, the last of them a zero. Source: unix(7). */
const maxSocketPathBytes = 100;

const resolvConf = `nameserver ${nameServer}\noptions timeout:3 attempts:2\n`;

const hostsOf = (sandboxId: string): string =>
  `127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n127.0.0.1\t${sandboxHostname(sandboxId)}\n`;

/** Whether it was not there yet. */
const makeNew = async (file: string, text: string): Promise<boolean> => {
  try {
    await writeFile(file, text, { mode: 0o644, flag: 'wx' });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    return false;
  }
};

/** One that is there stays: whoever works in the sandbox may have added to it. */
const makeHosts = async ({ hosts }: GatePlace, sandboxId: string): Promise<void> => void (await makeNew(hosts, hostsOf(sandboxId)));

/**
 * Written over in place where it is another: a sandbox that runs has this very file mounted. So it may have taken a lease on it, for which
 * whoever opens it waits three quarters of a minute; it then keeps what it has. Source: fcntl(2), Leases.
 */
const makeResolvConf = async ({ resolvConf: file }: GatePlace): Promise<void> => {
  if (await makeNew(file, resolvConf)) return;
  if ((await stat(file)).size === resolvConf.length) return;
  const handle = await open(file, constants.O_WRONLY | constants.O_TRUNC | constants.O_NONBLOCK).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'EAGAIN') throw thrown;
    return null;
  });
  if (handle === null) return;
  try {
    await handle.writeFile(resolvConf);
  } finally {
    await handle.close();
  }
};

// A profile of another version is another file: containers that stand keep theirs.
const seccompName = `seccomp-${createHash('sha256').update(seccompProfile).digest('hex').slice(0, 12)}.json`;

export interface GatePlaces {
  /** Where things are, whether or not they are there yet. */
  of: (sandboxId: string) => GatePlace;
  /** Makes all of it; safe to repeat. Everyone may pass through the socket's folder, because only its gate can reach it. */
  make: (sandboxId: string) => Promise<GatePlace>;
  /** Makes the seccomp profile's file and answers its path. */
  makeProfile: () => Promise<string>;
  remove: (sandboxId: string) => Promise<void>;
}

/** `folder` is private to this user and stays where it is; `shortFolder` is taken where its paths are too long for a socket. */
export const createGatePlaces = ({ folder, shortFolder }: { folder: string; shortFolder: string }): GatePlaces => {
  const isShort = Buffer.byteLength(join(folder, '0'.repeat(16), 'sockets', proxySocketName)) <= maxSocketPathBytes;
  const parent = isShort ? folder : shortFolder;
  const seccompFile = join(folder, seccompName);
  // The random part of the id is unique, and short.
  const home = (sandboxId: string): string => join(parent, sandboxId.slice(-16));
  const of = (sandboxId: string): GatePlace => ({
    policyFile: join(home(sandboxId), 'policy.json'),
    namesFile: join(home(sandboxId), 'names'),
    socketFolder: join(home(sandboxId), 'sockets'),
    resolvConf: join(home(sandboxId), 'resolv.conf'),
    hosts: join(home(sandboxId), 'hosts'),
    seccompFile,
  });
  const makeProfile = async (): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Whole at every moment: Podman reads it while another gate is being made.
    const part = `${seccompFile}.${randomUUID()}`;
    await writeFile(part, seccompProfile, { mode: 0o644 });
    await rename(part, seccompFile);
    return seccompFile;
  };
  return {
    of,
    makeProfile,
    make: async (sandboxId) => {
      const place = of(sandboxId);
      await mkdir(parent, { recursive: true, mode: 0o700 });
      await mkdir(place.socketFolder, { recursive: true, mode: 0o755 });
      await Promise.all([makeResolvConf(place), makeHosts(place, sandboxId), makeProfile()]);
      return place;
    },
    remove: (sandboxId) => rm(home(sandboxId), { recursive: true, force: true }),
  };
};
