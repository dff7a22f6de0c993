// What pages say of things that a runtime holds which does not answer, and of more names than there is room for.
import { expect, test } from 'vitest';
import { AttachedTo } from '../../../renderer/src/environment/AttachedTo.tsx';
import { LeftOverPanel } from '../../../renderer/src/storage/LeftOverPanel.tsx';
import { useAwayIds } from '../../../renderer/src/store/use-away.ts';
import { SessionStatus } from '../../../renderer/src/ui/SessionStatus.tsx';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { drawOver } from './drawn-app.tsx';

const onDocker = { environments: { env_1: { id: 'env_1', runtime: 'docker', archived_at: null } as never } };
const nothingFound = { 'app.prune': () => ({ ok: true, value: { items: [], removed: 0 } }) };

test.each([
  ['connected', 'Nothing to remove.'],
  ['not_running', 'Nothing to remove, as far as can be seen: Docker does not answer.'],
])('left-overs while Docker is %s', async (status, said) => {
  await drawOver(
    <LeftOverPanel onRemoved={() => undefined} />,
    { ...onDocker, runtimes: [{ id: 'docker', kind: 'docker', status } as never] },
    nothingFound,
  );
  expect(document.querySelector('.panel-body')?.textContent).toBe(said);
});

const agents = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `agt_${at}`,
      { id: `agt_${at}`, name: `agent ${at}`, created_at: `2026-01-01T00:00:0${9 - at}Z`, environment_ids: ['env_1'] } as never,
    ]),
  );

test.each([
  [4, 'agent 0, agent 1, agent 2, agent 3'],
  [6, 'agent 0, agent 1, agent 2, agent 3 and 2 more'],
])('an environment that %d agents have', async (count, said) => {
  await drawOver(<AttachedTo id="env_1" />, { agents: agents(count) }, {});
  expect([...document.querySelectorAll('a')].map((one) => one.parentElement?.parentElement?.textContent)[0]).toBe(said);
});

const Seen = ({ session }: { session: Session }) => <SessionStatus session={session} away={useAwayIds()} />;

test.each([
  ['running', 'connected', 'Running'],
  ['running', 'not_running', 'Out of reach'],
  ['stopped', 'not_running', 'Stopped'],
])('a session that is %s, of a runtime that is %s', async (status, runtime, said) => {
  const session = { id: 'ses_1', status, runtime: 'docker' } as Session;
  await drawOver(
    <Seen session={session} />,
    { sessions: { ses_1: session }, runtimes: [{ id: 'docker', kind: 'docker', status: runtime } as never] },
    {},
  );
  expect(document.querySelector('.status')?.textContent).toBe(said);
});
