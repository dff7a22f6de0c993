// Real tools through a policy that allows just what they need, inside setup runs: by the proxy variables and without, as the sandbox's user
// and as root. What reached the servers and what the log says decide, not what the tools print alone.
// Source: issue 4 ("Done when"); NETWORK.md I01, I02, I05, I06; cases.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { authority } from './tools/certificates.ts';
import { ensureNetworkTools, openToolHouse, type RunOfTools, type ToolHouse } from './tools/tool-house.ts';
import { blockedLines, toolLines, toolScript } from './tools/tool-script.ts';
import { blockedName, buildToolWorld, type ToolWorld, toolNames } from './tools/tool-world.ts';

const hosts: string[] = Object.values(toolNames);

describe.each(testRuntimes)('tools in a setup run on $kind', ({ kind, socket }) => {
  let world: ToolWorld;
  let house: ToolHouse;
  let seen: RunOfTools;

  beforeAll(async () => {
    world = await buildToolWorld();
    const image = await ensureNetworkTools(socket);
    house = await openToolHouse(world.upstream, authority);
    seen = await house.runSetup({ runtime: kind, image, rules: [{ action: 'allow', hosts }], script: toolScript });
  }, 900_000);
  afterAll(async () => {
    await house.close();
    await world.close();
  }, 120_000);

  test('every one of them works in every way, and finds what is not allowed closed', () => {
    const said = seen.lines.filter((line) => /^(ok|refused|OPEN|FAILED|variables|counts|loopback) /.test(line));
    expect(said.sort()).toEqual([...toolLines].sort());
    expect([seen.run.status, seen.run.failed_line]).toEqual(['succeeded', null]);
  });

  test('exactly the allowed hosts were reached, in both ways, and nobody else was even looked up', () => {
    expect([[...world.asked].sort(), [...world.questions].sort(), world.leaks()]).toEqual([[...hosts].sort(), [...hosts].sort(), 0]);
    const allowed = seen.attempts.filter(({ verdict }) => verdict === 'allowed');
    const ways = new Set(allowed.map(({ host, mode }) => `${host} ${mode}`));
    expect([...ways].sort()).toEqual(hosts.flatMap((host) => [`${host} explicit`, `${host} transparent`]).sort());
    expect(new Set(allowed.map(({ rule }) => rule))).toEqual(new Set([0]));
  });

  test('what was blocked is in the log by its name, and each time with the line that tried it', () => {
    const blocked = seen.attempts.filter(({ verdict }) => verdict === 'blocked');
    expect(new Set(blocked.map(({ host, reason }) => `${host} ${reason}`))).toEqual(new Set([`${blockedName} no_rule`]));
    const lines = new Set(blocked.map(({ cause }) => (cause?.kind === 'setup_line' ? cause.line : null)));
    expect([...lines].sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(blockedLines);
  });
});
