// Which streams anything in the registry still points at: those on disk that are not among them can go.
import type { Database } from './database.ts';

const sources = [
  "SELECT json_extract(body, '$.stream_id') AS id FROM builds",
  "SELECT json_extract(body, '$.stream_id') FROM setup_runs",
  "SELECT json_extract(body, '$.stream_id') FROM terminals",
  "SELECT json_extract(body, '$.start_script.stream_id') FROM sessions",
  "SELECT json_extract(body, '$.tape_stream_id') FROM sessions",
  "SELECT json_extract(body, '$.stdout_stream_id') FROM execs",
  "SELECT json_extract(body, '$.stderr_stream_id') FROM execs",
];

/** Ids of the streams of all builds, setup runs, sessions, terminals and commands. */
export const readStreamIds = async (database: Database): Promise<Set<string>> => {
  const rows = await database.all<{ id: string | null }>(sources.join(' UNION ALL '));
  return new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
};
