// What a line of the activity log is about, by what did it: the noun before the dot of its action. Pure.
import type { AuditSubject } from '../contract/model.ts';

/** Which lines are asked for; what is not given narrows nothing. */
export interface AuditQuery {
  /** Only those older than this one. */
  before?: number | undefined;
  environmentId?: string | undefined;
  sessionId?: string | undefined;
  about?: AuditSubject | undefined;
  search?: string | undefined;
  limit: number;
}

const nouns: Record<AuditSubject, readonly string[]> = {
  environments: ['environments'],
  builds: ['builds', 'build', 'pins'],
  setup: ['setup_runs', 'setup_run'],
  sessions: ['sessions', 'session', 'ports'],
  network: ['egress'],
  secrets: ['secrets'],
  agents: ['agents'],
  images: ['images', 'app'],
  settings: ['runtimes', 'registry'],
};

/** The nouns that belong to it. */
export const nounsOf = (subject: AuditSubject): readonly string[] => nouns[subject];

/** The subject of an action; one that an older or newer Sandlot wrote and this one does not know is about settings. */
export const subjectOf = (action: string): AuditSubject => {
  const noun = action.split('.')[0] ?? '';
  const found = Object.entries(nouns).find(([, own]) => own.includes(noun));
  return (found?.[0] as AuditSubject | undefined) ?? 'settings';
};
