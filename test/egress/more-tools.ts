// The tool image with what is too large for every test: a JVM, a client written in Go, and container engines to be run inside a sandbox.
// Made once per runtime and kept.
import { ensureImage } from '../runtime/support/test-image.ts';
import { ensureToolImage } from '../runtime/support/tool-image.ts';

const packages = 'docker.io gh openjdk-17-jdk-headless podman runc';

/** Makes the image where it is missing and answers its reference. */
export const ensureMoreTools = async (socketPath: string): Promise<string> => {
  const from = await ensureToolImage(socketPath);
  const dockerfile = `FROM ${from}
USER root
RUN apt-get update -q && mkdir -p /usr/share/man/man1 && apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io ${packages} \\
 && rm -rf /var/lib/apt/lists/*
USER sandbox
`;
  return await ensureImage(socketPath, `sandlot-test/more-tools:${from.split(':').at(-1)}`, dockerfile);
};
