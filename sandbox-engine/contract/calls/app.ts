// Calls about the app as a whole: its state at one moment, its runtimes, its registry and its catalog.
import { z } from 'zod';
import {
  agentView,
  build,
  catalogBase,
  doctorReport,
  environmentId,
  environmentView,
  registryState,
  runtimeProbe,
  session,
  setupRun,
  terminal,
} from '../model.ts';
import { done, empty } from './input.ts';

export const appCalls = {
  'app.snapshot': {
    input: empty,
    output: z.strictObject({
      seq: z.number().int(),
      version: z.string(),
      /** What one types to call the command line: `sandlot`, or a path. */
      command_line: z.string(),
      data_folder: z.string(),
      registry: registryState,
      runtimes: z.array(runtimeProbe),
      environments: z.array(environmentView),
      environments_total: z.number().int(),
      sessions: z.array(session),
      terminals: z.array(terminal),
      builds: z.array(build),
      setup_runs: z.array(setupRun),
      bases: z.array(catalogBase),
      agents: z.array(agentView),
    }),
  },
  'app.doctor': { input: empty, output: doctorReport },
  'app.shutdown': { input: z.strictObject({ stop_sessions: z.boolean() }), output: done },
  /** Removes what Sandlot made and nothing needs any more; `dry_run` only lists it. */
  'app.prune': {
    input: z.strictObject({ dry_run: z.boolean() }),
    output: z.strictObject({
      items: z.array(
        z.strictObject({
          kind: z.enum(['container', 'volume', 'image', 'network']),
          name: z.string(),
          runtime: z.string(),
          size: z.number().nullable(),
          reason: z.string(),
        }),
      ),
      removed: z.number().int(),
    }),
  },
  'runtimes.list': { input: empty, output: z.strictObject({ runtimes: z.array(runtimeProbe) }) },
  'runtimes.refresh': { input: empty, output: z.strictObject({ runtimes: z.array(runtimeProbe) }) },
  /** Takes a runtime for what is made from now on and names none; what exists keeps its own. @throws runtime_not_found @throws runtime_unavailable */
  'runtimes.set_default': { input: z.strictObject({ runtime: z.string() }), output: z.strictObject({ runtimes: z.array(runtimeProbe) }) },
  'registry.restore': { input: z.strictObject({ path: z.string() }), output: registryState },
  /** Environments that only the runtime's labels still know, after the registry was lost; `import` brings them back. */
  'registry.orphans': {
    input: z.strictObject({ import: z.boolean() }),
    output: z.strictObject({ environments: z.array(z.strictObject({ id: environmentId, name: z.string() })) }),
  },

  'bases.list': { input: empty, output: z.strictObject({ bases: z.array(catalogBase) }) },
} as const;
