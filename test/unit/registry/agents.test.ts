// Agents and a person's own templates on disk.
import { expect, test } from 'vitest';
import { createAgent } from '../../../sandbox-engine/agents/agents.ts';
import type { Template } from '../../../sandbox-engine/contract/model.ts';
import { exampleEnvironment } from './example-environment.ts';
import { openHere, temporaryFolder } from './temporary-folder.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 1) + second * 1000).toISOString();
const agent = (number: number, name: string, environment_ids: string[] = []) =>
  createAgent({ name, environment_ids }, { id: `agt_${String(number).padStart(26, '0')}`, now: at(number) });

test('an environment that an agent has is not deleted, and the refusal names the agents', async () => {
  const { environments, agents } = await openHere(await temporaryFolder());
  const web = await environments.insert(exampleEnvironment(1, { name: 'web' }));
  await agents.insert(agent(1, 'builder', [web.id]));
  await agents.insert(agent(2, 'helper', [web.id]));
  await expect(environments.remove(web.id)).rejects.toMatchObject({
    code: 'environment_attached',
    message: '"web" is attached to the agents "builder", "helper", so it cannot be deleted.',
    details: {
      agents: [
        { id: agent(1, '-').id, name: 'builder' },
        { id: agent(2, '-').id, name: 'helper' },
      ],
    },
  });
  expect(await environments.find(web.id)).not.toBeNull();
  await agents.remove(agent(1, '-').id);
  const helper = agent(2, 'helper', [web.id]);
  await agents.replace({ ...helper, environment_ids: [], default_environment_id: null, revision: 2 }, 1);
  await environments.remove(web.id);
  expect(await environments.find(web.id)).toBeNull();
});

test('names are unique whatever their case, revisions count, and an environment that is not there is refused whole', async () => {
  const { agents } = await openHere(await temporaryFolder());
  const first = await agents.insert(agent(1, 'Builder'));
  await expect(agents.insert(agent(2, 'BUILDER'))).rejects.toMatchObject({ code: 'already_exists' });
  const ghost = exampleEnvironment(9).id;
  await expect(agents.insert(agent(3, 'other', [ghost]))).rejects.toMatchObject({ code: 'not_found' });
  await expect(agents.replace({ ...first, environment_ids: [ghost], revision: 2 }, 1)).rejects.toMatchObject({ code: 'not_found' });
  await agents.replace({ ...first, description: 'a', revision: 2 }, 1);
  await expect(agents.replace({ ...first, description: 'b', revision: 2 }, 1)).rejects.toMatchObject({ code: 'revision_conflict' });
  expect((await agents.list({ limit: 10 })).agents).toEqual([{ ...first, description: 'a', revision: 2 }]);
});

test('the same key answers the first agent again; pages run newest first and can be asked by environment', async () => {
  const { environments, agents } = await openHere(await temporaryFolder());
  const web = await environments.insert(exampleEnvironment(1));
  const once = { scope: 'agents.create', key: 'k', bodyDigest: 'd' };
  const first = await agents.insert(agent(1, 'one', [web.id]), once);
  expect(await agents.insert(agent(5, 'one', [web.id]), once)).toEqual(first);
  await expect(agents.insert(agent(6, 'six'), { ...once, bodyDigest: 'e' })).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  for (const number of [2, 3]) await agents.insert(agent(number, `number ${number}`));
  const page = await agents.list({ limit: 2 });
  const rest = await agents.list({ limit: 2, ...(page.nextCursor === null ? {} : { cursor: page.nextCursor }) });
  expect([page, rest].map((one) => one.agents.map(({ name }) => name))).toEqual([['number 3', 'number 2'], ['one']]);
  expect((await agents.list({ limit: 10, environmentId: web.id })).agents.map(({ name }) => name)).toEqual(['one']);
  expect((await agents.list({ limit: 10, search: 'NUMBER' })).total).toBe(2);
});

test('templates of one’s own have unique names and survive a restart', async () => {
  const folder = await temporaryFolder();
  const { templates, close } = await openHere(folder);
  const one: Template = { id: `tpl_${'0'.repeat(26)}`, revision: 1, name: 'Ours', summary: '', definition: { name: 'Ours' }, is_own: true };
  await templates.insert(one, at(1));
  await expect(templates.insert({ ...one, id: `tpl_${'1'.repeat(26)}`, name: 'OURS' }, at(2))).rejects.toMatchObject({
    code: 'already_exists',
  });
  await close();
  const again = await openHere(folder);
  expect(await again.templates.list()).toEqual([one]);
  await again.templates.remove(one.id);
  await expect(again.templates.remove(one.id)).rejects.toMatchObject({ code: 'not_found' });
});
