// A house of real gates whose sandbox has ordinary tools, trusts the test's authority and finds a real server behind allowed.test and plain.test;
// beside it runs another container on the runtime's ordinary network, with a web server and an SSH server.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNetwork } from '../../sandbox-engine/container/sandbox-network.ts';
import type { Attempt } from '../../sandbox-engine/contract/model/network.ts';
import type { testRuntimes } from '../runtime/support/test-image.ts';
import { ensureToolImage } from '../runtime/support/tool-image.ts';
import { startRealServer } from './real-server.ts';
import { authority } from './test-authority.ts';
import { openWorldHouse, type WorldHouse } from './world-house.ts';

const npmDocument = JSON.stringify({
  name: 'demo',
  'dist-tags': { latest: '1.2.3' },
  versions: { '1.2.3': { name: 'demo', version: '1.2.3' } },
});

/** What the real server has: a repository of git, a package list of apt, a package of npm. */
const fillFolder = (folder: string): void => {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main', ...words], { stdio: 'ignore' });
  const work = join(folder, 'work');
  mkdirSync(join(folder, 'debian'), { recursive: true });
  mkdirSync(join(folder, 'npm'));
  writeFileSync(join(folder, 'debian/Packages'), '');
  writeFileSync(join(folder, 'npm/demo'), npmDocument);
  git('init', '-q', work);
  writeFileSync(join(work, 'read.me'), 'cloned\n');
  git('-C', work, 'add', '.');
  git('-C', work, 'commit', '-q', '-m', 'one');
  git('clone', '-q', '--bare', work, join(folder, 'repo.git'));
  git('-C', join(folder, 'repo.git'), 'update-server-info');
};

/** Takes every variable of a proxy away. */
export const noProxy =
  'env -u HTTP_PROXY -u HTTPS_PROXY -u FTP_PROXY -u http_proxy -u https_proxy -u ftp_proxy -u NO_PROXY -u no_proxy -u NODE_USE_ENV_PROXY';

/** A container on the runtime's ordinary network, which listens on 8080 and has an SSH server on 2222. */
const startBeside = async (house: WorldHouse): Promise<{ id: string; address: string }> => {
  const id = await house.createSandbox(house.newSandboxId(), openNetwork);
  await house.runtime.startContainer(id);
  const { text } = await house.run(id, ['hostname', '-I']);
  const script = 'mkdir -p /tmp/empty && serve /tmp/empty 8080; sudo mkdir -p /etc/dropbear; sudo dropbear -R -E -p 2222';
  await house.run(id, ['bash', '-c', script]);
  return { id, address: text.split(' ')[0] ?? '' };
};

const listServices = (house: WorldHouse, beside: { address: string }, server: { tlsPort: number; plainPort: number }): void => {
  const local = (port: number) => ({ address: '127.0.0.1', port });
  const at = house.world.addressOf;
  house.world.route([
    { address: at('allowed.test'), port: 443, to: local(server.tlsPort) },
    { address: at('plain.test'), port: 80, to: local(server.plainPort) },
    { address: at('ssh.test'), port: 22, to: { address: beside.address, port: 2222 } },
  ]);
};

export type ToolHouse = Awaited<ReturnType<typeof openToolHouse>>;

/** Opens it. Who opens it closes it. */
export const openToolHouse = async (place: (typeof testRuntimes)[number], image?: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-tools-'));
  fillFolder(folder);
  const server = await startRealServer(folder);
  const house = await openWorldHouse({ ...place, image: image ?? (await ensureToolImage(place.socket)) });
  const beside = await startBeside(house);
  listServices(house, beside, server);
  const one = await house.openWorldSandbox();
  const trust = `cat >/usr/local/share/ca-certificates/test.crt <<'END'\n${authority}END\nupdate-ca-certificates`;
  await house.run(one.containerId, ['bash', '-c', trust], '0');
  const { world } = house;
  return {
    ...{ house, world, one, server, beside },
    /** What a script in the sandbox prints, errors too. */
    run: async (script: string): Promise<string> => (await house.run(one.containerId, ['bash', '-c', `exec 2>&1; ${script}`])).text,
    /** Attempts that were told of since there were so many. */
    seenSince: (before: number): string[] =>
      world.attempts
        .slice(before)
        .filter(({ sandbox_id }) => sandbox_id === one.sandboxId)
        .map(({ reason, host, port }) => `${reason} ${host}:${port}`),
    told: (isIt: (attempt: Attempt) => boolean) => world.attempted(one.sandboxId, (list) => list.some(isIt)),
    close: async () => {
      await house.closeAll();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
