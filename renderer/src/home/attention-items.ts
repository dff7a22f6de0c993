// What a person should look at: broken before outdated, the newest first. Pure.
import type { Build, EnvironmentView, RuntimeProbe, SecretList, Session } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../ui/format.ts';
import type { Tone } from '../ui/Status.tsx';
import { sessionTrouble } from '../ui/session-trouble.ts';

export interface AttentionItem {
  key: string;
  tone: Tone;
  /** What it is about. */
  title: string;
  /** What is wrong with it. */
  text: string;
  href: string;
}

interface Known {
  environments: readonly EnvironmentView[];
  sessions: readonly Session[];
  runtimes: readonly RuntimeProbe[];
  secrets: SecretList | null;
  /** The newest build of each environment, as far as they are known. */
  newestBuilds: ReadonlyMap<string, Build>;
}

const ofRuntimes = (runtimes: readonly RuntimeProbe[]): AttentionItem[] => {
  if (runtimes.some(({ status }) => status === 'connected')) return [];
  const [first] = runtimes;
  const text = first?.message ?? 'Neither Docker nor Podman was found.';
  return [
    { key: 'runtime', tone: 'bad', title: 'No runtime', text: `${text} See what was looked for, and what mends it.`, href: '/runtimes' },
  ];
};

/** A build that failed is worse where there is no pinned image to start from: sessions get the default base then. */
const ofBuild = ({ id, name, image }: EnvironmentView, newest: Build | undefined): AttentionItem[] => {
  if (newest?.status !== 'failed') return [];
  const text = newest.failed_step === null ? 'The last build failed.' : `The last build failed at “${newest.failed_step}”.`;
  return [{ key: id, title: name, tone: image.state === 'active' ? 'warn' : 'bad', text, href: `/environments/${id}/builds` }];
};

const ofEnvironment = (environment: EnvironmentView, newest: Build | undefined): AttentionItem[] => {
  const { id, name, image, setup_verification } = environment;
  const { label, message, can_start_sessions: canStart } = setup_verification;
  const here = { key: id, title: name };
  if (image.state === 'missing') return [{ ...here, tone: 'bad', text: image.message, href: `/environments/${id}/builds` }];
  if (label === 'Failed' || label === 'Image failed') return [{ ...here, tone: 'bad', text: message, href: `/environments/${id}/setup` }];
  const failedBuild = ofBuild(environment, newest);
  if (failedBuild.length > 0) return failedBuild;
  if (label === 'Stale') return [{ ...here, tone: 'warn', text: message, href: `/environments/${id}/setup` }];
  if (!canStart) return [{ ...here, tone: 'warn', text: message, href: `/environments/${id}/setup` }];
  if (image.state === 'stale') return [{ ...here, tone: 'warn', text: image.message, href: `/environments/${id}/builds` }];
  return [];
};

/** What went wrong; its page has what to do about it. A failed launch is news until another one of its environment came after it. */
const ofSession = (session: Session, _index: number, all: readonly Session[]): AttentionItem[] => {
  const { id, name, status, environment_id, created_at } = session;
  const isOver = status === 'failed' && all.some((one) => one.environment_id === environment_id && one.created_at > created_at);
  if ((status !== 'running' && status !== 'failed') || session.deleted_at || isOver) return [];
  const text = sessionTrouble(session) ?? (status === 'failed' ? 'Its launch failed.' : null);
  if (text === null) return [];
  return [
    { key: id, tone: status === 'failed' ? 'bad' : 'warn', title: name, text: text.split('\n', 1)[0] ?? '', href: `/sessions/${id}` },
  ];
};

/** Of many, only how many they are: their names would be longer than the page. */
const namesOf = (environments: SecretList['missing'][number]['environments']): string =>
  environments.length > 2 ? counted(environments.length, 'environment') : environments.map(({ name }) => `“${name}”`).join(' and ');

const ofSecrets = (secrets: SecretList | null): AttentionItem[] =>
  (secrets?.missing ?? []).map(({ name, environments }) => ({
    key: `secret ${name}`,
    tone: 'bad',
    title: name,
    text: `This secret is not set, so ${namesOf(environments)} cannot start sessions.`,
    href: '/secrets',
  }));

/** All that is known to this window; archived environments are left alone. */
export const attentionOf = ({ environments, sessions, runtimes, secrets, newestBuilds }: Known): AttentionItem[] => {
  const listed = environments.filter(({ archived_at }) => archived_at === null);
  const ofListed = listed.flatMap((environment) => ofEnvironment(environment, newestBuilds.get(environment.id)));
  const all = [...ofRuntimes(runtimes), ...ofSecrets(secrets), ...ofListed, ...sessions.flatMap(ofSession)];
  return [...all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone !== 'bad')];
};
