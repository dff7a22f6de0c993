// What is too large for every test, inside real sandboxes: a JVM and a Go program as clients that are told nothing, and container engines that
// are started inside a sandbox. Source: NETWORK.md 2, G26, I05, I06.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressPattern, type Capture, canCapture, startCapture } from '../runtime/support/capture.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { ensureMoreTools } from './more-tools.ts';
import { noProxy, openToolHouse, type ToolHouse } from './tool-house.ts';

/** A client of the JVM's own kind, which reads no variable of a proxy. */
const javaClient = `import java.net.URI; import java.net.http.*;
public class Client { public static void main(String[] words) throws Exception {
  var answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(words[0])).build(), HttpResponse.BodyHandlers.ofString());
  System.out.print(answer.statusCode() + " " + answer.body()); } }`;

/** A root folder for a container inside: the sandbox's own programs. */
const makeRoot =
  'mkdir -p /tmp/root/{bin,lib,lib64,usr,tmp,proc,dev,etc} && cp -a /bin/. /tmp/root/bin 2>/dev/null; for f in usr lib lib64; do ln -sfn /$f /tmp/root/$f 2>/dev/null; done';

const reachOut = `perl -e 'use Socket; socket(my $s, 2, 1, 0); connect($s, sockaddr_in(443, inet_aton("6.6.6.6"))) and print "connected\\n"'`;

describe.each(testRuntimes)('large programs on $kind', (place) => {
  let tools: ToolHouse;
  let capture: Capture | null = null;
  beforeAll(async () => {
    tools = await openToolHouse(place, await ensureMoreTools(place.socket));
    if (canCapture) capture = await startCapture([addressPattern('6.6.6.6')]);
  }, 900_000);
  afterAll(async () => {
    await capture?.stop();
    await tools?.close();
  });

  test('I05: a JVM with no flag of a proxy reaches what is allowed, and nothing else', async () => {
    const java = (url: string) =>
      tools.run(`cd /tmp && cat >Client.java <<'END'\n${javaClient}\nEND\n${noProxy} java Client.java ${url} 2>&1 | head -n 1`);
    expect(await java('https://allowed.test/hello')).toBe('200 hello');
    expect(await java('http://blocked.test/')).toMatch(/^403 /);
    await tools.told(({ reason, host }) => reason === 'no_rule' && host === 'blocked.test');
  });

  test('I06: a program in Go reaches what is allowed, with the certificate of the server itself', async () => {
    const before = tools.server.hosts.length;
    const said = await tools.run(`GH_ENTERPRISE_TOKEN=x GH_HOST=allowed.test gh api --hostname allowed.test user`);
    expect([said, tools.server.hosts.slice(before)]).toEqual([expect.stringContaining('404'), ['allowed.test']]);
    expect(await tools.run(`${noProxy} GH_ENTERPRISE_TOKEN=x gh api --hostname blocked.test user || echo failed`)).toMatch(/failed$/);
  });

  const engines: [what: string, script: string][] = [
    ['an OCI runtime', `cd /tmp && rm -f config.json && runc spec 2>&1; runc run inner`],
    ['Podman', `podman --storage-driver=vfs --cgroup-manager=cgroupfs run --rm --network none --rootfs /tmp/root ${reachOut}`],
    [
      'Podman with the network of its host',
      `podman --storage-driver=vfs --cgroup-manager=cgroupfs run --rm --network host --rootfs /tmp/root ${reachOut}`,
    ],
    [
      'a Docker daemon',
      `docker() { command docker -H unix:///tmp/d.sock "$@"; }
      dockerd --data-root /tmp/d --exec-root /tmp/e -H unix:///tmp/d.sock --iptables=false --bridge=none >/tmp/dockerd.log 2>&1 &
      for turn in 1 2 3 4 5 6 7 8 9 10; do docker info >/dev/null 2>&1 && break; sleep 0.5; done
      tar -C / -c usr/bin/true | docker import - inner && docker run --rm --network host -v /:/h inner /h/usr/bin/perl -e 1; kill %1`,
    ],
  ];
  test.each(engines)('G26: %s inside does not run, or what it runs is caught the same', async (_what, script) => {
    await tools.run(makeRoot);
    for (const as of ['', 'sudo ']) {
      expect(await tools.run(`${as}bash -c ${JSON.stringify(`exec 2>&1; ${script}`).replaceAll('$', '\\$')}; true`)).not.toMatch(
        /^connected/m,
      );
    }
    expect([capture?.hits ?? [], tools.world.sinks.get('foreign')?.connections()]).toEqual([[], 0]);
    expect(await tools.run('curl -sS https://allowed.test/hello')).toBe('hello');
  });
});
