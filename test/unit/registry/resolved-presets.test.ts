import { expect, test } from 'vitest';
import type { ResolvedPreset } from '../../../sandbox-engine/contract/model.ts';
import { openHere, temporaryFolder } from './temporary-folder.ts';

const preset = (id: ResolvedPreset['id'], revision: string): ResolvedPreset => ({
  ...{ id, revision, source: 'test', resolved_at: '2026-11-29T10:00:00.000Z', state: 'current', notes: [] },
  hosts: [{ host: `${id}.test`, ports: [443], uploads: false, from: 'x' }],
});

test('presets are kept for each environment, replaced one by one, and forgotten when a policy no longer names them', async () => {
  const { presets } = await openHere(await temporaryFolder());
  await presets.put('env_1', [
    { preset: preset('npm', 'a'), imageId: 'sha256:1' },
    { preset: preset('github', '2026-11-29'), imageId: null },
  ]);
  await presets.put('env_2', [{ preset: preset('npm', 'z'), imageId: 'sha256:9' }]);
  await presets.put('env_1', [{ preset: preset('npm', 'b'), imageId: 'sha256:2' }]);
  expect(await presets.list('env_1')).toEqual([
    { preset: preset('github', '2026-11-29'), imageId: null },
    { preset: preset('npm', 'b'), imageId: 'sha256:2' },
  ]);
  await presets.keepOnly('env_1', ['github']);
  expect((await presets.list('env_1')).map(({ preset: { id } }) => id)).toEqual(['github']);
  await presets.keepOnly('env_1', []);
  expect([await presets.list('env_1'), (await presets.list('env_2')).length]).toEqual([[], 1]);
});
