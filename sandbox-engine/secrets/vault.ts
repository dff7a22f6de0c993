// The secrets of one data folder: kept in memory while the host lives, sealed in one file, never in the registry.
// Gives values to the engine only; which of them go where is decided there.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import { checkSecretName, checkSecretValue } from './check-secret.ts';
import { emptyVault, hasVault, readVault, type SecretEntry, type VaultContents, writeVault } from './vault-file.ts';
import { damaged, type KeyProtection, type KeyProtector, makeVaultKey, markKeyUsed, readVaultKey, type VaultKey } from './vault-key.ts';
import { removeHalves } from './write-atomically.ts';

export interface Vault {
  /** All that is kept; empty where nothing was ever set. @throws secrets_damaged @throws secrets_locked */
  read: () => Promise<VaultContents>;
  /** How the key is kept; null before the first use. @throws secrets_damaged @throws secrets_locked */
  protection: () => Promise<KeyProtection | null>;
  /** @throws invalid_request @throws too_large @throws secrets_damaged @throws disk_full */
  set: (name: string, value: string) => Promise<SecretEntry>;
  /** @throws not_found */
  remove: (name: string) => Promise<void>;
  /** Keeps values for one session, until `forget`. */
  giveToSession: (sessionId: string, values: Readonly<Record<string, string>>) => Promise<void>;
  /** Forgets what no sandbox can hold any more; writes only when that is something. */
  forget: (still: StillNeeded) => Promise<void>;
  /** Puts a vault that cannot be read aside and begins an empty one; answers where it is kept. @throws invalid_request when it can be read */
  reset: () => Promise<string>;
}

export interface StillNeeded {
  isSessionAlive: (sessionId: string) => boolean;
  /** Some sandbox that lives may have been given this secret. */
  isHeld: (name: string) => boolean;
}

export interface VaultOptions {
  folder: string;
  clock: Clock;
  /** Without one the key stands in a file for its owner only. */
  protector?: KeyProtector;
}

const mostSecrets = 500;
const mostRetired = 500;

interface Opened {
  key: VaultKey | null;
  contents: VaultContents;
}

const pathsIn = (folder: string) => ({ vault: join(folder, 'secrets.vault'), key: join(folder, 'secrets.key') });

type Paths = ReturnType<typeof pathsIn>;

const open = async (paths: Paths, protector: KeyProtector | undefined): Promise<Opened> => {
  await Promise.all([removeHalves(paths.vault), removeHalves(paths.key)]);
  const key = await readVaultKey(paths.key, protector);
  if (key === null) {
    if (await hasVault(paths.vault)) throw damaged(paths.key, 'is missing');
    return { key, contents: emptyVault };
  }
  const contents = await readVault(paths.vault, key);
  if (contents === null && key.isUsed) throw damaged(paths.vault, 'is missing');
  return { key, contents: contents ?? emptyVault };
};

const retire = (contents: VaultContents, name: string, at: string): VaultContents['retired'] => {
  const old = contents.secrets.find((entry) => entry.name === name);
  if (old === undefined) return contents.retired;
  return [...contents.retired, { name, value: old.value, retired_at: at }].slice(-mostRetired);
};

/** The contents with a new value. Pure. @throws too_large when there are too many */
const withValue = (contents: VaultContents, name: string, value: string, at: string): VaultContents => {
  const old = contents.secrets.find((entry) => entry.name === name);
  if (old === undefined && contents.secrets.length >= mostSecrets) {
    throw new SandlotError('too_large', `There are ${mostSecrets} secrets already, which is the most.`, {
      nextAction: 'Delete those that nothing uses.',
    });
  }
  const entry: SecretEntry = { name, value, version: (old?.version ?? 0) + 1, created_at: old?.created_at ?? at, updated_at: at };
  const others = contents.secrets.filter((one) => one.name !== name);
  const secrets = [...others, entry].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...contents, secrets, retired: old === undefined || old.value === value ? contents.retired : retire(contents, name, at) };
};

