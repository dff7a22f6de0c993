// The test image with the tools that setup scripts most often fail at, for scripts that really fail; made once per runtime and kept.
// Node and npm are this machine's own: Debian's npm is four hundred packages.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Pack } from 'tar-stream';
import { ensureImage, ensureTestImage, testImage } from './test-image.ts';

/** The preprocessor alone: it misses headers in the compiler's words, and the compiler itself shall be missing. */
const packages = 'cpp curl dropbear-bin make openssh-client openssl python3 python3-pip unzip wget';

const npmFolder = resolve(dirname(realpathSync(process.execPath)), '../lib/node_modules/npm');
const npmFiles = (): string[] => {
  try {
    return readdirSync(npmFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
};

/** Whether this machine's Node and npm can run in the image. */
export const hasNpm = process.platform === 'linux' && npmFiles().length > 0;

/** serve FOLDER PORT [CERTIFICATE]: files of a folder; /status/NNN is an answer with that code, /hang none. Returns when it listens. */
const server = `#!/usr/bin/python3
import http.server, os, ssl, sys, time
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith('/hang'):
            open('/tmp/hanging', 'w').close()
            time.sleep(60)
        elif self.path.startswith('/status/'):
            self.send_response(int(self.path.split('/')[2]))
            self.send_header('WWW-Authenticate', 'Basic realm="x"')
            self.send_header('Content-Length', '0')
            self.end_headers()
        else:
            super().do_GET()
    def log_message(self, *_):
        pass
os.chdir(sys.argv[1])
listening = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[2])), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    listening.socket = context.wrap_socket(listening.socket, server_side=True, do_handshake_on_connect=False)
if os.fork() == 0:
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    listening.serve_forever()
`;

/** certificate FILE FROM TO: a self-signed one for 127.0.0.1 with its key, valid between two times (YYMMDDHHMMSSZ). */
const certificate = `#!/bin/bash -e
work=$(mktemp -d)
cd "$work"
touch index
printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=index\\nrand_serial=yes\\ndefault_md=sha256\\nnew_certs_dir=.\\npolicy=p\\nx509_extensions=e\\n[p]\\ncommonName=supplied\\n[e]\\nsubjectAltName=IP:127.0.0.1\\n' >conf
openssl req -new -newkey rsa:2048 -nodes -keyout key -out request -subj /CN=127.0.0.1 2>/dev/null
openssl ca -batch -config conf -selfsign -keyfile key -in request -out made -notext -startdate "$2" -enddate "$3" 2>/dev/null
cat key made >"$1"
`;

const dockerfile = `FROM ${testImage}
USER root
COPY tools /usr/local
RUN apt-get update -q && apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io ${packages} \\
 && rm -rf /var/lib/apt/lists/* && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
USER sandbox
`;

const addFiles = (context: Pack): void => {
  context.entry({ name: 'tools/bin/serve', mode: 0o755 }, server);
  context.entry({ name: 'tools/bin/certificate', mode: 0o755 }, certificate);
  if (!hasNpm) return;
  context.entry({ name: 'tools/bin/node', mode: 0o755 }, readFileSync(process.execPath));
  for (const file of npmFiles()) {
    const name = `tools/lib/node_modules/npm/${relative(npmFolder, file)}`;
    context.entry({ name, mode: 0o755 }, readFileSync(file));
  }
};

/** An image made of something else has another name. */
const contents = createHash('sha256')
  .update(dockerfile + server + certificate + process.version)
  .digest('hex')
  .slice(0, 12);

/** Makes the image where it is missing and answers its reference. */
export const ensureToolImage = async (socketPath: string): Promise<string> => {
  await ensureTestImage(socketPath);
  return await ensureImage(socketPath, `sandlot-test/setup-tools:${contents}`, dockerfile, addFiles);
};
