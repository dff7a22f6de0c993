// What `sandlot session launch` takes for its environment: a name, an agent, or both.
import { expect, test } from 'vitest';
import { runSandlot } from './run-sandlot.ts';
import { startSmallHost } from './small-host.ts';

const idOf = (letter: string): string => letter.repeat(26);
const environments = [
  { id: `env_${idOf('a')}`, name: 'web', slug: 'web' },
  { id: `env_${idOf('b')}`, name: 'api', slug: 'api' },
  { id: `env_${idOf('c')}`, name: 'lab', slug: 'lab' },
];
const agents = [
  {
    id: `agt_${idOf('a')}`,
    name: 'builder',
    environment_ids: [environments[0]?.id, environments[1]?.id],
    default_environment_id: environments[1]?.id,
  },
  { id: `agt_${idOf('b')}`, name: 'idle', environment_ids: [], default_environment_id: null },
];

test.each<[string[], string, number]>([
  [['web'], 'web', 0],
  [['--agent', 'builder'], 'api', 0],
  [['web', '--agent', 'Builder'], 'web', 0],
  [['lab', '--agent', 'builder'], '"lab" is not attached to the agent "builder".', 2],
  [['--agent', 'idle'], 'The agent "idle" has no environment to launch.', 2],
  [[], 'It is not said what to launch.', 2],
])('session launch %j launches, or says: %s', async (words, told, expected) => {
  const launched: string[] = [];
  const session = { id: `ses_${idOf('a')}`, status: 'running', steps: [], fallback: null, message: null };
  const small = await startSmallHost(
    undefined,
    () =>
      ({
        'environments.list': async () => ({ environments, next_cursor: null, total: 3 }),
        'agents.list': async ({ search }: { search: string }) => ({
          agents: agents.filter(({ name }) => name.includes(search.toLowerCase())),
          next_cursor: null,
          total: 1,
        }),
        'sessions.launch': async ({ environment_id }: { environment_id: string }) => {
          launched.push(environments.find(({ id }) => id === environment_id)?.name ?? environment_id);
          return session;
        },
        'sessions.get': async () => session,
      }) as never,
  );
  const { code, stderr } = await runSandlot(small.dataFolder, ['session', 'launch', ...words, '-o', 'json']);
  expect([code, launched.join() || stderr]).toEqual([expected, expected === 0 ? told : expect.stringContaining(told)]);
});
