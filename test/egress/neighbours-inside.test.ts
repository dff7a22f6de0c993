// What is around a sandbox, from inside a real one: this machine, other containers, other sandboxes; and what hides inside what is allowed.
// Source: NETWORK.md 2, D28, D33, G20, H.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { askInside, questionFor } from './ask-inside.ts';
import { tls } from './corpus/row.ts';
import { connectInside, startInside } from './inside-sandbox.ts';
import { noProxy, openToolHouse, type ToolHouse } from './tool-house.ts';

describe.each(testRuntimes)('around a sandbox on $kind', (place) => {
  let tools: ToolHouse;
  beforeAll(async () => {
    tools = await openToolHouse(place);
  }, 600_000);
  afterAll(async () => await tools?.close());

  test('D28: another host inside TLS reaches the allowed server alone', async () => {
    const before = tools.world.sinks.get('evil.test')?.connections();
    for (const version of ['--http2', '--http1.1'])
      expect(await tools.run(`curl -sS ${version} -H 'Host: evil.test' https://allowed.test/hello`)).toBe('hello');
    expect(tools.server.hosts.slice(-2)).toEqual(['evil.test', 'evil.test']);
    expect(tools.world.sinks.get('evil.test')?.connections()).toBe(before);
  });

  test('D33: HTTP/3 that a server offers is refused at once, and what follows goes on', async () => {
    expect(await tools.run('curl -sSI https://allowed.test/hello | tr -d "\\r" | grep -i alt-svc')).toContain('h3=');
    const [heard] = await askInside(
      (command) => tools.house.run(tools.one.containerId, command),
      [{ way: 'udp', server: '198.18.0.2', port: 443, message: Buffer.alloc(1_200, 0xc0) }],
    );
    expect([heard?.why, (heard?.ms ?? 999) < 100]).toEqual(['ECONNREFUSED', true]);
    expect(await tools.run('curl -sS https://allowed.test/hello')).toBe('hello');
  });

  test('H02: the names and addresses of a host of containers lead nowhere', async () => {
    const driver = await startInside(tools.house.runtime, tools.one.containerId);
    const names = [
      'host.docker.internal',
      'gateway.docker.internal',
      'http.docker.internal',
      'host.containers.internal',
      'kubernetes.docker.internal',
    ];
    const before = tools.world.attempts.length;
    // By the proxy, by the address that the runtime's hosts file may give, and by the addresses that virtual machines use.
    for (const name of names) expect(await tools.run(`curl -sS -m 5 -o /dev/null -w '%{http_code}' http://${name}:3128/`)).toMatch(/^403$/);
    for (const name of names)
      expect(await tools.run(`${noProxy} curl -sS -m 5 -o /dev/null -w '%{http_code}' http://${name}/ || true`)).toMatch(
        /403$|000|Could not resolve/,
      );
    for (const address of ['192.168.65.254', '10.0.2.2']) {
      const connection = await connectInside(driver, { address, port: 443 });
      connection.send(tls(null));
      expect(await connection.closed()).toMatch(/^\x15/);
    }
    driver.close();
    expect(tools.seenSince(before).filter((line) => !/^(special_address|ip_literal|private_address) /.test(line))).toEqual([]);
  });

  test('H04: another container is reached neither by its address nor by a name server of the runtime', async () => {
    const before = tools.world.attempts.length;
    expect(await tools.run(`curl -sS -m 5 -o /dev/null -w '%{http_code}' http://${tools.beside.address}:8080/`)).toBe('403');
    expect(await tools.run(`${noProxy} curl -sS -m 5 -o /dev/null -w '%{http_code}' http://${tools.beside.address}:8080/`)).toBe('403');
    const [heard] = await askInside(
      (command) => tools.house.run(tools.one.containerId, command),
      [{ way: 'udp', server: '127.0.0.11', message: questionFor('allowed.test') }],
    );
    const port = `${tools.beside.address}:8080`;
    expect([heard?.why, tools.seenSince(before).filter((line) => line.endsWith(port))]).toEqual([
      'ECONNREFUSED',
      [`private_address ${port}`, `private_address ${port}`],
    ]);
  });

  test('H07: nothing that a sandbox finds in itself is a right of another', async () => {
    const found = await tools.run("sudo cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | sort -u");
    expect(found.split('\n').filter((line) => /(token|secret|password|key)=|:\/\/[^/]*@/i.test(line))).toEqual([]);
    const mounts = await tools.run('cat /proc/mounts');
    expect(mounts).not.toMatch(/docker\.sock|podman\.sock|proxy\.sock|policy\.json/);
    // What it does find is where its own proxy is, and from here that has its own policy.
    expect(await tools.run('curl -sS -m 5 -o /dev/null -w "%{http_code}" http://blocked.test/')).toBe('403');
  });

  test('G20: with the addresses of another sandbox it has still its own policy', async () => {
    const other = await tools.house.openWorldSandbox({ version: 'v1', rules: [{ action: 'allow', hosts: ['evil.test'] }] });
    const address = (await tools.house.run(other.containerId, ['getent', 'ahostsv4', 'evil.test'])).text.split(' ')[0] ?? '';
    const driver = await startInside(tools.house.runtime, tools.one.containerId);
    const connection = await connectInside(driver, { address, port: 443 });
    connection.send(tls('evil.test'));
    expect(await connection.closed()).toMatch(/^\x15/);
    driver.close();
    await tools.told(({ host, reason }) => host === 'evil.test' && reason === 'no_rule');
    expect(tools.world.sinks.get('evil.test')?.connections()).toBe(0);
  });
});
