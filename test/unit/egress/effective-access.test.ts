// The effective-access view: what is open, from where, what is cut out of it, what cannot be opened. Source: NETWORK.md 1.10.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NetworkPolicy, NetworkRule, ResolvedPreset } from '../../../sandbox-engine/contract/model.ts';
import { effectiveAccess as accessSchema } from '../../../sandbox-engine/contract/model.ts';
import { effectiveAccess } from '../../../sandbox-engine/egress/effective-access.ts';
import { mcpPreset } from '../../../sandbox-engine/egress/mcp-preset.ts';
import { compilePolicy, decide } from '../../../sandbox-engine/egress/policy.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';

const policyOf = (...rules: NetworkRule[]): NetworkPolicy => ({ version: 'v1', rules });
const allow = (hosts: string[], extra: Partial<NetworkRule> = {}): NetworkRule => ({ action: 'allow', hosts, ...extra });
const deny = (hosts: string[], extra: Partial<NetworkRule> = {}): NetworkRule => ({ action: 'deny', hosts, ...extra });
const npm: ResolvedPreset = {
  id: 'npm',
  revision: 'abc',
  source: 'asked npm in the image',
  resolved_at: '2026-11-29T10:00:00.000Z',
  state: 'last_known',
  hosts: [{ host: 'registry.test', ports: [8081], uploads: true, from: 'npm config' }],
  notes: ['The registry could not be asked again.'],
};

test.each<[string, NetworkPolicy, string, string]>([
  ['{}', {}, 'unrestricted', 'Unrestricted'],
  ['no rules', policyOf(), 'none', 'No access'],
  ['one host', policyOf(allow(['x.com'])), 'limited', '1 host'],
  [
    'hosts and wildcards',
    policyOf(allow(['x.com', 'y.com', '*.x.com']), allow(['x.com'], { ports: [8443] })),
    'limited',
    '2 hosts and 1 wildcard',
  ],
  ['wildcards', policyOf(allow(['*.x.com', '*.y.com'])), 'limited', '2 wildcards'],
  ['only what is denied before', policyOf(deny(['*.x.com']), allow(['a.x.com'])), 'none', 'No access'],
  ['a preset that was never resolved', policyOf({ action: 'allow', presets: ['npm'] }), 'none', 'No access'],
])('the top line of %s', (_name, policy, access, headline) => {
  expect(effectiveAccess(policy, builtInPresets())).toMatchObject({ access, headline });
});

test('an address of this computer opens nothing, and its row says so', () => {
  const policy = policyOf(allow(['8.8.4.4', '9.9.9.9']));
  const own = () => ({ interfaces: [], gateways: ['8.8.4.4'], ownPorts: [] });
  const access = effectiveAccess(policy, builtInPresets(), own);
  expect(access.rows.map(({ host, marks }) => [host, marks.includes('this_computer')])).toEqual([
    ['8.8.4.4', true],
    ['9.9.9.9', false],
  ]);
  expect([access.headline, effectiveAccess(policy, builtInPresets()).headline]).toEqual(['1 host', '2 hosts']);
});

test('rows say where from, on which ports, how looked at, and what to mind', () => {
  const policy = policyOf(
    deny(['secret.x.com'], { note: 'Salaries' }),
    allow(['*.x.com'], { note: 'Ours' }),
    allow(['git.test.io'], { ports: [22], protocol: 'tcp' }),
    allow(['corp.test.io'], { ports: [8443], allow_private: true }),
    { action: 'allow', presets: ['npm'] },
  );
  const { rows } = effectiveAccess(policy, { ...builtInPresets(), npm });
  expect(rows).toEqual([
    {
      host: '*.x.com',
      ports: [
        { port: 443, inspected: 'tls_name', decided_by: null },
        { port: 80, inspected: 'http_name', decided_by: null },
      ],
      ...{ rule: 1, preset: null, from: 'rule 2', note: 'Ours', marks: ['plain_http'], shadowed: false, cut_by: [0] },
    },
    {
      host: 'git.test.io',
      ports: [{ port: 22, inspected: 'not_inspected', decided_by: null }],
      ...{ rule: 2, preset: null, from: 'rule 3', note: null, marks: [], shadowed: false, cut_by: [] },
    },
    {
      host: 'corp.test.io',
      ports: [{ port: 8443, inspected: 'tls_or_http_name', decided_by: null }],
      ...{ rule: 3, preset: null, from: 'rule 4', note: null, marks: ['private_addresses'], shadowed: false, cut_by: [] },
    },
    {
      host: 'registry.test',
      ports: [{ port: 8081, inspected: 'tls_or_http_name', decided_by: null }],
      ...{ rule: 4, preset: 'npm', from: 'npm config', note: null, marks: ['uploads'], shadowed: false, cut_by: [] },
    },
  ]);
});

test('what an earlier rule decides is said port by port, and a row that is never reached is marked', () => {
  const policy = policyOf(deny(['a.x.com'], { ports: [80] }), allow(['a.x.com', 'b.x.com']), allow(['b.x.com']));
  const { rows } = effectiveAccess(policy, {});
  expect(
    rows.map(({ host, rule, shadowed, ports }) => [host, rule, shadowed, ports.map(({ port, decided_by }) => `${port} ${decided_by}`)]),
  ).toEqual([
    ['a.x.com', 1, false, ['443 null', '80 0']],
    ['b.x.com', 1, false, ['443 null', '80 null']],
    ['b.x.com', 2, true, ['443 1', '80 1']],
  ]);
});

