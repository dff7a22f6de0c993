// A real host in this process whose sandboxes have the test's own network beyond the policy proxy, and an image with real tools.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '../../../main/host/host.ts';
import type { CallInput, CallName, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { LoggedAttempt, NetworkRule, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import type { PolicyProxyOptions } from '../../../sandbox-engine/egress/policy-proxy.ts';
import { createEngine } from '../../../sandbox-engine/index.ts';
import { until } from '../../runtime/support/real-host.ts';
import { ensureImage } from '../../runtime/support/test-image.ts';
import { ensureToolImage } from '../../runtime/support/tool-image.ts';

/** A JVM with its compiler, so that it runs a source file; the library that Python programs mostly ask with. */
const packages = 'default-jdk-headless python3-requests';

/** The image of real tools on a runtime, made once and kept. */
export const ensureNetworkTools = async (socketPath: string): Promise<string> => {
  const from = await ensureToolImage(socketPath);
  const dockerfile = `FROM ${from}
USER root
RUN apt-get update -q && apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io ${packages} && rm -rf /var/lib/apt/lists/*
USER sandbox
`;
  return await ensureImage(
    socketPath,
    `sandlot-test/network-tools:${createHash('sha256').update(dockerfile).digest('hex').slice(0, 12)}`,
    dockerfile,
  );
};

export interface RunOfTools {
  run: SetupRun;
  lines: string[];
  attempts: LoggedAttempt[];
}

export interface ToolHouse {
  /** Runs a script as the setup of a new environment that boots from an image, under rules, to its end. */
  runSetup: (of: { runtime: string; image: string; rules: NetworkRule[]; script: string }) => Promise<RunOfTools>;
  close: () => Promise<void>;
}

/** Opens it; images trust `authority` besides what they trust anyway. */
export const openToolHouse = async (upstream: NonNullable<PolicyProxyOptions['upstream']>, authority?: string): Promise<ToolHouse> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-tools-'));
  const authorityFile = join(folder, 'authority.pem');
  await writeFile(authorityFile, authority ?? '');
  const env = { ...process.env, SANDLOT_HOME: join(folder, 'home'), ...(authority === undefined ? {} : { SSL_CERT_FILE: authorityFile }) };
  const start = await startHost({ env, version: '0', openEngine: (options) => createEngine({ ...options, upstream }) });
  if (start.kind !== 'started') throw new Error('another host was there');
  const { host } = start;
  const call = async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> => {
    const reply = await host.dispatch(name, input);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
    return reply.value as CallOutput<N>;
  };
  const made: string[] = [];

  const buildRecipe = async (environment_id: string): Promise<void> => {
    const { id } = await call('builds.start', { environment_id, pin: true });
    const built = await until(
      () => call('builds.get', { build_id: id }),
      ({ status }) => !['queued', 'running', 'building'].includes(status),
      600_000,
    );
    if (built.status !== 'succeeded') throw new Error(`the image was not built: ${built.error?.message ?? built.status}`);
  };

  const runSetup: ToolHouse['runSetup'] = async ({ runtime, image, rules, script }) => {
    const environment = await call('environments.create', {
      body: {
        ...{ name: `tools ${made.length}`, recipe_yaml: `base: ${image}\n`, runtime, network_policy: { version: 'v1', rules } },
        setup: { script, timeout_seconds: 600 },
      },
    });
    made.push(environment.id);
    await buildRecipe(environment.id);
    const { id } = await call('setup_runs.create', { environment_id: environment.id, idempotency_key: environment.id });
    const run = await until(
      () => call('setup_runs.get', { setup_run_id: id, wait_seconds: 5 }),
      ({ finished_at }) => finished_at !== null,
      600_000,
    );
    const { lines } = await call('setup_runs.logs', { setup_run_id: id, limit: 2000 });
    const { attempts } = await call('egress.log', { setup_run_id: id, limit: 2000 });
    return { run, lines: lines.map(({ text }) => text), attempts };
  };

  return {
    runSetup,
    close: async () => {
      for (const environment_id of made) {
        await host.dispatch('pins.remove', { environment_id });
        await host.dispatch('environments.delete', { environment_id });
      }
      await host.dispatch('app.prune', { dry_run: false });
      await host.close({ stopSessions: true });
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
