// The calls about secrets, and the list that is told whenever something in it changes. No value ever comes out of here.
import { SandlotError } from '../base/errors.ts';
import type { Secret, SecretList } from '../contract/model.ts';
import type { SecretEntry } from '../secrets/vault-file.ts';
import { shortestMasked, shortestSearched } from '../stream/secret-forms.ts';
import type { HandlersOf, House } from './house.ts';

const defaultLedgerLines = 100;

type Rooms = Pick<House, 'registry' | 'secrets' | 'bus' | 'sessions'>;

type NamedBy = Awaited<ReturnType<Rooms['registry']['secretUses']['namedBy']>>;

const usersOf = (named: NamedBy, secret: string): Secret['environments'] =>
  named.filter((one) => one.secret === secret).map(({ id, name }) => ({ id, name }));

const viewOf = ({ name, value, version, created_at, updated_at }: SecretEntry, named: NamedBy, lastUses: Map<string, string>): Secret => ({
  ...{ name, version, created_at, updated_at },
  last_used_at: lastUses.get(name) ?? null,
  environments: usersOf(named, name),
  is_masked: value.length >= shortestMasked,
  is_searched: value.trim().length >= shortestSearched,
});

const listSecrets = async ({ registry, secrets }: Rooms): Promise<SecretList> => {
  const [{ secrets: entries }, key, named, lastUses] = await Promise.all([
    secrets.vault.read(),
    secrets.vault.protection(),
    registry.secretUses.namedBy(),
    registry.secretUses.lastUses(),
  ]);
  const stored = new Set(entries.map(({ name }) => name));
  const missing = [...new Set(named.map(({ secret }) => secret))].filter((name) => !stored.has(name)).sort();
  return {
    secrets: entries.map((entry) => viewOf(entry, named, lastUses)),
    missing: missing.map((name) => ({ name, environments: usersOf(named, name) })),
    key,
  };
};

/** Tells the list after each change of it, once for all changes of one turn. */
const followChanges = (rooms: Rooms): void => {
  const { bus, secrets } = rooms;
  const named = new Map<string, string>();
  let isAsked = false;
  const tellNow = async (): Promise<void> => {
    isAsked = false;
    bus.emit('secrets.changed', await listSecrets(rooms));
  };
  const tell = (): void => {
    if (isAsked) return;
    isAsked = true;
    // A vault that cannot be read is told of to whoever asks for it.
    setImmediate(() => void tellNow().catch(() => undefined));
  };
  secrets.onChange(tell);
  bus.subscribe((event) => {
    if (event.name === 'environment.removed') return tell();
    if (event.name !== 'environment.changed') return;
    const { id, name, secrets: names, secret_files: files } = event.payload;
    const now = names.length + files.length === 0 ? '' : JSON.stringify([name, names, files]);
    if (named.get(id) === now) return;
    named.set(id, now);
    tell();
  });
};

/** Makes the handlers of `secrets.*`. */
export const createSecretCalls = (rooms: Rooms): HandlersOf<'secrets'> => {
  const { registry, secrets } = rooms;
  followChanges(rooms);
  // A sandbox that does not answer must not hold up who sets a secret.
  const renewFiles = (name: string): void => void rooms.sessions.secretChanged(name).catch(() => undefined);
  return {
    'secrets.list': () => listSecrets(rooms),
    'secrets.set': async ({ name, value }) => {
      await secrets.vault.set(name, value);
      await secrets.changed();
      renewFiles(name);
      const secret = (await listSecrets(rooms)).secrets.find((one) => one.name === name);
      if (secret === undefined) throw new SandlotError('not_found', `The secret ${name} was deleted at the same moment.`);
      return secret;
    },
    'secrets.delete': async ({ name }) => {
      await secrets.vault.remove(name);
      await secrets.forgetUnneeded();
      await secrets.changed();
      renewFiles(name);
      return { ok: true };
    },
    'secrets.ledger': async ({ name, session_id, limit }) => ({
      uses: await registry.secretUses.list({
        limit: limit ?? defaultLedgerLines,
        ...(name === undefined ? {} : { name }),
        ...(session_id === undefined ? {} : { sessionId: session_id }),
      }),
    }),
    'secrets.reset': async () => {
      const kept_aside = await secrets.vault.reset();
      await secrets.changed();
      return { kept_aside };
    },
  };
};
