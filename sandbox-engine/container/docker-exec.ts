// Runs a command in a running container over an upgraded connection: input, output, exit code. There is no TTY here: a terminal's PTY is inside.
// Source: Docker Engine API, "Exec"; Podman answers the same with differences named where they matter.

import type { Duplex } from 'node:stream';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { ExecHandle, ExecSpec, OutputChunk } from './container-runtime.ts';
import { createFrameReader, demultiplex } from './demux.ts';
import type { DockerConnection } from './docker-connection.ts';
import { statusOf } from './docker-errors.ts';
import { readSocket, type SocketReader, type Take } from './read-socket.ts';

interface ExecAnswer {
  Running?: boolean;
  ExitCode?: number | null;
  Pid?: number;
}

const createBody = (spec: ExecSpec): Record<string, unknown> => ({
  AttachStdin: spec.stdin,
  AttachStdout: true,
  AttachStderr: true,
  Tty: false,
  Cmd: spec.command,
  ...(spec.env === undefined ? {} : { Env: spec.env }),
  ...(spec.user === undefined ? {} : { User: spec.user }),
  ...(spec.workdir === undefined ? {} : { WorkingDir: spec.workdir }),
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

/** A short command is not asked for before its output has ended. */
const firstAskMs = 50;

/** Polls, because neither runtime lets one wait for an exec; the end of the output cuts the pause short. A daemon that takes long to
 *  answer is asked less often. */
const waitForExit = async (connection: DockerConnection, id: string, ended: Promise<void>): Promise<number | null> => {
  let outputEnded = false;
  const noticed = ended.then(() => {
    outputEnded = true;
  });
  await Promise.race([delay(firstAskMs), noticed]);
  for (let pause = 10; ; pause = Math.min(pause * 1.5, outputEnded ? 100 : 1000)) {
    const asked = performance.now();
    const code = await exitIfEnded(connection, id);
    if (code !== null) return code === 'unknown' ? null : code;
    const wait = Math.max(pause, performance.now() - asked);
    await (outputEnded ? delay(wait) : Promise.race([delay(wait), noticed]));
  }
};

/** Opens an exec and answers its handle. The container sees nothing but what is written to `stdin`. */
export const startExec = async (connection: DockerConnection, containerId: string, spec: ExecSpec): Promise<ExecHandle> => {
  const what = `run ${spec.command[0] ?? 'a command'} in container ${containerId.slice(0, 12)}`;
  const { Id: id } = await connection.json<{ Id: string }>({
    what,
    method: 'POST',
    path: `/containers/${containerId}/exec`,
    body: createBody(spec),
  });
  const socket = await connection.hijack({ what, method: 'POST', path: `/exec/${id}/start`, body: { Detach: false, Tty: false } });
  return openHandle(connection, id, socket, spec);
};

/** Hands over what frames hold, in the turn in which they arrive. */
const eachFrame = async (bytes: SocketReader, take: Take): Promise<void> => {
  const reader = createFrameReader();
  await bytes.each((piece) => {
    let wait: Promise<void> | undefined;
    for (const chunk of reader.push(piece)) wait = take(chunk.bytes) ?? wait;
    return wait;
  });
  reader.end();
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
    yield* demultiplex(bytes);
    checkWhole();
  }
  const each: ExecHandle['each'] = async (take) => {
    await eachFrame(bytes, take);
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
    exitCode: () => waitForExit(connection, id, bytes.ended),
    inspect: () => inspectExec(connection, id),
    close: () => {
      closed = true;
      socket.destroy();
    },
  };
};
