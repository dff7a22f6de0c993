// The tables, as forward steps: step n brings a registry from schema n to n + 1. A step that was released is never edited.
// Whole nouns are JSON in `body`; beside it stand only the columns that something is looked up by.
import type { Database } from './database.ts';

/** `SBLT`, in the file's header: tells our registry from any other SQLite file. */
export const applicationId = 0x53_42_4c_54;

const migrations: readonly string[] = [
  `
  CREATE TABLE environments (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, slug_base TEXT NOT NULL, slug_number INTEGER NOT NULL,
    created_ms INTEGER NOT NULL, archived INTEGER NOT NULL, revision INTEGER NOT NULL, name_folded TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX environments_newest ON environments (created_ms DESC, id DESC, archived, name_folded);
  CREATE INDEX environments_slug ON environments (slug_base, slug_number);
  CREATE TABLE environment_metadata (
    environment_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (environment_id, key)
  ) WITHOUT ROWID;
  CREATE TABLE idempotency (
    scope TEXT NOT NULL, key TEXT NOT NULL, body_digest TEXT NOT NULL, resource_id TEXT NOT NULL, created_ms INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
  ) WITHOUT ROWID;
  CREATE TABLE builds (
    id TEXT PRIMARY KEY, environment_id TEXT NOT NULL, fingerprint TEXT NOT NULL, runtime TEXT NOT NULL, status TEXT NOT NULL,
    image_id TEXT, created_ms INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX builds_of_environment ON builds (environment_id, created_ms DESC, id DESC);
  CREATE INDEX builds_newest ON builds (created_ms DESC, id DESC);
  CREATE INDEX builds_succeeded ON builds (fingerprint, runtime, created_ms DESC, id DESC) WHERE status = 'succeeded';
  CREATE INDEX builds_unfinished ON builds (created_ms) WHERE status IN ('queued', 'running');
  CREATE TABLE pins (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, environment_id TEXT NOT NULL, action TEXT NOT NULL, image_id TEXT,
    body TEXT NOT NULL
  );
  CREATE INDEX pins_of_environment ON pins (environment_id, seq DESC);
  CREATE TABLE setup_runs (
    id TEXT PRIMARY KEY, environment_id TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, runtime TEXT NOT NULL,
    prepared_image_id TEXT, created_ms INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX setup_runs_of_environment ON setup_runs (environment_id, created_ms DESC, id DESC);
  CREATE INDEX setup_runs_unfinished ON setup_runs (created_ms) WHERE status IN ('queued', 'provisioning', 'running');
  CREATE TABLE sessions (id TEXT PRIMARY KEY, environment_id TEXT NOT NULL, created_ms INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE INDEX sessions_of_environment ON sessions (environment_id, created_ms DESC, id DESC);
  CREATE INDEX sessions_newest ON sessions (created_ms DESC, id DESC);
  CREATE TABLE terminals (
    id TEXT PRIMARY KEY, session_id TEXT NOT NULL, status TEXT NOT NULL, created_ms INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX terminals_of_session ON terminals (session_id, created_ms, id);
  CREATE INDEX terminals_running ON terminals (created_ms) WHERE status = 'running';
  CREATE TABLE execs (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, body TEXT NOT NULL);
  CREATE INDEX execs_of_session ON execs (session_id);
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  CREATE TABLE secret_uses (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, version INTEGER NOT NULL, session_id TEXT NOT NULL,
    session_name TEXT NOT NULL, environment_id TEXT NOT NULL, environment_name TEXT NOT NULL,
    first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, times INTEGER NOT NULL, UNIQUE (session_id, name, version)
  );
  CREATE INDEX secret_uses_newest ON secret_uses (last_ms DESC, seq DESC);
  CREATE INDEX secret_uses_of_secret ON secret_uses (name, last_ms DESC, seq DESC);
  UPDATE sessions SET body = json_set(body, '$.secrets', json('[]')) WHERE json_extract(body, '$.secrets') IS NULL;
  `,
  `
  CREATE TABLE egress_attempts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, environment_id TEXT NOT NULL, sandbox_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL, host TEXT, port INTEGER, protocol TEXT NOT NULL, mode TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL,
    rule INTEGER, detail TEXT, revision INTEGER NOT NULL, bytes_sent INTEGER NOT NULL, bytes_received INTEGER NOT NULL, duration_ms REAL,
    count INTEGER NOT NULL, cause TEXT
  );
  CREATE INDEX egress_attempts_of_environment ON egress_attempts (environment_id, seq);
  CREATE INDEX egress_attempts_of_sandbox ON egress_attempts (sandbox_id, seq);
  CREATE TABLE egress_older (
    environment_id TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, protocol TEXT NOT NULL, verdict TEXT NOT NULL,
    reason TEXT NOT NULL, attempts INTEGER NOT NULL, bytes_sent INTEGER NOT NULL, bytes_received INTEGER NOT NULL,
    first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, UNIQUE (environment_id, host, port, protocol, verdict, reason)
  );
  CREATE TABLE egress_grants (
    id TEXT PRIMARY KEY, environment_id TEXT NOT NULL, session_id TEXT, granted_ms INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX egress_grants_of_environment ON egress_grants (environment_id, granted_ms DESC, id DESC);
  CREATE INDEX egress_grants_of_session ON egress_grants (session_id, granted_ms DESC, id DESC);
  `,
  `
  CREATE TABLE resolved_presets (
    environment_id TEXT NOT NULL, preset TEXT NOT NULL, image_id TEXT, body TEXT NOT NULL, PRIMARY KEY (environment_id, preset)
  ) WITHOUT ROWID;
  `,
  `
  UPDATE setup_runs SET body = json_set(body, '$.observed', json('false')) WHERE json_extract(body, '$.observed') IS NULL;
  UPDATE sessions SET body = json_set(body, '$.observed', json('false')) WHERE json_extract(body, '$.observed') IS NULL;
  `,
  `
  CREATE TABLE agents (
    id TEXT PRIMARY KEY, name_folded TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX agents_newest ON agents (created_ms DESC, id DESC);
  CREATE TABLE agent_environments (
    agent_id TEXT NOT NULL, environment_id TEXT NOT NULL, PRIMARY KEY (agent_id, environment_id)
  ) WITHOUT ROWID;
  CREATE INDEX agents_of_environment ON agent_environments (environment_id, agent_id);
  CREATE TABLE templates (
    id TEXT PRIMARY KEY, name_folded TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL, body TEXT NOT NULL
  );
  UPDATE environments SET body = json_set(body, '$.secret_files', json('[]')) WHERE json_extract(body, '$.secret_files') IS NULL;
  UPDATE sessions SET body = json_set(body, '$.secret_files', json('[]')) WHERE json_extract(body, '$.secret_files') IS NULL;
  `,
  `
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, action TEXT NOT NULL, text TEXT NOT NULL, kind TEXT NOT NULL,
    environment_id TEXT, session_id TEXT
  );
  CREATE INDEX audit_of_environment ON audit (environment_id, seq);
  CREATE INDEX audit_of_session ON audit (session_id, seq);
  `,
  `
  UPDATE environments SET body = json_set(body, '$.warm', json('false')) WHERE json_extract(body, '$.warm') IS NULL;
  `,
];

/** The schema this program writes. */
export const schemaVersion = migrations.length;

/** Brings the registry from `version` to the newest schema, each step whole or not at all. */
export const migrate = async (database: Database, version: number): Promise<void> => {
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    await database.transaction(
      async (transaction) => {
        await transaction.exec(sql);
        await transaction.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${index + 1}`);
      },
      { durable: true },
    );
  }
};
