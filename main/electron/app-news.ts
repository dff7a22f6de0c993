// Follows what the tray and notifications speak of: sessions and environments, from a list and the events after it.
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import type { EnvironmentView, Session } from '../../sandbox-engine/contract/model.ts';
import type { Host } from '../host/host.ts';
import type { TrayNews } from './tray-items.ts';

export interface AppNews {
  now: () => TrayNews;
  /** The name of an environment, or what it is called in a sentence while it is not known. */
  nameOf: (environmentId: string) => string;
  close: () => void;
}

const keep = <T extends { id: string }>(known: Map<string, T>, listed: readonly T[] | undefined): void => {
  // What an event said meanwhile is newer than the list.
  for (const noun of listed ?? []) if (!known.has(noun.id)) known.set(noun.id, noun);
};

/** Takes one event; false where it is about something else. */
const take = (sessions: Map<string, Session>, environments: Map<string, EnvironmentView>, event: AppEvent): boolean => {
  if (event.name === 'session.changed') sessions.set(event.payload.id, event.payload);
  else if (event.name === 'session.removed') sessions.delete(event.payload.id);
  else if (event.name === 'environment.changed') environments.set(event.payload.id, event.payload);
  else if (event.name === 'environment.removed') environments.delete(event.payload.id);
  else return false;
  return true;
};

/** Begins to follow; `onChange` is called with the first list and after each change. */
export const followNews = (host: Pick<Host, 'dispatch' | 'events'>, onChange: () => void): AppNews => {
  const sessions = new Map<string, Session>();
  const environments = new Map<string, EnvironmentView>();
  const close = host.events.subscribe((event) => {
    if (take(sessions, environments, event)) onChange();
  });
  const list = async (): Promise<void> => {
    const [listed, known] = (await Promise.all([host.dispatch('sessions.list', {}), host.dispatch('environments.list', {})])) as [
      Reply<{ sessions: Session[] }>,
      Reply<{ environments: EnvironmentView[] }>,
    ];
    keep(sessions, listed.ok ? listed.value.sessions : []);
    keep(environments, known.ok ? known.value.environments : []);
    onChange();
  };
  void list();
  return {
    now: () => ({ sessions: [...sessions.values()], environments: [...environments.values()] }),
    nameOf: (id) => environments.get(id)?.name ?? 'an environment',
    close,
  };
};
