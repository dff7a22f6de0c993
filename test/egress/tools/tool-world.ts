// The public network of the tests with real tools: a package archive, registries, a repository and a page, each behind a made-up name, over
// HTTP and over TLS with a certificate of the tests' own authority. One name is behind servers that nothing may ever reach.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { PolicyProxyOptions } from '../../../sandbox-engine/egress/policy-proxy.ts';
import { startSink } from '../sinks.ts';
import { debianRepository, npmPackage, pythonWheel } from './archives.ts';
import { certificate, certificateKey } from './certificates.ts';

/** The names that a policy has to allow for the tools to work. */
export const toolNames = {
  web: 'web.example.test',
  git: 'git.example.test',
  packages: 'packages.example.test',
  npm: 'npm.example.test',
  python: 'python.example.test',
  files: 'files.example.test',
} as const;

/** The name that no policy of the tests allows. */
export const blockedName = 'blocked.example.test';

export interface ToolWorld {
  upstream: NonNullable<PolicyProxyOptions['upstream']>;
  /** `host` of each request that was answered. */
  asked: Set<string>;
  /** Connections that reached the blocked name's servers. */
  leaks: () => number;
  /** Names that were looked up. */
  questions: Set<string>;
  close: () => Promise<void>;
}

/** A repository as files that a plain web server can serve. */
const repositoryFiles = (): Map<string, Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'sandlot-repository-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.test', ...args], { cwd: folder });
  try {
    git('init', '-q', '-b', 'main', 'work');
    git('-C', 'work', 'commit', '-q', '--allow-empty', '-m', 'first');
    git('clone', '-q', '--bare', 'work', 'bare');
    git('-C', 'bare', 'update-server-info');
    const bare = join(folder, 'bare');
    const files = readdirSync(bare, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [`/repo.git/${relative(bare, path)}`, readFileSync(path)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const wheelName = 'tiny_wheel-1.0-py3-none-any.whl';

const sites = async (): Promise<Map<string, Map<string, Buffer>>> => {
  const archiveUrl = `https://${toolNames.files}/tiny-package-1.0.0.tgz`;
  const { about, archive } = await npmPackage('tiny-package', archiveUrl);
  const links = Buffer.from(`<!DOCTYPE html><a href="https://${toolNames.files}/${wheelName}">${wheelName}</a>`);
  return new Map([
    [toolNames.web, new Map([['/hello', Buffer.from('hello\n')]])],
    [toolNames.git, repositoryFiles()],
    [toolNames.packages, await debianRepository('tiny-tool')],
    [toolNames.npm, new Map([['/tiny-package', about]])],
    [toolNames.python, new Map([['/simple/tiny-wheel/', links]])],
    [
      toolNames.files,
      new Map([
        ['/tiny-package-1.0.0.tgz', archive],
        [`/${wheelName}`, pythonWheel('tiny_wheel')],
      ]),
    ],
  ]);
};

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** Builds the world. Who builds it closes it. */
export const buildToolWorld = async (): Promise<ToolWorld> => {
  const served = await sites();
  const asked = new Set<string>();
  const questions = new Set<string>();
  const answer: RequestListener = ({ headers, url = '' }, response) => {
    const host = (headers.host ?? '').replace(/:\d+$/, '');
    asked.add(host);
    const path = new URL(url, 'http://world').pathname;
    const body = served.get(host)?.get(path);
    const type = path.endsWith('/') ? 'text/html' : path === '/tiny-package' ? 'application/json' : 'application/octet-stream';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    response.end(body);
  };
  const servers = [createServer(answer), createTlsServer({ cert: certificate, key: certificateKey }, answer)];
  const [plain = 0, secret = 0] = await Promise.all(servers.map(listen));
  const sink = await startSink(blockedName);
  const names: string[] = [...Object.values(toolNames), blockedName];
  const addressOf = (name: string): string => `20.0.0.${names.indexOf(name) + 10}`;
  const placeOf = (name: string, port: 80 | 443) => ({
    address: '127.0.0.1',
    port: name === blockedName ? sink.port : port === 80 ? plain : secret,
  });
  return {
    asked,
    questions,
    leaks: sink.connections,
    upstream: {
      resolve: async (name) => {
        questions.add(name);
        return names.includes(name)
          ? { ok: true, addresses: [addressOf(name)], ttlSeconds: 60 }
          : { ok: false, detail: `There is no ${name} in this world.` };
      },
      routes: names.flatMap((name) => ([80, 443] as const).map((port) => ({ address: addressOf(name), port, to: placeOf(name, port) }))),
    },
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all([...servers.map((server) => new Promise((resolve) => server.close(resolve))), sink.close()]);
    },
  };
};
