// What `sandlot egress grant` and `grants` ask and print.
import { expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import { environment, id, openEgressHost as open } from './egress-host.ts';

test('egress grant sends the access that was seen only when that is agreed to, and says what it reached', { timeout: 60_000 }, async () => {
  const rule = { action: 'allow' as const, hosts: ['a.example'], ports: [443] };
  const answer = { rule, insert_at: 0, network_policy: { version: 'v1' as const, rules: [rule] }, warnings: [], applied_to: [] };
  const { asked, run } = await open(() => ({ 'egress.grant': async () => ({ ...answer, grant: null }) }));
  const said = await run(['grant', 'a.example:443', '-e', 'web', '--for', 'always', '--accept-access', '--preview']);
  const { network_policy, privileged } = environment;
  expect(asked).toEqual([
    {
      'egress.grant': {
        ...{ destination: 'a.example:443', for: 'always', environment_id: id('env'), preview: true },
        expected_access: { network_policy, privileged },
      },
    },
  ]);
  expect(said.stdout).toContain('as rule 1 of the environment');
  expect(said.stdout).toContain('nothing was changed');
  expect((await run(['grant', 'a.example', '--for', 'ever', '-e', 'web'])).code).toBe(2);
  expect((await run(['grant', 'a.example'])).stderr).toContain('--session SESSION or --environment ENVIRONMENT');
});

test('egress grants says when each ends, also one whose session is gone or has another environment', { timeout: 60_000 }, async () => {
  const [here, moved, gone] = [id('ses', '1'), id('ses', '2'), id('ses', '3')];
  const rule = { action: 'allow' as const, hosts: ['a.example'], ports: [443] };
  const grant = (digit: string, session: string | null) => ({
    ...{
      id: id('grt', digit),
      environment_id: id('env'),
      session_id: session,
      destination: 'a.example:443',
      rule,
      for: 'session' as const,
    },
    ...{ granted_at: '2026-11-29T10:00:00.000Z', granted_by: 'me', until: null, revoked_at: null, policy_revision: null },
  });
  const { run } = await open(() => ({
    'egress.grants': async () => ({ grants: [grant('1', here), grant('2', moved), grant('3', gone), grant('4', null)] }),
    'sessions.get': async ({ session_id }) => {
      if (session_id === gone) throw new SandlotError('not_found', 'There is no such session.');
      return { id: session_id, environment_id: session_id === here ? id('env') : id('env', '9') } as never;
    },
  }));
  const { stdout } = await run(['grants', 'web']);
  const untils = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {2,}/).at(-1));
  expect(untils).toEqual(['the end of its session', 'ended with the move of its session', 'ended with its session', 'no end']);
});
