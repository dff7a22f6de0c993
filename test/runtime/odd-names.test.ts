// W-02: what an environment is called goes into no name of the runtime, is shown as it was typed, and need not be unique.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askRuntime, type RealHost, removeRealHost, startRealHost, until } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

const names = [' lead ', '..', '-', '/', 'x'.repeat(256), '🏖'.repeat(256), 'twin', 'twin'];
const recipe = 'base: debian:bookworm-slim\n';

describe.each(testRuntimes)('a host on $kind', ({ kind, socket }) => {
  let host: RealHost;
  beforeAll(async () => {
    host = await startRealHost();
  });
  afterAll(() => removeRealHost(host));

  const create = (name: string) => host.call('environments.create', { body: { name, recipe_yaml: recipe, runtime: kind } });

  /** Builds, pins and launches it; answers the session. */
  const use = async (environment_id: string) => {
    await host.call('builds.start', { environment_id, pin: true });
    await until(
      () => host.call('environments.get', { environment_id }),
      ({ image }) => image.state === 'active',
    );
    const { id } = await host.call('sessions.launch', { environment_id });
    return await until(
      () => host.call('sessions.get', { session_id: id }),
      ({ status }) => status !== 'starting',
    );
  };

  test('W-02: all of them build, pin and run under their own name, and the runtime knows them by ids', { timeout: 300_000 }, async () => {
    const made = [];
    for (const name of names) made.push(await create(name));
    expect(made.map(({ name }) => name)).toEqual(names);
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(names.length);
    for (const { id, name } of made) {
      const session = await use(id);
      expect([session.status, session.message, session.image_source, session.environment_name]).toEqual(['running', null, 'active', name]);
      const container = (await askRuntime(socket, 'GET', `/containers/${session.container_id ?? ''}/json`)) as { Name: string };
      for (const one of [container.Name.replace('/', ''), session.volume]) expect(one).toMatch(/^[a-z0-9][a-z0-9_.-]*$/);
      expect(container.Name).toContain(session.id);
      const { sessions } = await host.call('sessions.list', { environment_id: id });
      expect(sessions.map((each) => each.id)).toEqual([session.id]);
      await host.call('sessions.delete', { session_id: session.id });
    }
    const found = await host.call('environments.list', { search: 'twin' });
    expect(found.environments.map(({ id }) => id)).toEqual(
      made
        .slice(-2)
        .map(({ id }) => id)
        .reverse(),
    );
  });

  test.each([
    ['257 characters', 'x'.repeat(257)],
    ['257 characters that are more units', '🏖'.repeat(257)],
    ['nothing', ''],
  ])('W-02: a name of %s is refused', async (_what, name) => {
    const refusal = await host.refusal('environments.create', { body: { name, recipe_yaml: recipe } });
    expect([refusal.code, refusal.message]).toEqual(['invalid_request', expect.stringContaining('name')]);
  });
});
