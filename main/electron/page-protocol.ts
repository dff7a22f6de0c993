// Serves the built page as app://sandlot/ : a real origin for the content policy, and no file:// access.
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Protocol } from 'electron';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** The content policy of the window; calls go by IPC, so the page connects to nothing. */
const windowContentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Answers one request of the page; a path without a file ending is the page itself, and nothing outside the folder is read. */
export const answerPage = async (folder: string, url: string): Promise<Response> => {
  const { pathname, host } = new URL(url);
  const path = normalize(join(folder, decodeURIComponent(pathname)));
  const headers = { 'content-security-policy': windowContentPolicy, 'x-content-type-options': 'nosniff' };
  if (host !== 'sandlot' || (!path.startsWith(folder + sep) && path !== folder)) return new Response('not here', { status: 403, headers });
  const file = extname(path) === '' ? join(folder, 'index.html') : path;
  try {
    const body = await readFile(file);
    return new Response(new Uint8Array(body), {
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
