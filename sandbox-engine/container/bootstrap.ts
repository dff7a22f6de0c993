// Makes a Debian base image from the package mirror that the machine already uses, without an image registry.
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import { findProgram } from './podman-conf.ts';

export interface BootstrapRequest {
  runtime: Pick<ContainerRuntime, 'importImage'>;
  /** `bookworm` */
  suite: string;
  /** The name that the image gets. */
  reference: string;
  /** Keeps the tar between runs. */
  cacheFolder: string;
  onLine: (line: string) => void;
  signal: AbortSignal;
  env?: Record<string, string | undefined>;
}

const isThere = async (path: string): Promise<boolean> => {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
};

const runMmdebstrap = async (program: string, target: string, request: BootstrapRequest): Promise<void> => {
  const mode = process.getuid?.() === 0 ? 'root' : 'unshare';
  const child = spawn(program, ['--variant=minbase', `--mode=${mode}`, '--format=tar', request.suite, target], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: request.signal,
    ...(request.env === undefined ? {} : { env: request.env as NodeJS.ProcessEnv }),
  });
  const last: string[] = [];
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    last.push(line);
    if (last.length > 5) last.shift();
    request.onLine(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  throw new SandlotError('build_failed', `mmdebstrap failed for ${request.suite} (exit code ${code}): ${last.join(' ')}`);
};

const cancelled = (request: BootstrapRequest, cause: unknown): SandlotError =>
  new SandlotError('cancelled', `Cancelled: making the base ${request.reference}.`, { cause });

const makeTar = async (tar: string, request: BootstrapRequest): Promise<void> => {
  const program = await findProgram('mmdebstrap', request.env ?? process.env);
  if (program === null) {
    const message = `Cannot make the base ${request.reference}: it is not there, no image registry has it, and mmdebstrap is missing.`;
    throw new SandlotError('build_failed', message, { nextAction: 'sudo apt-get install -y mmdebstrap' });
  }
  await mkdir(request.cacheFolder, { recursive: true });
  // Under another name until it is whole, so that a killed run leaves nothing that looks finished.
  const partial = `${tar}.${process.pid}.partial`;
  try {
    await runMmdebstrap(program, partial, request);
    await rename(partial, tar);
  } catch (thrown) {
    if (request.signal.aborted) throw cancelled(request, thrown);
    throw thrown;
  } finally {
    await rm(partial, { force: true });
  }
};

/** Makes the tar or takes the one from before, imports it, answers the image id. @throws build_failed with the apt command, cancelled */
export const bootstrapDebian = async (request: BootstrapRequest): Promise<string> => {
  const tar = join(request.cacheFolder, `debian-${request.suite}-${process.arch}.tar`);
  if (await isThere(tar)) request.onLine(`Using the root file system kept in ${tar}.`);
  else await makeTar(tar, request);
  request.onLine(`Importing ${request.reference}.`);
  return await request.runtime.importImage(createReadStream(tar), request.reference, ['CMD ["bash"]'], request.signal);
};
