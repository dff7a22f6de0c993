// What the window knows: the host's nouns by id, the state of the link, and the edits that are not saved yet.
import type { CallOutput, EnvironmentPatch } from '../../../sandbox-engine/contract/calls.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type {
  AgentView,
  AuditEntry,
  Build,
  CatalogBase,
  EnvironmentView,
  Pin,
  RegistryState,
  RuntimeProbe,
  SecretList,
  Session,
  SetupRun,
  Terminal,
} from '../../../sandbox-engine/contract/model.ts';
import type { LinkStatus } from '../host/client.ts';

/** Edits of one environment that are not saved; `revision` is the one they were begun on. */
export interface Draft {
  revision: number;
  patch: EnvironmentPatch;
}

export interface State {
  link: LinkStatus;
  /** Number of the newest event that is in here; null until the first snapshot. */
  seq: number | null;
  /** Events that came before their snapshot. */
  early: AppEvent[];
  version: string;
  commandLine: string;
  dataFolder: string;
  registry: RegistryState | null;
  runtimes: RuntimeProbe[];
  bases: CatalogBase[];
  environments: Record<string, EnvironmentView>;
  environmentsTotal: number;
  /** When the youngest of them was made; empty while there is none. */
  youngestEnvironment: string;
  builds: Record<string, Build>;
  pins: Record<string, Pin>;
  setupRuns: Record<string, SetupRun>;
  sessions: Record<string, Session>;
  terminals: Record<string, Terminal>;
  agents: Record<string, AgentView>;
  /** null until a page has asked for them. */
  secrets: SecretList | null;
  drafts: Record<string, Draft>;
  /** What was done since this window looks, newest first; the host keeps the rest. */
  audit: AuditEntry[];
}

export type Snapshot = CallOutput<'app.snapshot'>;

/** Before anything was heard from the host. */
export const emptyState: State = {
  link: 'connecting',
  seq: null,
  early: [],
  version: '',
  commandLine: 'sandlot',
  dataFolder: '',
  registry: null,
  runtimes: [],
  bases: [],
  environments: {},
  environmentsTotal: 0,
  youngestEnvironment: '',
  builds: {},
  pins: {},
  setupRuns: {},
  sessions: {},
  terminals: {},
  agents: {},
  secrets: null,
  drafts: {},
  audit: [],
};
