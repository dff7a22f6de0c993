// Everything the host tells its clients without being asked. A payload is the whole new state of one noun, never a hint to refetch.
import { z } from 'zod';
import {
  agentId,
  agentView,
  auditEntry,
  build,
  buildId,
  egressGrant,
  environmentId,
  environmentView,
  exec,
  loggedAttempt,
  pin,
  registryState,
  runtimeProbe,
  secretList,
  session,
  sessionId,
  sessionPorts,
  setupRun,
  streamId,
  terminal,
  usageSample,
} from './model.ts';

export const events = {
  'environment.changed': environmentView,
  'environment.removed': z.strictObject({ id: environmentId }),
  'build.changed': build,
  'build.removed': z.strictObject({ id: buildId }),
  'pin.changed': pin,
  'setup_run.changed': setupRun,
  'session.changed': session,
  'session.removed': z.strictObject({ id: sessionId }),
  'terminal.changed': terminal,
  'exec.changed': exec,
  /** Told while somebody looks, and when a forward changes. */
  'ports.changed': sessionPorts,
  /** One sample of each session that somebody looks at. */
  'usage.measured': z.strictObject({ samples: z.array(usageSample.extend({ session_id: sessionId })) }),
  /** The whole list, in the order of preference. */
  'runtimes.changed': z.strictObject({ runtimes: z.array(runtimeProbe) }),
  'registry.changed': registryState,
  'secrets.changed': secretList,
  /** Attempts of one moment, of all sandboxes; one that is known by its id is the same one, later. `left_off` more came with them. */
  'egress.attempts': z.strictObject({ attempts: z.array(loggedAttempt), left_off: z.number().int().nonnegative() }),
  'grant.changed': egressGrant,
  'agent.changed': agentView,
  'agent.removed': z.strictObject({ id: agentId }),
  'audit.added': auditEntry,
  /** `size` bytes have been written so far. `chunk` may carry the newest bytes (base64) that begin at offset `from`. */
  'stream.grew': z.strictObject({
    stream_id: streamId,
    size: z.number().int().nonnegative(),
    ended: z.boolean(),
    from: z.number().int().nonnegative().optional(),
    chunk: z.string().optional(),
  }),
  /** Something a person should know that belongs to no page. */
  notice: z.strictObject({ level: z.enum(['info', 'warning', 'error']), message: z.string() }),
} as const;

export type EventTable = typeof events;
export type EventName = keyof EventTable;
export type EventPayload<N extends EventName> = z.infer<EventTable[N]>;
/** One event with its number; numbers rise by one for as long as the host lives. */
export type AppEvent = { [N in EventName]: { seq: number; name: N; payload: EventPayload<N> } }[EventName];
