// A repository of 50 MB that lies on this machine, from the session's step until it is in the workspace, as it is and as a branch of the
// session's own, against git's own clone of it into the same kind of place: the volume of a container of the same image, from a mounted folder. Git copies the objects there, and packs nothing:
// that is its fastest way across a mount. By `file://` it packs all anew, which would make us look better; with hard links, which a volume
// does not allow, root inside could write into the person's own objects.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { type BenchHost, openBenchHost } from './bench-host.ts';
import { type BenchRuntime, benchRuntimes, createRaw, removeRaw } from './bench-runtimes.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const rounds = 4;
const files = 400;
const fileBytes = 65_536;

/** 400 files that do not compress, in 20 folders: 25 MB of objects and 25 MB of files. */
const makeRepository = (folder: string): void => {
  for (let index = 0; index < files; index += 1) {
    const place = join(folder, `part-${index % 20}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `${index}.bin`), randomBytes(fileBytes));
  }
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=b', '-c', 'user.email=b@b', ...words], { stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'all');
  chmodSync(folder, 0o755);
};

const stepOf = ({ steps }: Session) => steps.find(({ name }) => name === 'repository');

const launchOurs = async (host: BenchHost, environmentId: string): Promise<number> => {
  const { id } = await host.call('sessions.launch', { environment_id: environmentId });
  for (;;) {
    const session = await host.call('sessions.get', { session_id: id });
    const step = stepOf(session);
    if (session.status === 'failed' || step?.status === 'failed') throw new Error(`The repository did not come: ${session.message}`);
    if (step?.status === 'succeeded') {
      await host.call('sessions.delete', { session_id: id });
      return step.duration_ms ?? Number.NaN;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const cloneRaw = async (runtime: BenchRuntime, image: string, folder: string): Promise<number> => {
  const volume = `sandlot-bench-${process.pid}-${performance.now().toFixed(0)}`;
  await runtime.client.createVolume({ Name: volume });
  const mounts = [
    { kind: 'volume' as const, source: volume, target: '/workspace' },
    { kind: 'bind' as const, source: folder, target: '/repository', readOnly: true },
  ];
  const container = await createRaw(runtime, image, null, { mounts });
  await container.start();
  const began = performance.now();
  const exec = await container.exec({
    ...{ AttachStdout: true, AttachStderr: true, User: 'sandbox', WorkingDir: '/workspace' },
    Cmd: ['sh', '-c', 'git config --global safe.directory "*" && exec git clone -q /repository /workspace/repo'],
  });
  const output = await exec.start({ hijack: true, stdin: false });
  output.resume();
  await once(output, 'end');
  const took = performance.now() - began;
  const { ExitCode } = await exec.inspect();
  await removeRaw(container);
  await runtime.client.getVolume(volume).remove();
  if (ExitCode !== 0) throw new Error(`git clone ended with ${ExitCode}.`);
  return took;
};

/** Begins when the disk has written what the turn before left it: else each pays for another one, and times double within a run. */
const settled = (measure: () => Promise<number>) => (): Promise<number> => {
  execFileSync('sync');
  return measure();
};

/** An environment whose sessions get the folder in this way. */
const makeEnvironment = async (host: BenchHost, runtime: string, folder: string, mode: 'copy' | 'worktree'): Promise<string> => {
  const body = { recipe_yaml: 'base: debian\n', runtime, name: mode, network_policy: {} };
  const { id } = await host.call('environments.create', { body: { ...body, repo: { source: folder, mode, path: '/workspace/repo' } } });
  const { folders } = await host.call('environments.folders', { environment_id: id });
  await host.call('environments.agree_folders', {
    environment_id: id,
    folders: folders.map(({ path, use, read_only }) => ({ path, use, read_only })),
  });
  return id;
};

const onRuntime = async (host: BenchHost, runtime: BenchRuntime, folder: string): Promise<Ratio[]> => {
  const runtimeId = await host.runtimeId(runtime);
  const { image } = await host.pinned(runtimeId, 'base: debian\n');
  const whole = await makeEnvironment(host, runtimeId, folder, 'copy');
  const branch = await makeEnvironment(host, runtimeId, folder, 'worktree');
  const { copied, branched, raw } = await measureInTurns(rounds, {
    copied: settled(() => launchOurs(host, whole)),
    branched: settled(() => launchOurs(host, branch)),
    raw: settled(() => cloneRaw(runtime, image.image_id ?? '', folder)),
  });
  const rival = { baseline: raw, against: '`git clone` inside, of the mounted folder', bound: { kind: 'at most', ratio: 1.2 } } as const;
  return [
    { what: `A repository of 50 MB of this machine into a session on ${runtime.kind}`, ours: copied, ...rival },
    { what: `The same on ${runtime.kind} as a branch of the session's own, which is what git's clone makes`, ours: branched, ...rival },
  ];
};

/** Measures every runtime that is there. */
export const bench = async (): Promise<Ratio[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'sandlot-bench-repository-'));
  makeRepository(folder);
  const host = await openBenchHost();
  try {
    const ratios: Ratio[] = [];
    for (const runtime of benchRuntimes()) ratios.push(...(await onRuntime(host, runtime, folder)));
    return ratios;
  } finally {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
