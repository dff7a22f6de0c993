// Development only: serves the page from its sources, with hot reload on the same port. vite is no part of the product.
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createServer } from 'vite';

/** Adds vite behind the guard of the web door. */
export const addViteMiddleware = async (app: FastifyInstance): Promise<void> => {
  const vite = await createServer({
    configFile: fileURLToPath(new URL('../../vite.config.ts', import.meta.url)),
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'spa',
  });
  app.addHook('onClose', async () => await vite.close());
  app.all('/*', (request, reply) => {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    vite.middlewares(request.raw, reply.raw);
  });
};
