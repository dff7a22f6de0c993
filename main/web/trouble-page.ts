// The page of a host that could not start: why, what mends it, and a button to try again. It serves nothing else.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ErrorBody } from '../../sandbox-engine/contract/errors.ts';
import { escapeHtml, plainPage, plainStyleHash } from './plain-page.ts';

export interface TroublePage {
  url: string;
  /** Resolves when the person wants to try again; the page is closed then. */
  triedAgain: Promise<void>;
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src '${plainStyleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

const troubleBody = ({ message, next_action }: ErrorBody): string => `<h1>Sandlot did not start</h1><p>${escapeHtml(message)}</p>
${next_action === null ? '' : `<p>${escapeHtml(next_action)}</p>`}<form method="post"><button>Try again</button></form>`;

const againBody = '<h1>Starting again</h1><p>Sandlot opens in a new page, or this one comes back with what is still in the way.</p>';

/** Opens the page on 127.0.0.1 under a path that nobody else knows. */
export const openTroublePage = async (error: ErrorBody): Promise<TroublePage> => {
  const path = `/${randomBytes(16).toString('hex')}`;
  let tryAgain: () => void = () => undefined;
  const triedAgain = new Promise<void>((resolve) => {
    tryAgain = resolve;
  });
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== path || (request.method !== 'GET' && request.method !== 'POST')) return void response.writeHead(404, headers).end();
    const body = request.method === 'POST' ? againBody : troubleBody(error);
    response.writeHead(200, headers).end(plainPage('Sandlot did not start', body));
    if (request.method === 'POST') server.close(() => tryAgain());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}${path}`, triedAgain };
};
