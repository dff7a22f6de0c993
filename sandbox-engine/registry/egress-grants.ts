// Grants on disk: who allowed which destination, when, for how long, and whether it was taken back.
import type { EgressGrant } from '../contract/model.ts';
import { type BodyRow, instantOf, readBodies, readBody } from './body.ts';
import type { Database } from './database.ts';
import type { EgressGrantStore } from './registry.ts';

/** The store of grants in this database. */
export const createEgressGrantStore = (database: Database): EgressGrantStore => ({
  save: async (grant) => {
    await database.run(
      `INSERT INTO egress_grants (id, environment_id, session_id, granted_ms, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
      [grant.id, grant.environment_id, grant.session_id, instantOf(grant.granted_at), JSON.stringify(grant)],
    );
  },
  find: async (id) => readBody<EgressGrant>(await database.get<BodyRow>('SELECT body FROM egress_grants WHERE id = ?', [id])),
  list: async ({ environmentId, sessionId }) =>
    readBodies(
      await database.all<BodyRow>(
        `SELECT body FROM egress_grants WHERE (?1 IS NULL OR environment_id = ?1) AND (?2 IS NULL OR session_id = ?2)
         ORDER BY granted_ms DESC, id DESC LIMIT 1000`,
        [environmentId ?? null, sessionId ?? null],
      ),
    ),
});