/** @throws not_found */
const without = (contents: VaultContents, name: string, at: string): VaultContents => {
  if (!contents.secrets.some((entry) => entry.name === name)) {
    throw new SandlotError('not_found', `There is no secret "${name.slice(0, 60)}".`, { nextAction: 'See: sandlot secret list' });
  }
  const secrets = contents.secrets.filter((entry) => entry.name !== name);
  return { ...contents, secrets, retired: retire(contents, name, at) };
};

/** Beside the others and under another name: nothing is thrown away. */
const keepAside = async (paths: Paths, iso: string): Promise<string> => {
  const aside = (path: string) => `${path}.damaged-${iso.replace(/[:.]/g, '-')}`;
  for (const path of Object.values(paths)) {
    await rename(path, aside(path)).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOENT') throw thrown;
    });
  }
  return aside(paths.vault);
};

/** Holds what the file says, and changes both one after the other. */
const createStore = (paths: Paths, protector: KeyProtector | undefined) => {
  let opening: Promise<Opened> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const opened = (): Promise<Opened> => {
    // A failure is not remembered: the file may have been put back meanwhile.
    opening ??= open(paths, protector).catch((thrown: unknown) => {
      opening = null;
      throw thrown;
    });
    return opening;
  };

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };

  /** Memory changes only after the disk has. */
  const change = (decide: (now: VaultContents) => VaultContents): Promise<VaultContents> =>
    inTurn(async () => {
      const now = await opened();
      const contents = decide(now.contents);
      if (contents === now.contents) return contents;
      const key = now.key ?? (await makeVaultKey(paths.key, protector));
      opening = Promise.resolve({ key, contents: now.contents });
      await writeVault(paths.vault, key, contents);
      opening = Promise.resolve({ key, contents });
      // The value is safe; should this fail, the next change does it.
      if (!key.isUsed) opening = Promise.resolve({ key: await markKeyUsed(paths.key, key).catch(() => key), contents });
      return contents;
    });

  return { opened, change, inTurn };
};

type Store = ReturnType<typeof createStore>;

const isDamaged = async ({ opened }: Store): Promise<boolean> => {
  try {
    await opened();
    return false;
  } catch (thrown) {
    return thrown instanceof SandlotError && thrown.code === 'secrets_damaged';
  }
};

const reset = async (store: Store, paths: Paths, iso: string): Promise<string> => {
  if (await isDamaged(store)) return await keepAside(paths, iso);
  throw new SandlotError('invalid_request', 'The secrets are not damaged, so they are not put aside.', {
    nextAction: 'Delete single ones with: sandlot secret rm NAME',
  });
};

/** The contents without what no sandbox can hold any more; the same object when that is nothing. Pure. */
const forgetUnneeded = (now: VaultContents, { isSessionAlive, isHeld }: StillNeeded): VaultContents => {
  const of_sessions = now.of_sessions.filter((one) => isSessionAlive(one.session_id));
  const retired = now.retired.filter(({ name }) => isHeld(name));
  const isSame = of_sessions.length === now.of_sessions.length && retired.length === now.retired.length;
  return isSame ? now : { ...now, of_sessions, retired };
};

/** Makes the vault of a data folder; nothing is read or written before it is used. */
export const createVault = ({ folder, clock, protector }: VaultOptions): Vault => {
  const paths = pathsIn(folder);
  const store = createStore(paths, protector);
  const { opened, change } = store;

  return {
    read: async () => (await opened()).contents,
    protection: async () => (await opened()).key?.protection ?? null,
    set: async (name, value) => {
      checkSecretName(name);
      checkSecretValue(name, value);
      const { secrets } = await change((now) => withValue(now, name, value, clock.iso()));
      return secrets.find((entry) => entry.name === name) as SecretEntry;
    },
    remove: async (name) => {
      await change((now) => without(now, name, clock.iso()));
    },
    giveToSession: async (sessionId, values) => {
      const given = Object.entries(values).map(([name, value]) => ({ session_id: sessionId, name, value }));
      for (const { name, value } of given) {
        checkSecretName(name);
        checkSecretValue(name, value);
      }
      if (given.length > 0) await change((now) => ({ ...now, of_sessions: [...now.of_sessions, ...given] }));
    },
    forget: async (still) => {
      await change((now) => forgetUnneeded(now, still));
    },
    reset: () => store.inTurn(() => reset(store, paths, clock.iso())),
  };
};
