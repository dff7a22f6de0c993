import type { EnvironmentCreate } from '../../../sandbox-engine/contract/calls.ts';
import type { Environment } from '../../../sandbox-engine/contract/model.ts';
import { createEnvironment } from '../../../sandbox-engine/registry/environment-rules.ts';

/** A created environment; `number` makes its id and, a second apart, its time. */
export const exampleEnvironment = (number: number, body: Partial<EnvironmentCreate> = {}): Environment =>
  createEnvironment(
    { name: `Example ${number}`, ...body },
    {
      id: `env_${String(number).padStart(26, '0')}`,
      now: new Date(Date.UTC(2026, 10, 1) + number * 1000).toISOString(),
      defaultRuntime: 'docker',
      recipeYaml: 'base: debian\n',
      recipe: { base: 'debian', env: {}, packages: { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] }, initialize: [] },
      sessionStart: [],
      knowledge: [],
      recipeDigest: 'd'.repeat(64),
      setupWarnings: [],
    },
  );
