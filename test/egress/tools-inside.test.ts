// Ordinary programs inside real sandboxes: what they are told by variables changes no decision, certificates are the servers' own, and what
// builds tunnels is refused. Source: NETWORK.md 2, I.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPolicy } from '../../sandbox-engine/egress/check-policy.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { askInside, questionFor } from './ask-inside.ts';
import { noProxy, openToolHouse, type ToolHouse } from './tool-house.ts';
import { policyP1 } from './world-policy.ts';

describe.each(testRuntimes)('tools on $kind', (place) => {
  let tools: ToolHouse;
  beforeAll(async () => {
    tools = await openToolHouse(place);
  }, 600_000);
  afterAll(async () => await tools?.close());

  const node = (url: string) =>
    `NODE_EXTRA_CA_CERTS=/usr/local/share/ca-certificates/test.crt node -e "fetch('${url}').then(a => a.text()).then(t => process.stdout.write(t), e => console.log(String(e.cause ?? e)))"`;
  const python = (url: string) => `python3 -c "import urllib.request as r; print(r.urlopen('${url}').read().decode(), end='')"`;
  const allowed: [tool: string, script: string, said: string][] = [
    ['curl', 'curl -sS https://allowed.test/hello', 'hello'],
    ['curl, HTTP', 'curl -sS http://plain.test/hello', 'hello'],
    ['wget', 'wget -qO- https://allowed.test/hello', 'hello'],
    ['Python', python('https://allowed.test/hello'), 'hello'],
    ['Node', node('https://allowed.test/hello'), 'hello'],
    ['git', 'rm -rf /tmp/clone && git clone -q https://allowed.test/repo.git /tmp/clone && cat /tmp/clone/read.me', 'cloned'],
    [
      'npm',
      'NODE_EXTRA_CA_CERTS=/usr/local/share/ca-certificates/test.crt npm view demo version --registry https://allowed.test/npm/',
      '1.2.3',
    ],
    [
      'apt',
      "echo 'deb [trusted=yes] http://plain.test/debian ./' >/tmp/list && sudo apt-get -qq -o Dir::Etc::sourcelist=/tmp/list -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root update && echo updated",
      'updated',
    ],
    [
      'openssl',
      "openssl s_client -connect allowed.test:443 -servername allowed.test -verify_return_error </dev/null 2>/dev/null | grep -E '^issuer'",
      'issuer=CN = Test Authority',
    ],
  ];
  const hasTool = ([tool]: (typeof allowed)[number]) => process.platform === 'linux' || !['Node', 'npm'].includes(tool);

  test.each(allowed.filter(hasTool))(
    'I06: %s reaches what is allowed, by the variables, with the certificate of the server itself',
    async (_tool, script, said) => {
      expect(await tools.run(script)).toBe(said);
    },
  );

  test.each(allowed.filter(hasTool))('I01: %s reaches it without a single variable', async (_tool, script, said) => {
    expect(await tools.run(`${noProxy} bash -c ${JSON.stringify(script).replaceAll('$', '\\$')}`)).toBe(said);
  });

  const blocked: [id: string, what: string, script: string, log: string][] = [
    ['I01', 'a blocked name without variables', `${noProxy} curl -sS -m 5 https://blocked.test/`, 'no_rule blocked.test:443'],
    ['I02', 'every host excepted', "NO_PROXY='*' no_proxy='*' curl -sS -m 5 https://blocked.test/", 'no_rule blocked.test:443'],
    ['I02', 'a domain excepted', 'NO_PROXY=.test no_proxy=.test curl -fsS -m 5 http://evil.test/', 'no_rule evil.test:80'],
    [
      'I03',
      'a foreign proxy by name',
      'https_proxy=http://evil.test:3128 curl -sS -m 5 https://allowed.test/hello',
      'malformed_request evil.test:3128',
    ],
    [
      'I03',
      'a foreign proxy by address',
      'https_proxy=http://6.6.6.6:3128 curl -sS -m 5 https://allowed.test/hello',
      'malformed_request 6.6.6.6:3128',
    ],
    [
      'I09',
      'a reverse tunnel of ssh',
      'ssh -o StrictHostKeyChecking=no -o ConnectTimeout=5 -N -R 80:localhost:80 x@blocked.test',
      'no_rule blocked.test:22',
    ],
    ['I09', 'ssh on the port of HTTPS', 'ssh -p 443 -o StrictHostKeyChecking=no -o ConnectTimeout=5 x@evil.test', 'no_rule evil.test:443'],
    [
      'I09',
      'a tunnel over a WebSocket',
      "curl -sS -m 5 -H 'Connection: Upgrade' -H 'Upgrade: websocket' https://evil.test/tunnel",
      'no_rule evil.test:443',
    ],
    ['I09', 'an onion relay by its address', 'openssl s_client -connect 6.6.6.6:9001 -noservername </dev/null', 'ip_literal 6.6.6.6:9001'],
  ];
  test.each(blocked)('%s: %s is refused', async (_id, _what, script, log) => {
    const before = tools.world.attempts.length;
    const said = await tools.run(`${script} || echo failed`);
    await tools.told(({ reason, host, port }) => `${reason} ${host}:${port}` === log);
    expect([said.endsWith('failed') || /403|[Dd]enied|[Rr]efus|alert/.test(said), tools.seenSince(before)]).toEqual([
      true,
      expect.arrayContaining([log]),
    ]);
    expect(tools.seenSince(before).filter((line) => line.startsWith('allowed'))).toEqual([]);
    expect(['evil.test', 'blocked.test', 'foreign'].map((name) => tools.world.sinks.get(name)?.connections())).toEqual([0, 0, 0]);
  });

  test('I04: a SOCKS proxy is offered nowhere', async () => {
    expect(await tools.run('ALL_PROXY=socks5://127.0.0.1:1080 https_proxy= HTTPS_PROXY= curl -sS -m 5 https://allowed.test/hello')).toMatch(
      /refused|connect/i,
    );
    expect(
      await tools.run('all_proxy=socks5h://198.18.0.1:3128 https_proxy= HTTPS_PROXY= curl -sS -m 5 https://allowed.test/hello'),
    ).not.toContain('hello');
  });

  test('I07: git and ssh pass by a tcp rule, and nothing else by ssh', async () => {
    const key = await tools.run('rm -f ~/.ssh/id_*; ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519 && cat ~/.ssh/id_ed25519.pub');
    const prepare = `mkdir -p ~/.ssh && chmod 700 ~/.ssh && echo '${key}' >~/.ssh/authorized_keys && git init -q --bare /tmp/repo.git && git -C /tmp/repo.git config uploadpack.allowAnySHA1InWant true`;
    await tools.house.run(tools.beside.id, ['bash', '-c', `cd; ${prepare}`]);
    const options = '-o StrictHostKeyChecking=no -o ConnectTimeout=10 -o LogLevel=ERROR';
    expect(await tools.run(`ssh ${options} sandbox@ssh.test echo inside`)).toBe('inside');
    expect(
      await tools.run(
        `rm -rf /tmp/c; GIT_SSH_COMMAND="ssh ${options}" git clone -q ssh://sandbox@ssh.test/tmp/repo.git /tmp/c; test -d /tmp/c/.git && echo cloned`,
      ),
    ).toContain('cloned');
    await tools.told(({ host, port, verdict }) => host === 'ssh.test' && port === 22 && verdict === 'allowed');
    // The residual: a tunnel through what is allowed is possible, and whoever writes such a rule is told.
    expect(
      await tools.run(`ssh ${options} -f -N -L 9090:127.0.0.1:8080 sandbox@ssh.test && curl -sS -m 5 http://127.0.0.1:9090/ | head -c 20`),
    ).toContain('<!DOCTYPE');
    const checked = checkPolicy(policyP1);
    expect(checked.ok && checked.warnings.map(({ code }) => code)).toContain('uninspected_tcp');
  });

  test('I09: WireGuard and the like have no UDP', async () => {
    const message = questionFor('x.test');
    const heard = await askInside(
      (command) => tools.house.run(tools.one.containerId, command),
      [51_820, 41_641, 3_478].map((port) => ({ way: 'udp', server: '6.6.6.6', port, message })),
    );
    expect(heard.map(({ why }) => why)).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
  });
});
