// What the registry keeps, as types: one store per noun. `openRegistry` in open-registry.ts makes it from one SQLite file.
// A store saves and finds; it decides nothing. Whole nouns go in and come out; none is half saved.
import type {
  Agent,
  AuditEntry,
  BootTest,
  Build,
  EgressGrant,
  EgressOutcome,
  EgressTally,
  Environment,
  Exec,
  KeptAttempt,
  Pin,
  RegistryState,
  ResolvedPreset,
  SecretUse,
  Session,
  SetupRun,
  Template,
  Terminal,
} from '../contract/model.ts';
import type { AuditQuery } from './audit-subject.ts';
import type { HistoryStore } from './history.ts';

export interface EnvironmentPage {
  environments: Environment[];
  nextCursor: string | null;
  total: number;
}

export interface EnvironmentQuery {
  limit: number;
  cursor?: string;
  includeArchived: boolean;
  search?: string;
  metadata?: Record<string, string>;
}

export interface EnvironmentStore {
  /** Makes the slug from the name, unique (`name`, `name-2`, …). With `once`, the same key answers what it answered first, in one step with
   *  the saving. @throws already_exists when the id is there @throws idempotency_mismatch @throws not_found when the first is deleted */
  insert: (environment: Environment, once?: { scope: string; key: string; bodyDigest: string }) => Promise<Environment>;
  /** null when unknown or deleted. */
  find: (id: string) => Promise<Environment | null>;
  /** Saves the whole noun if the stored revision is `expectedRevision`. @throws revision_conflict @throws not_found */
  replace: (environment: Environment, expectedRevision: number) => Promise<Environment>;
  /** Newest first. @throws invalid_request for a cursor that was not ours. */
  list: (query: EnvironmentQuery) => Promise<EnvironmentPage>;
  /** For good; history in other stores stays. @throws not_found @throws environment_attached */
  remove: (id: string) => Promise<void>;
  /** A remembered answer for this key, or null. @throws idempotency_mismatch when the body differs. */
  findByIdempotencyKey: (scope: string, key: string, bodyDigest: string) => Promise<string | null>;
  /** Remembers that `key` answered `resourceId`; kept for 24 hours. @throws idempotency_mismatch */
  rememberIdempotencyKey: (scope: string, key: string, bodyDigest: string, resourceId: string) => Promise<void>;
}

export interface AgentQuery {
  limit: number;
  cursor?: string;
  search?: string;
  /** Only those that it is attached to. */
  environmentId?: string;
}

export interface AgentStore {
  /** With `once`, the same key answers what it answered first. @throws already_exists when the name is taken @throws not_found for an
   *  environment that is not there @throws idempotency_mismatch */
  insert: (agent: Agent, once?: { scope: string; key: string; bodyDigest: string }) => Promise<Agent>;
  /** null when unknown or deleted. */
  find: (id: string) => Promise<Agent | null>;
  /** @throws revision_conflict @throws not_found @throws already_exists */
  replace: (agent: Agent, expectedRevision: number) => Promise<Agent>;
  /** Newest first. @throws invalid_request for a cursor that was not ours. */
  list: (query: AgentQuery) => Promise<{ agents: Agent[]; nextCursor: string | null; total: number }>;
  /** For good. @throws not_found */
  remove: (id: string) => Promise<void>;
}

/** The person's own templates. */
export interface TemplateStore {
  /** Newest first. */
  list: () => Promise<Template[]>;
  find: (id: string) => Promise<Template | null>;
  /** @throws already_exists when the name is taken */
  insert: (template: Template, at: string) => Promise<void>;
  /** @throws not_found @throws already_exists */
  replace: (template: Template) => Promise<void>;
  /** @throws not_found */
  remove: (id: string) => Promise<void>;
}

export interface BuildStore {
  save: (build: Build) => Promise<void>;
  find: (id: string) => Promise<Build | null>;
  listByEnvironment: (environmentId: string, limit: number) => Promise<Build[]>;
  /** The newest succeeded build with this fingerprint on this runtime, whichever environment it belongs to. */
  findSucceeded: (fingerprint: string, runtime: string) => Promise<Build | null>;
  listUnfinished: () => Promise<Build[]>;
  listRecent: (limit: number) => Promise<Build[]>;
  saveBootTest: (id: string, bootTest: BootTest) => Promise<void>;
}

export interface ImageOfEnvironment {
  environmentId: string;
  imageId: string;
}

export interface PinStore {
  append: (pin: Pin) => Promise<void>;
  /** The Active Image's line of the ledger, or null when nothing is pinned. Lines `rejected` change nothing. */
  current: (environmentId: string) => Promise<Pin | null>;
  list: (environmentId: string) => Promise<Pin[]>;
  /** Image ids that some environment has pinned now: these are never pruned. */
  pinnedImageIds: () => Promise<string[]>;
  /** The same with the environments. */
  pinnedImages: () => Promise<ImageOfEnvironment[]>;
  /** Environments that have a pin now. */
  pinnedEnvironmentIds: () => Promise<string[]>;
}

export interface VerdictRuns {
  /** The newest that succeeded or failed by itself. */
  newestFinished: SetupRun | null;
  inFlight: SetupRun | null;
  /** The newest that ended, when it ended with its host: it proves nothing. */
  interrupted: SetupRun | null;
}

