// Between the vault and those who need it: the mask before every stream, the variables of a session, the values to search images for.
// What is known to the mask is all that is or was a secret here and may still be in a sandbox.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { Environment, Session } from '../contract/model.ts';
import type { Registry } from '../registry/registry.ts';
import type { StillNeeded, Vault } from '../secrets/vault.ts';
import type { VaultContents } from '../secrets/vault-file.ts';
import type { SessionSecrets } from '../session/session-parts.ts';
import type { Redactor } from '../stream/redact.ts';

export interface SecretKeeper extends SessionSecrets {
  vault: Vault;
  redactor: Redactor;
  /** All values that must be nowhere but in the vault and in sandboxes. @throws secrets_damaged @throws secrets_locked */
  knownValues: () => Promise<{ name: string; value: string }[]>;
  /** The values are other ones now, or were given to somebody. */
  changed: () => Promise<void>;
  /** Called after each change. */
  onChange: (listener: () => void) => void;
  /** Names of all secrets that a session of this environment gets as variables and as files, sorted. @throws secret_missing
   *  @throws secrets_damaged @throws secrets_locked */
  namesFor: (environment: Environment, own: OwnSecrets) => Promise<SecretNames>;
  /** What was given to this session alone, in the forms in which it has it. @throws secrets_damaged @throws secrets_locked */
  ownOf: (session: Pick<Session, 'id' | 'secrets' | 'secret_files'>) => Promise<OwnSecrets>;
  /** Forgets values that no session can hold any more. */
  forgetUnneeded: () => Promise<void>;
  sessionRemoved: (id: string) => Promise<void>;
}

/** Values that are given for one session alone. */
export interface OwnSecrets {
  /** As the environment says: variables, unless it names them as files. */
  secrets: Readonly<Record<string, string>>;
  files: Readonly<Record<string, string>>;
}

interface SecretNames {
  names: string[];
  files: string[];
}

export interface SecretKeeperDeps {
  vault: Vault;
  redactor: Redactor;
  registry: Pick<Registry, 'secretUses' | 'sessions'>;
  clock: Clock;
  /** False after a registry was lost: then an unknown session may still live. */
  knowsAllSessions: () => boolean;
}

const valuesOf = ({ secrets, retired, of_sessions }: VaultContents): { name: string; value: string }[] =>
  [...secrets, ...retired, ...of_sessions].map(({ name, value }) => ({ name, value }));

interface Given {
  name: string;
  value: string;
  /** null: for this session alone. */
  version: number | null;
}

/** What a session is given of a name now: its own value before the stored one. Pure. */
const pick = ({ secrets, of_sessions }: VaultContents, sessionId: string, name: string): Given | null => {
  const own = of_sessions.findLast((one) => one.session_id === sessionId && one.name === name);
  if (own !== undefined) return { name, value: own.value, version: null };
  const stored = secrets.find((one) => one.name === name);
  return stored === undefined ? null : { name, value: stored.value, version: stored.version };
};

const missingSecrets = ({ name }: Environment, missing: string[]): SandlotError => {
  const [are, them] = missing.length === 1 ? ['a secret that is', 'it'] : ['secrets that are', 'each of them'];
  return new SandlotError('secret_missing', `"${name}" needs ${are} not set here: ${missing.join(', ')}.`, {
    details: { missing },
    nextAction: `Set ${them} on the Secrets page, or with: sandlot secret set ${missing[0]}`,
  });
};

/** What the session is given of these names now, written into the ledger, and which of them are not set any more. */
const give = async (
  { vault, registry, clock }: SecretKeeperDeps,
  session: Session,
  names: readonly string[],
): Promise<{ given: Given[]; missing: string[] }> => {
  const contents = await vault.read();
  const picked = names.map((name) => pick(contents, session.id, name));
  const given = picked.filter((one) => one !== null);
  const place = {
    ...{ session_id: session.id, session_name: session.name },
    ...{ environment_id: session.environment_id, environment_name: session.environment_name },
  };
  // Written before anything is given: the ledger may name a use that failed, but misses none.
  await registry.secretUses.note(
    given.map(({ name, version }) => ({ name, version, ...place })),
    clock.iso(),
  );
  return { given, missing: names.filter((_, index) => picked[index] === null) };
};

