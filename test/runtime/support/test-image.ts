// A small image with the runtime layer of a session (user, sudo, bash, procps, git), made once per runtime and kept between runs.
// Speaks the Docker API over the socket itself, so that it stands before any of our rooms does.

import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { type Pack, pack } from 'tar-stream';

export const testImage = 'sandlot-test/session-base:3';

const dockerfile = `FROM docker.io/library/debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends procps git sudo ca-certificates && rm -rf /var/lib/apt/lists/* \\
 && useradd --create-home --uid 1000 --shell /bin/bash sandbox \\
 && echo 'sandbox ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/sandbox && chmod 0440 /etc/sudoers.d/sandbox \\
 && mkdir -p /workspace && chown sandbox:sandbox /workspace
ENV FROM_IMAGE=yes
USER sandbox
WORKDIR /workspace
`;

/** The two runtimes of the test machine; those whose socket is not there are left out, and that is printed. */
export const testRuntimes = (
  [
    { kind: 'docker', socket: process.env.SANDLOT_TEST_DOCKER ?? '/var/run/docker.sock' },
    { kind: 'podman', socket: process.env.SANDLOT_TEST_PODMAN ?? '/run/podman/podman.sock' },
  ] as const
).filter(({ kind, socket }) => {
  const there = existsSync(socket);
  if (!there) process.stderr.write(`no ${kind} socket at ${socket}: its tests are left out\n`);
  return there;
});

const ask = (socketPath: string, method: string, path: string, body?: Readable): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers: { host: 'runtime', 'content-type': 'application/x-tar' } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    if (body === undefined) sent.end();
    else body.pipe(sent);
  });

/** Builds an image where it is missing and answers its reference, which both runtimes resolve. `more` puts files beside the Dockerfile. */
export const ensureImage = async (
  socketPath: string,
  image: string,
  dockerfile: string,
  more?: (context: Pack) => void,
): Promise<string> => {
  const path = `/images/${encodeURIComponent(image)}/json`;
  if ((await ask(socketPath, 'GET', path)).status === 200) return image;
  const context = pack();
  context.entry({ name: 'Dockerfile' }, dockerfile);
  more?.(context);
  context.finalize();
  const built = await ask(socketPath, 'POST', `/build?t=${encodeURIComponent(image)}`, Readable.from(context, { objectMode: false }));
  if ((await ask(socketPath, 'GET', path)).status !== 200) throw new Error(`${image} was not built: ${built.text.slice(-2000)}`);
  return image;
};

/** Makes the test image where it is missing and answers its reference. */
export const ensureTestImage = async (socketPath: string): Promise<string> => await ensureImage(socketPath, testImage, dockerfile);
