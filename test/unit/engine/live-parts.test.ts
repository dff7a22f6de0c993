// Which parts of a newer configuration a running sandbox can be given.
import { expect, test } from 'vitest';
import type { Environment } from '../../../sandbox-engine/contract/model.ts';
import { configOf } from '../../../sandbox-engine/engine/launch-plan.ts';
import { differing, needsAnother } from '../../../sandbox-engine/engine/live-sessions.ts';
import { exampleEnvironment } from '../registry/example-environment.ts';

test.each([
  ['network rules', 'gate', false],
  ['network rules', 'none', true],
  ['secrets', 'none', false],
  ['files', 'gate', false],
  ['hosts of MCP servers', 'gate', false],
  ['hosts of MCP servers', 'none', true],
  // They need a mount.
  ['secret files', 'gate', true],
  ['image', 'unrestricted', true],
] as const)('%s of a session with network %s need another sandbox: %s', (part, network, isNeeded) => {
  expect(needsAnother({ network }, part)).toBe(isNeeded);
});

test('rules of which there is none are told apart from others in what a sandbox was made of', () => {
  const image = { imageId: null, source: 'active', fallback: null } as const;
  const rules = (network_policy: Environment['network_policy']) =>
    configOf({ ...exampleEnvironment(1), network_policy }, { image, cpus: 1, memoryBytes: 1, hasFiles: false })['network rules'];
  const other = /^[0-9a-f]{16}$/;
  expect([
    rules({ version: 'v1', rules: [] }),
    rules({}),
    rules({ version: 'v1', rules: [{ action: 'allow', hosts: ['a.example'] }] }),
  ]).toEqual(['closed', expect.stringMatching(other), expect.stringMatching(other)]);
});

test('a server whose host the rules open by their preset is another rule, too; without the preset it is only a file', () => {
  const image = { imageId: null, source: 'active', fallback: null } as const;
  const made = (url: string, presets: ['mcp-servers'] | []) => {
    const network_policy: Environment['network_policy'] = { version: 'v1', rules: [{ action: 'allow', hosts: ['a.example'], presets }] };
    const environment = { ...exampleEnvironment(1), network_policy, mcp_servers: { docs: { url } } };
    return configOf(environment, { image, cpus: 1, memoryBytes: 1, hasFiles: false });
  };
  const [one, two, path] = ['https://one.example/mcp', 'https://two.example/mcp', 'https://one.example/other'];
  expect(differing(made(one, ['mcp-servers']), made(two, ['mcp-servers']))).toEqual(['files', 'hosts of MCP servers']);
  expect(differing(made(one, ['mcp-servers']), made(path, ['mcp-servers']))).toEqual(['files']);
  expect(differing(made(one, []), made(two, []))).toEqual(['files']);
  // Sessions from before have it not written down.
  const { 'hosts of MCP servers': _hosts, ...before } = made(one, ['mcp-servers']);
  expect(differing(before, made(two, ['mcp-servers']))).toEqual(['files']);
});
