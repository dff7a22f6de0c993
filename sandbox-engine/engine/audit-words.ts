// What each call that changes something says of itself in the activity log. A call that is not here is not written down.
import { counted } from '../base/counted.ts';
import { fieldWord } from '../base/field-words.ts';
import type { CallArguments, CallName, CallOutput } from '../contract/calls.ts';

/** Names as they were before the call: what it deletes has one too. */
export interface NamesBefore {
  environment: string;
  session: string;
  agent: string;
}

type Words<N extends CallName> = (input: CallArguments<N>, output: CallOutput<N>, names: NamesBefore) => string | null;

const quoted = (name: string): string => `"${name}"`;

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const changedKeys = (patch: object): string => {
  const keys = Object.keys(patch)
    .filter((key) => !['expected_access', 'expected_revision', 'revision'].includes(key))
    .map(fieldWord);
  return keys.length === 0 ? 'nothing' : listed(keys.sort());
};

/** Where something was allowed. */
const placeOf = ({ environment, session }: Pick<NamesBefore, 'environment' | 'session'>): string =>
  session === '' ? `in environment ${quoted(environment)}` : `in session ${quoted(session)}`;

const allowed = ({ destination, for: term }: CallArguments<'egress.grant'>, { environment, session }: NamesBefore): string => {
  const [ofSession, ofEnvironment] = [`session ${quoted(session)}`, `environment ${quoted(environment)}`];
  if (term === 'always') return `Allowed ${destination} for good in ${ofEnvironment}${session === '' ? '' : `, from ${ofSession}`}`;
  const where = placeOf({ environment, session });
  return term === '15m' ? `Allowed ${destination} ${where} for 15 minutes` : `Allowed ${destination} ${where}, as long as it lives`;
};

/** The table. null: nothing happened that is worth a line. */
export const auditWords: { [N in CallName]?: Words<N> } = {
  'environments.create': (_input, { name }) => `Created environment ${quoted(name)}`,
  'environments.create_from_file': ({ file_name }, { name }) => `Created environment ${quoted(name)} from ${file_name ?? 'a file'}`,
  'environments.duplicate': (_input, { name }, { environment }) => `Duplicated environment ${quoted(environment)} as ${quoted(name)}`,
  'environments.update': ({ patch }, { name }) => `Changed ${changedKeys(patch)} of environment ${quoted(name)}`,
  'environments.update_from_file': ({ file_name }, { name }) => `Changed environment ${quoted(name)} from ${file_name ?? 'a file'}`,
  'environments.archive': (_input, { name }) => `Archived environment ${quoted(name)}`,
  'environments.unarchive': (_input, { name }) => `Brought environment ${quoted(name)} back from the archive`,
  'environments.delete': (_input, _output, { environment }) => `Deleted environment ${quoted(environment)}`,
  'environments.agree_folders': ({ folders }, _output, { environment }) =>
    folders.length === 0
      ? `Took back the folders of this machine from environment ${quoted(environment)}`
      : `Gave environment ${quoted(environment)} ${counted(folders.length, 'folder')} of this machine: ${listed(folders.map(({ path }) => path))}`,
  'builds.start': (_input, _output, { environment }) => `Started a build of environment ${quoted(environment)}`,
  'builds.cancel': (_input, _output, { environment }) => `Cancelled the build of environment ${quoted(environment)}`,
  'setup_runs.create': ({ observe }, _output, { environment }) =>
    `Started ${observe === true ? 'an observed' : 'a'} setup run of environment ${quoted(environment)}`,
  'setup_runs.cancel': (_input, _output, { environment }) => `Cancelled a setup run of environment ${quoted(environment)}`,
  'setup_runs.parity': (_input, _output, { environment }) => `Compared the runtimes with the setup of environment ${quoted(environment)}`,
  'sessions.launch': ({ observe }, { name }, { environment }) =>
    `Launched ${observe === true ? 'observed ' : ''}session ${quoted(name)} of environment ${quoted(environment)}`,
  'sessions.stop': (_input, { name }) => `Stopped session ${quoted(name)}`,
  'sessions.resume': (_input, { name }) => `Resumed session ${quoted(name)}`,
  'sessions.restart': (_input, { name }) => `Restarted session ${quoted(name)}`,
  'sessions.end_observation': (_input, { name }) => `Ended the observation of session ${quoted(name)}: its rules decide again`,
  'sessions.replace': (_input, { name, environment_name }) =>
    `Replaced the sandbox of session ${quoted(name)} by one of environment ${quoted(environment_name)}`,
  'sessions.apply': (_input, { name }) => `Gave session ${quoted(name)} what its environment says now`,
  'sessions.undelete': (_input, { name }) => `Took back the deletion of session ${quoted(name)}`,
  'sessions.delete': (_input, _output, { session }) => `Deleted session ${quoted(session)}`,
  'sessions.commit': ({ message }, _output, { session }) =>
    `Committed in session ${quoted(session)}: ${(message.split('\n')[0] ?? '').slice(0, 200)}`,
  'ports.forward': ({ port }, _output, { session }) => `Forwarded port ${port} of session ${quoted(session)} to this machine`,
  'egress.grant': (input, _output, names) => (input.preview === true ? null : allowed(input, names)),
  'egress.revoke': (_input, { destination }, names) => `Took back the grant of ${destination} ${placeOf(names)}`,
  'secrets.set': ({ name }, { version }) => (version === 1 ? `Set secret ${name}` : `Replaced the value of secret ${name}`),
  'secrets.delete': ({ name }) => `Deleted secret ${name}`,
  'secrets.reset': () => 'Put the damaged secrets aside and began without any',
  'agents.create': (_input, { name }) => `Created agent ${quoted(name)}`,
  'agents.update': (_input, { name }) => `Changed agent ${quoted(name)}`,
  'agents.attach': (_input, { name }, { environment }) => `Attached environment ${quoted(environment)} to agent ${quoted(name)}`,
  'agents.detach': (_input, { name }, { environment }) => `Detached environment ${quoted(environment)} from agent ${quoted(name)}`,
  'agents.set_default': (_input, { name }, { environment }) =>
    `Made environment ${quoted(environment)} the default of agent ${quoted(name)}`,
  'agents.delete': (_input, _output, { agent }) => `Deleted agent ${quoted(agent)}`,
  'images.remove': ({ image_id, runtime }) => `Removed image ${image_id.slice(7, 19)} from ${runtime}`,
  'app.prune': ({ dry_run }, { items }) =>
    dry_run || items.length === 0 ? null : `Removed ${counted(items.length, 'left-over')} from the runtimes`,
  'runtimes.set_default': ({ runtime }) => `Made ${runtime} the runtime of new environments`,
  'registry.restore': ({ path }) => `Restored the registry from ${path}`,
};