export interface SetupRunStore {
  save: (run: SetupRun) => Promise<void>;
  find: (id: string) => Promise<SetupRun | null>;
  listByEnvironment: (environmentId: string, limit: number) => Promise<SetupRun[]>;
  listUnfinished: () => Promise<SetupRun[]>;
  /** What the verdict needs of the manual and refresh runs. */
  verdictRuns: (environmentId: string) => Promise<VerdictRuns>;
  preparedImageIds: () => Promise<string[]>;
  /** The same with the environments. */
  preparedImages: () => Promise<ImageOfEnvironment[]>;
}

export interface SessionStore {
  save: (session: Session) => Promise<void>;
  find: (id: string) => Promise<Session | null>;
  list: (environmentId?: string) => Promise<Session[]>;
  /** Of all sessions, those that begin so. */
  namesLike: (beginning: string) => Promise<string[]>;
  saveTerminal: (terminal: Terminal) => Promise<void>;
  findTerminal: (id: string) => Promise<Terminal | null>;
  listTerminals: (sessionId: string) => Promise<Terminal[]>;
  listRunningTerminals: () => Promise<Terminal[]>;
  saveExec: (exec: Exec) => Promise<void>;
  listExecs: (sessionId: string) => Promise<Exec[]>;
  findExec: (id: string) => Promise<Exec | null>;
  remove: (id: string) => Promise<void>;
}

/** The ledger of secrets: names and places, no values. */
export interface SecretUseStore {
  /** One line for each secret that a session is given now, at one moment. */
  note: (uses: readonly Omit<SecretUse, 'first_at' | 'last_at' | 'times'>[], at: string) => Promise<void>;
  /** Newest first. */
  list: (query: { name?: string; sessionId?: string; limit: number }) => Promise<SecretUse[]>;
  /** By name of a stored secret. */
  lastUses: () => Promise<Map<string, string>>;
  /** Which environments name which secrets, by name of the environment. */
  namedBy: () => Promise<{ secret: string; id: string; name: string }[]>;
}

/** Which attempts are meant; nothing means all. */
export interface EgressFilter {
  environmentId?: string | undefined;
  sandboxId?: string | undefined;
  verdict?: EgressOutcome | undefined;
  /** A part of `host:port`. */
  text?: string | undefined;
}

/** What sandboxes tried to reach. */
export interface EgressLogStore {
  /** All in one transaction; one with a known id is the same one, later. Beyond the cap the oldest are counted by destination only. */
  save: (attempts: readonly KeptAttempt[]) => Promise<void>;
  /** Newest first. @throws invalid_request for a place that no page gave out */
  list: (
    query: EgressFilter & { after?: string | undefined; limit: number },
  ) => Promise<{ attempts: KeptAttempt[]; nextAfter: string | null }>;
  /** All that were ever made, those no longer kept one by one too (but not of a single sandbox). */
  tallies: (filter: EgressFilter) => Promise<EgressTally[]>;
  /** How many are no longer kept one by one. */
  olderCount: (filter: EgressFilter) => Promise<number>;
  /** Everything about an environment that is deleted. */
  forget: (environmentId: string) => Promise<void>;
}

export interface EgressGrantStore {
  save: (grant: EgressGrant) => Promise<void>;
  find: (id: string) => Promise<EgressGrant | null>;
  /** Newest first, at most 1,000. */
  list: (of: { environmentId?: string | undefined; sessionId?: string | undefined }) => Promise<EgressGrant[]>;
}

/** What was done here. */
export interface AuditStore {
  add: (entry: Omit<AuditEntry, 'seq' | 'about'>) => Promise<AuditEntry>;
  /** Newest first. */
  list: (query: AuditQuery) => Promise<AuditEntry[]>;
}

/** Presets as they were resolved for each environment. */
export interface PresetStore {
  list: (environmentId: string) => Promise<KeptPreset[]>;
  /** Each takes the place of the one of the same id. */
  put: (environmentId: string, presets: readonly KeptPreset[]) => Promise<void>;
  /** Forgets all presets of an environment but these. */
  keepOnly: (environmentId: string, ids: readonly string[]) => Promise<void>;
}

export interface KeptPreset {
  preset: ResolvedPreset;
  /** The image whose tools were asked; null for what is no tool's. */
  imageId: string | null;
}

export interface Registry {
  state: () => RegistryState;
  environments: EnvironmentStore;
  agents: AgentStore;
  templates: TemplateStore;
  builds: BuildStore;
  pins: PinStore;
  setupRuns: SetupRunStore;
  sessions: SessionStore;
  history: HistoryStore;
  secretUses: SecretUseStore;
  egressLog: EgressLogStore;
  egressGrants: EgressGrantStore;
  presets: PresetStore;
  audit: AuditStore;
  /** Small settings of the host itself: `home_id`, … */
  setting: (key: string) => Promise<string | null>;
  saveSetting: (key: string, value: string) => Promise<void>;
  /** Ids of all streams that something in here points at. */
  streamIds: () => Promise<Set<string>>;
  /** Puts a backup in place of the present file, which is kept aside. */
  restore: (backupPath: string) => Promise<RegistryState>;
  close: () => Promise<void>;
}
