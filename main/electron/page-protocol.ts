// Serves the built page as app://sandlot/ : a real origin for the content policy, and no file:// access.
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Protocol } from 'electron';
import { newNonce, pagePolicy, pageWithNonce } from '../host/page-policy.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** Answers one request of the page; a path without a file ending is the page itself, and nothing outside the folder is read. */
export const answerPage = async (folder: string, url: string): Promise<Response> => {
  const { pathname, host } = new URL(url);
  const path = normalize(join(folder, decodeURIComponent(pathname)));
  const nonce = newNonce();
  // Calls go by IPC, so the page connects to nothing but its own files.
  const headers = { 'content-security-policy': pagePolicy({ nonce }), 'x-content-type-options': 'nosniff' };
  if (host !== 'sandlot' || (!path.startsWith(folder + sep) && path !== folder)) return new Response('not here', { status: 403, headers });
  const file = extname(path) === '' ? join(folder, 'index.html') : path;
  try {
    const body = await readFile(file);
    const answer = extname(file) === '.html' ? pageWithNonce(body.toString('utf8'), nonce) : new Uint8Array(body);
    return new Response(answer, {
      headers: { ...headers, 'content-type': types[extname(file)] ?? 'application/octet-stream' },
    });
  } catch {
    return new Response('not found', { status: 404, headers });
  }
};

/** Lets the window load app://sandlot/. */
export const servePage = (protocol: Protocol, folder: string): void => {
  protocol.handle('app', async (request) => await answerPage(folder, request.url));
};
