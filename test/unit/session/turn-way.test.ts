import { expect, test } from 'vitest';
import type { NetworkRequest } from '../../../sandbox-engine/container/sandbox-network.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import type { SessionBook } from '../../../sandbox-engine/session/session-book.ts';
import { turnWay } from '../../../sandbox-engine/session/session-network.ts';
import type { SessionDeps } from '../../../sandbox-engine/session/session-parts.ts';
import { noGates } from '../../runtime/support/no-gates.ts';
import { anEnvironment, aPlan } from '../../runtime/support/session-house.ts';

test.each([
  ['none', true],
  ['unrestricted', false],
] as const)('whoever replaces the sandbox of a session whose network is %s gets a gate made: %s', async (network, isSeen) => {
  const asked: NetworkRequest[] = [];
  const networks = {
    ...noGates,
    open: async (request: NetworkRequest) => {
      asked.push(request);
      return await noGates.open(request);
    },
  };
  const book = { step: (_id: string, _name: string, work: () => unknown) => work() } as unknown as SessionBook;
  const plan = aPlan(anEnvironment({ network_policy: { version: 'v1', rules: [] } }), 'i');
  const session = { id: 'ses_1', runtime: 'docker', network, container_id: 'c1', status: 'running' } as Session;
  await turnWay({ networks } as unknown as SessionDeps, book, { plan, session, imageId: 'i', signal: new AbortController().signal });
  expect(asked.map((one) => one.isSeen)).toEqual([isSeen]);
});
