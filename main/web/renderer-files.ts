// Serves the built page. Hashed assets may be kept for ever, the page itself is always asked for again.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pageWithNonce } from '../host/page-policy.ts';
import { refusal } from './refusal.ts';

/** Adds the page to the web door; any path without a file ending is the page, since it has its own routes. `nonceOf` is that of an answer's policy. */
export const serveRenderer = async (
  app: FastifyInstance,
  folder: string,
  isDevelopment: boolean,
  nonceOf: (reply: FastifyReply) => string,
): Promise<void> => {
  if (isDevelopment) {
    const { addViteMiddleware } = await import('./vite-middleware.ts');
    return await addViteMiddleware(app);
  }
  const pageFile = join(folder, 'index.html');
  if (!existsSync(pageFile)) {
    app.get('/*', async (_request, reply) => {
      const { status, body } = refusal('not_found', `The page is not built: ${folder} has no index.html.`, 'Run `npm run build`.');
      return await reply.code(status).send(body);
    });
    return undefined;
  }
  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const html = pageWithNonce(await readFile(pageFile, 'utf8'), nonceOf(reply));
    return await reply.code(200).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
  };
  await app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    index: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'),
  });
  for (const path of ['/', '/index.html']) app.get(path, async (_request, reply) => await sendPage(reply));
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' && !/\.[a-z0-9]+$/i.test(new URL(request.url, 'http://loopback').pathname);
    if (isPage) return await sendPage(reply);
    const { status, body } = refusal('not_found', `There is nothing at ${request.url}.`);
    return await reply.code(status).send(body);
  });
};
