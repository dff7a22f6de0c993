// Asks one runtime over its socket, before anything of ours is running: ping, has IMAGE, import IMAGE TAR, remove IMAGE.
// The exit code is the answer: 0 yes or done, 1 no, 2 wrong use.
import { createReadStream } from 'node:fs';
import { request } from 'node:http';

const [socketPath = '', verb = '', image = '', tar = ''] = process.argv.slice(2);

const ask = (method: string, path: string, file?: string): Promise<number> =>
  new Promise((resolve) => {
    const headers = { host: 'runtime', 'content-type': 'application/x-tar' };
    const sent = request({ socketPath, method, path, headers, timeout: file === undefined ? 10_000 : 300_000 }, (answer) => {
      const text: Buffer[] = [];
      answer.on('data', (part: Buffer) => text.push(part));
      answer.on('end', () => {
        const status = answer.statusCode ?? 0;
        const failed = Buffer.concat(text).toString().includes('"errorDetail"');
        if (verb === 'import' && (status >= 300 || failed)) process.stderr.write(`${Buffer.concat(text)}\n`);
        resolve(failed ? 500 : status);
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', () => resolve(0));
    if (file === undefined) sent.end();
    else createReadStream(file).pipe(sent);
  });

const verbs: Record<string, () => Promise<number>> = {
  ping: () => ask('GET', '/_ping'),
  has: () => ask('GET', `/images/${encodeURIComponent(image)}/json`),
  // The tag goes inside `repo`: Podman 4.3 does not read it from `tag`.
  import: () => ask('POST', `/images/create?fromSrc=-&repo=${encodeURIComponent(image)}`, tar),
  remove: () => ask('DELETE', `/images/${encodeURIComponent(image)}`),
};

const chosen = verbs[verb];
if (chosen === undefined) process.exit(2);
const status = await chosen();
process.exit(status >= 200 && status < 300 ? 0 : 1);