/** A launch says last in which form it gives its own; the environment says it of the others. Pure. */
const formsOf = ({ secrets, secret_files }: Environment, own: OwnSecrets): SecretNames => {
  const asFiles = new Set([...secret_files, ...Object.keys(own.files)]);
  const others = Object.keys(own.secrets).filter((name) => !asFiles.has(name));
  const names = new Set([...secrets.filter((name) => !Object.hasOwn(own.files, name)), ...others]);
  return { names: [...names].sort(), files: [...asFiles].sort() };
};

const namesFor = async (vault: Vault, environment: Environment, own: OwnSecrets): Promise<SecretNames> => {
  const forms = formsOf(environment, own);
  const wanted = [...new Set([...forms.names, ...forms.files])];
  if (wanted.length === 0) return forms;
  const stored = new Set((await vault.read()).secrets.map(({ name }) => name));
  const isOwn = (name: string): boolean => Object.hasOwn(own.secrets, name) || Object.hasOwn(own.files, name);
  const missing = wanted.filter((name) => !stored.has(name) && !isOwn(name)).sort();
  if (missing.length > 0) throw missingSecrets(environment, missing);
  return forms;
};

const ownOf: (vault: Vault, ...of: Parameters<SecretKeeper['ownOf']>) => Promise<OwnSecrets> = async (
  vault,
  { id, secrets, secret_files },
) => {
  // A session that has none goes on without the vault.
  if (secrets.length + secret_files.length === 0) return { secrets: {}, files: {} };
  const own = (await vault.read()).of_sessions.filter((one) => one.session_id === id);
  const isFile = (name: string): boolean => secret_files.includes(name) && !secrets.includes(name);
  const valuesThat = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(own.filter(({ name }) => isWanted(name)).map(({ name, value }) => [name, value]));
  return { secrets: valuesThat((name) => !isFile(name)), files: valuesThat(isFile) };
};

/** What of the vault some session may still hold; `begun` are those that may not be saved yet. Pure. */
const stillNeeded = (sessions: readonly Session[], begun: ReadonlySet<string>): StillNeeded => {
  const known = new Map(sessions.map((one) => [one.id, one.status !== 'ended' && one.status !== 'failed']));
  const held = new Set(
    sessions.filter(({ id }) => known.get(id) === true).flatMap(({ secrets, secret_files }) => [...secrets, ...secret_files]),
  );
  return { isSessionAlive: (id) => known.get(id) ?? begun.has(id), isHeld: (name) => held.has(name) };
};

/** Makes the keeper; `changed` reads the vault into the mask for the first time. */
export const createSecretKeeper = (deps: SecretKeeperDeps): SecretKeeper => {
  const { vault, redactor, registry } = deps;
  const listeners: (() => void)[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const knownValues = async () => valuesOf(await vault.read());
  const changed = async (): Promise<void> => {
    redactor.set(await knownValues());
    tell();
  };

  /** Sessions that were given values of their own, perhaps before they were saved. */
  const begun = new Set<string>();

  const forgetUnneeded = async (): Promise<void> => {
    const { retired, of_sessions } = await vault.read();
    if (retired.length + of_sessions.length === 0 || !deps.knowsAllSessions()) return;
    await vault.forget(stillNeeded(await registry.sessions.list(), begun));
    await changed();
  };

  return {
    ...{ vault, redactor, knownValues, changed, forgetUnneeded },
    redactText: redactor.redactText,
    ready: changed,
    onChange: (listener) => void listeners.push(listener),
    variablesOf: async (session) => {
      const { given, missing } = await give(deps, session, session.secrets);
      const contents = session.secret_files.length === 0 ? null : await vault.read();
      const gone = contents === null ? [] : session.secret_files.filter((name) => pick(contents, session.id, name) === null);
      tell();
      return { env: given.map(({ name, value }) => `${name}=${value}`), missing: [...missing, ...gone] };
    },
    filesOf: async (session) => {
      const { given } = await give(deps, session, session.secret_files);
      tell();
      return given.map(({ name, value }) => ({ name, value }));
    },
    keep: async (sessionId, values) => {
      if (Object.keys(values).length === 0) return;
      begun.add(sessionId);
      await vault.giveToSession(sessionId, values);
      await changed();
    },
    namesFor: (environment, own) => namesFor(vault, environment, own),
    ownOf: (session) => ownOf(vault, session),
    sessionRemoved: async (id) => {
      begun.delete(id);
      await forgetUnneeded();
    },
  };
};
