// What a person should look at: broken before outdated, the newest first. Pure.
import type { EnvironmentView, RuntimeProbe, SecretList, Session } from '../../../sandbox-engine/contract/model.ts';
import type { Tone } from '../ui/Status.tsx';

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
}

const ofRuntimes = (runtimes: readonly RuntimeProbe[]): AttentionItem[] => {
  if (runtimes.some(({ status }) => status === 'connected')) return [];
  const [first] = runtimes;
  const text = first?.message ?? 'Neither Docker nor Podman was found.';
  return [
    { key: 'runtime', tone: 'bad', title: 'No runtime', text: `${text} See what was looked for, and what mends it.`, href: '/runtimes' },
  ];
};

const ofEnvironment = ({ id, name, image, setup_verification: { label, message } }: EnvironmentView): AttentionItem[] => {
  const here = { key: id, title: name };
  if (image.state === 'missing') return [{ ...here, tone: 'bad', text: image.message, href: `/environments/${id}/builds` }];
  if (label === 'Failed' || label === 'Image failed') return [{ ...here, tone: 'bad', text: message, href: `/environments/${id}/setup` }];
  if (label === 'Stale') return [{ ...here, tone: 'warn', text: message, href: `/environments/${id}/setup` }];
  if (image.state === 'stale') return [{ ...here, tone: 'warn', text: image.message, href: `/environments/${id}/builds` }];
  return [];
};

const ofSession = ({ id, name, status, message }: Session): AttentionItem[] =>
  status === 'running' && message !== null ? [{ key: id, tone: 'warn', title: name, text: message, href: `/sessions/${id}` }] : [];

const ofSecrets = (secrets: SecretList | null): AttentionItem[] =>
  (secrets?.missing ?? []).map(({ name, environments }) => ({
    key: `secret ${name}`,
    tone: 'bad',
    title: name,
    text: `This secret is not set, so ${environments.map((one) => one.name).join(', ')} cannot start sessions.`,
    href: '/secrets',
  }));

/** All that is known to this window; archived environments are left alone. */
export const attentionOf = ({ environments, sessions, runtimes, secrets }: Known): AttentionItem[] => {
  const listed = environments.filter(({ archived_at }) => archived_at === null);
  const all = [...ofRuntimes(runtimes), ...ofSecrets(secrets), ...listed.flatMap(ofEnvironment), ...sessions.flatMap(ofSession)];
  return [...all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone !== 'bad')];
};
