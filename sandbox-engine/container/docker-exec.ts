// Runs a command in a running container over an upgraded connection: input, output, size, exit code.
// Source: Docker Engine API, "Exec"; Podman answers the same with differences named where they matter.

import type { Duplex } from 'node:stream';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { ExecHandle, ExecSpec, OutputChunk } from './container-runtime.ts';
import { demultiplex } from './demux.ts';
import type { DockerConnection } from './docker-connection.ts';
import { statusOf } from './docker-errors.ts';
import type { DaemonFacts } from './docker-info.ts';
import { readSocket } from './read-socket.ts';

type ExecFacts = Pick<DaemonFacts, 'kind' | 'takesConsoleSize'>;

interface ExecAnswer {
  Running?: boolean;
  ExitCode?: number | null;
  Pid?: number;
}

// The default keys (Ctrl-P Ctrl-Q) would swallow a typed Ctrl-P until the next key comes.
const unlikelyDetachKeys = 'ctrl-@,ctrl-^,ctrl-_,ctrl-@,ctrl-^';

/** The command as it is run: before API 1.42 a Docker daemon starts each terminal at 0 × 0, so the first act is to set the size. */
const commandOf = (spec: ExecSpec, facts: ExecFacts): string[] => {
  if (spec.tty === undefined || facts.takesConsoleSize || facts.kind === 'podman') return spec.command;
  // A resize that came first is left alone.
  const script = `[ "$(stty size 2>/dev/null)" = "0 0" ] && stty rows ${spec.tty.rows} cols ${spec.tty.cols}; exec "$@"`;
  return ['/bin/sh', '-c', script, 'sh', ...spec.command];
};

const createBody = (spec: ExecSpec, facts: ExecFacts): Record<string, unknown> => ({
  AttachStdin: spec.stdin,
  AttachStdout: true,
  AttachStderr: true,
  Tty: spec.tty !== undefined,
  DetachKeys: unlikelyDetachKeys,
  Cmd: commandOf(spec, facts),
  ...(spec.env === undefined ? {} : { Env: spec.env }),
  ...(spec.user === undefined ? {} : { User: spec.user }),
  ...(spec.workdir === undefined ? {} : { WorkingDir: spec.workdir }),
  ...(spec.tty !== undefined && facts.takesConsoleSize ? { ConsoleSize: [spec.tty.rows, spec.tty.cols] } : {}),
});

const startBody = (spec: ExecSpec, facts: ExecFacts): Record<string, unknown> => ({
  Detach: false,
  Tty: spec.tty !== undefined,
  ...(spec.tty !== undefined && facts.takesConsoleSize ? { ConsoleSize: [spec.tty.rows, spec.tty.cols] } : {}),
  ...(spec.tty !== undefined && facts.kind === 'podman' ? { h: spec.tty.rows, w: spec.tty.cols } : {}),
});

// What is written after the process has gone is dropped, as a pipe to a closed terminal would: the exit code tells the story.
const inputOf = (socket: Duplex, wanted: boolean): Writable =>
  new Writable({
    write: (bytes, _encoding, done) => {
      if (!wanted || socket.destroyed || socket.writableEnded) return done();
      socket.write(bytes, () => done());
    },
    final: (done) => {
      if (wanted && !socket.destroyed) socket.end();
      done();
    },
  });

const inspectExec = async (connection: DockerConnection, id: string) => {
  const request = { what: `inspect exec ${id.slice(0, 12)}`, method: 'GET', path: `/exec/${id}/json` } as const;
  const answer = await connection.json<ExecAnswer>(request);
  const running = answer.Running ?? false;
  // Podman says ExitCode 0 while it runs; only after it has ended does the number mean anything.
  return { running, exitCode: running ? null : (answer.ExitCode ?? null), pid: answer.Pid ?? 0 };
};

// null: it still runs. 'unknown': the exec was forgotten with its container.
const exitIfEnded = async (connection: DockerConnection, id: string): Promise<number | 'unknown' | null> => {
  try {
    return (await inspectExec(connection, id)).exitCode;
  } catch (thrown) {
    if (statusOf(thrown) !== null) return 'unknown';
    throw thrown;
  }
};

/** Polls, because neither runtime lets one wait for an exec; the end of the output cuts the pause short. */
const waitForExit = async (connection: DockerConnection, id: string, ended: Promise<void>): Promise<number | null> => {
  let outputEnded = false;
  const noticed = ended.then(() => {
    outputEnded = true;
  });
  for (let pause = 10; ; pause = Math.min(pause * 1.5, outputEnded ? 100 : 1000)) {
    const code = await exitIfEnded(connection, id);
    if (code !== null) return code === 'unknown' ? null : code;
    await (outputEnded ? delay(pause) : Promise.race([delay(pause), noticed]));
  }
};

const resizeExec = async (connection: DockerConnection, id: string, size: { h: number; w: number }): Promise<void> => {
  const request = { what: `resize exec ${id.slice(0, 12)}`, method: 'POST', path: `/exec/${id}/resize`, query: size } as const;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await connection.json(request);
      return;
    } catch (thrown) {
      if (statusOf(thrown) === null) throw thrown;
      // Refused: it has ended, which is no failure, or it has not quite begun.
      const state = await inspectExec(connection, id).catch(() => null);
      if (state === null || attempt >= 10 || (!state.running && state.exitCode !== null)) return;
      await delay(20);
    }
  }
};

/** Opens an exec and answers its handle. The container sees nothing but what is written to `stdin`. */
export const startExec = async (
  connection: DockerConnection,
  facts: ExecFacts,
  containerId: string,
  spec: ExecSpec,
): Promise<ExecHandle> => {
  const what = `run ${spec.command[0] ?? 'a command'} in container ${containerId.slice(0, 12)}`;
  const { Id: id } = await connection.json<{ Id: string }>({
    what,
    method: 'POST',
    path: `/containers/${containerId}/exec`,
    body: createBody(spec, facts),
  });
  const socket = await connection.hijack({ what, method: 'POST', path: `/exec/${id}/start`, body: startBody(spec, facts) });
  return openHandle(connection, id, socket, spec);
};

const openHandle = (connection: DockerConnection, id: string, socket: Duplex, spec: ExecSpec): ExecHandle => {
  let cause: Error | null = null;
  let closed = false;
  const bytes = readSocket(socket, (error) => {
    cause = error;
  });
  const checkWhole = (): void => {
    if (cause === null || closed) return;
    throw new SandlotError('stream_broken', `The output of exec ${id.slice(0, 12)} broke off: ${String(cause)}`, { cause });
  };
  async function* output(): AsyncGenerator<OutputChunk> {
    if (spec.tty === undefined) yield* demultiplex(bytes);
    else for await (const chunk of bytes) yield { stream: 'stdout', bytes: chunk };
    checkWhole();
  }
  const each: ExecHandle['each'] = async (take) => {
    if (spec.tty === undefined) throw new SandlotError('internal', 'Only the output of a terminal has no frames to take apart.');
    await bytes.each(take);
    checkWhole();
  };
  return {
    id,
    output: output(),
    each,
    stdin: inputOf(socket, spec.stdin),
    type: (bytes) =>
      new Promise((resolve) => {
        if (!spec.stdin || socket.destroyed || socket.writableEnded) resolve();
        else socket.write(bytes, () => resolve());
      }),
    resize: (cols, rows) => resizeExec(connection, id, { h: rows, w: cols }),
    exitCode: () => waitForExit(connection, id, bytes.ended),
    inspect: () => inspectExec(connection, id),
    close: () => {
      closed = true;
      socket.destroy();
    },
  };
};
