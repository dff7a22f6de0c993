// Serves the built page. Hashed assets may be kept for ever, the page itself is always asked for again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { refusal } from './refusal.ts';

/** Adds the page to the web door; any path without a file ending is the page, since it has its own routes. */
export const serveRenderer = async (app: FastifyInstance, folder: string, isDevelopment: boolean): Promise<void> => {
  if (isDevelopment) {
    const { addViteMiddleware } = await import('./vite-middleware.ts');
    return await addViteMiddleware(app);
  }
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/*', async (_request, reply) => {
      const { status, body } = refusal('not_found', `The page is not built: ${folder} has no index.html.`, 'Run `npm run build`.');
      return await reply.code(status).send(body);
    });
    return undefined;
  }
  await app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'),
  });
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' && !/\.[a-z0-9]+$/i.test(new URL(request.url, 'http://loopback').pathname);
    if (isPage) return await reply.sendFile('index.html');
    const { status, body } = refusal('not_found', `There is nothing at ${request.url}.`);
    return await reply.code(status).send(body);
  });
};