test('a deny rule says what it cuts, and is marked when it comes too late', () => {
  const policy = policyOf(
    deny(['secret.x.com', '*.y.com']),
    allow(['*.x.com', 'a.y.com', 'z.com']),
    deny(['b.x.com'], { ports: [443], note: 'late' }),
  );
  expect(effectiveAccess(policy, {}).denials).toEqual([
    { host: 'secret.x.com', ports: null, rule: 0, note: null, cuts: ['*.x.com'], shadowed: false },
    { host: '*.y.com', ports: null, rule: 0, note: null, cuts: ['a.y.com'], shadowed: false },
    { host: 'b.x.com', ports: [443], rule: 2, note: 'late', cuts: [], shadowed: true },
  ]);
});

describe('presets', () => {
  const github = builtInPresets().github as ResolvedPreset;
  test('are listed with their source and state; a newer built-in one says what it would add', () => {
    const older = {
      ...github,
      revision: '2025-01-01',
      hosts: [...github.hosts.slice(1), { ...(github.hosts[0] as object), host: 'old.github.com' }],
    } as ResolvedPreset;
    const { presets } = effectiveAccess(policyOf({ action: 'allow', presets: ['github', 'npm', 'pip'] }), { github: older, npm });
    expect(presets.map(({ id, hosts, state, newer }) => [id, hosts, state, newer])).toEqual([
      ['github', 7, 'current', { revision: github.revision, added: ['github.com'], removed: ['old.github.com'] }],
      ['npm', 1, 'last_known', null],
      ['pip', 0, 'unresolved', null],
    ]);
  });

  test('the stored hosts of a preset count, not those of this version', () => {
    const older = { ...github, revision: '2025-01-01', hosts: github.hosts.slice(0, 1) };
    expect(effectiveAccess(policyOf({ action: 'allow', presets: ['github'] }), { github: older }).headline).toBe('1 host');
  });
});

test('the hosts of MCP servers are exact, with the port of their address; what cannot be opened is said', () => {
  const servers = {
    docs: { type: 'http', url: 'https://mcp.Example.com/v1' },
    plain: { url: 'http://tools.test.io:8931/sse' },
    gem: { httpUrl: 'https://gem.test.io' },
    local: { command: 'npx', args: ['server'] },
    odd: { url: 'https://${HOST}/mcp' },
    file: { url: 'file:///etc/passwd' },
    __proto: { url: 7 },
  };
  const preset = mcpPreset(servers);
  expect(preset.hosts.map(({ host, ports, from }) => [host, ports, from])).toEqual([
    ['mcp.example.com', [443], 'MCP server "docs"'],
    ['tools.test.io', [8931], 'MCP server "plain"'],
    ['gem.test.io', [443], 'MCP server "gem"'],
  ]);
  expect(preset.notes).toEqual(['odd', 'file'].map((name) => `The address of MCP server "${name}" names no host that can be opened.`));
  expect(mcpPreset({ ...servers, docs: { url: 'https://other.test.io' } }).revision).not.toBe(preset.revision);
});

test('for any rules: a row that is live on a port is allowed there by its rule, and what no row names is blocked', () => {
  const name = fc.constantFrom('a.x.com', 'b.x.com', 'x.com', 'a.b.x.com', 'y.com');
  const host = fc.oneof(name, fc.constantFrom('*.x.com', '*.b.x.com'));
  const rule: fc.Arbitrary<NetworkRule> = fc.record({
    action: fc.constantFrom('allow' as const, 'deny' as const),
    hosts: fc.array(host, { minLength: 1, maxLength: 3 }),
    ports: fc.uniqueArray(fc.constantFrom(80, 443), { minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), name, fc.constantFrom(80, 443), (rules, asked, port) => {
      const policy = policyOf(...rules);
      const { rows } = effectiveAccess(policy, {});
      const decision = decide(compilePolicy(policy, {}), { host: asked, port });
      const live = rows.find((row) => row.host === asked && row.ports.some((one) => one.port === port && one.decided_by === null));
      if (live !== undefined) expect(decision).toMatchObject({ verdict: 'allowed', rule: live.rule });
      const named = rows.some(
        (row) => (row.host === asked || (row.host.startsWith('*') && asked.endsWith(row.host.slice(1)))) && !row.shadowed,
      );
      if (!named) expect(decision.verdict).toBe('blocked');
      expect(accessSchema.safeParse(effectiveAccess(policy, {})).success).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('what is always blocked behind a gate is not said of a policy that has none', () => {
  const open = effectiveAccess({}, {}).always_blocked.join(' ');
  const closed = effectiveAccess({ version: 'v1', rules: [] }, {}).always_blocked.join(' ');
  expect([/metadata|private addresses|UDP/i.test(open), /metadata/i.test(closed) && /UDP/.test(closed)]).toEqual([false, true]);
});
