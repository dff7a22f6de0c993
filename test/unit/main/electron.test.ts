// The Electron door without Electron: what is passed in is what the door uses of it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SafeStorage } from 'electron';
import { describe, expect, test } from 'vitest';
import { createChooseFolder } from '../../../main/electron/choose-folder.ts';
import { linkInWords, routeOfLink } from '../../../main/electron/deep-link.ts';
import { type Frame, type IpcMain, openIpcDoor, type PageWindow } from '../../../main/electron/ipc.ts';
import { createKeyProtector } from '../../../main/electron/key-protector.ts';
import { createLinkGuard } from '../../../main/electron/links.ts';
import { answerPage } from '../../../main/electron/page-protocol.ts';
import { callChannel, chooseFolderCall, eventChannel } from '../../../sandbox-engine/contract/bridge.ts';
import { calls } from '../../../sandbox-engine/contract/calls.ts';
import { startSmallHost, temporaryFolder } from './small-host.ts';

const open = async () => {
  const small = await startSmallHost();
  const mainFrame: Frame = { url: 'app://sandlot/#/' };
  const sent: unknown[][] = [];
  const answers = new Map<string, Parameters<IpcMain['handle']>[1]>();
  const window: PageWindow = { isDestroyed: () => false, webContents: { mainFrame, send: (...words) => void sent.push(words) } };
  const close = openIpcDoor({
    host: small.host,
    ipcMain: { handle: (channel, answer) => void answers.set(channel, answer), removeHandler: (channel) => void answers.delete(channel) },
    window: () => window,
    chooseFolder: async () => '/home/me/project',
  });
  const call = async (senderFrame: Frame | null, ...words: unknown[]) => await answers.get(callChannel)?.({ senderFrame }, ...words);
  return { ...small, mainFrame, sent, answers, call, close };
};

describe('who may call the main process', () => {
  test('our main frame on our page is answered', async () => {
    const { call, mainFrame } = await open();
    expect(await call(mainFrame, 'templates.list', {})).toEqual({ ok: true, value: { items: [] } });
  });

  test.each<[string, (mainFrame: Frame) => Frame | null]>([
    ['a frame inside our page', () => ({ url: 'app://sandlot/#/' })],
    ['a frame of another origin', () => ({ url: 'https://evil.example/' })],
    ['a second window', () => ({ url: 'app://sandlot/' })],
    ['a frame that is gone', () => null],
    ['our frame after it went elsewhere', (mainFrame) => Object.assign(mainFrame, { url: 'https://evil.example/' })],
    ['our frame on an origin that begins like ours', (mainFrame) => Object.assign(mainFrame, { url: 'app://sandlot.evil/' })],
    ['our frame with no readable address', (mainFrame) => Object.assign(mainFrame, { url: '' })],
  ])('%s is refused on every call and hears no event', async (_case, frame) => {
    const { call, mainFrame, seen, sent, bus } = await open();
    const reply = await call(frame(mainFrame), 'setup.check', { script: 'true' });
    expect([reply?.ok === false && reply.error.code, seen]).toEqual(['forbidden', []]);
    if (frame(mainFrame) === mainFrame) {
      bus.emit('notice', { level: 'info', message: '' });
      expect(sent).toEqual([]);
    }
  });

  test.each<[string, unknown[], string]>([
    ['no argument at all', [], 'unknown_call'],
    ['a name that is no text', [{}, {}], 'unknown_call'],
    ['a missing argument', ['setup.check'], 'invalid_request'],
    ['a wrong type', ['setup.check', { script: [] }], 'invalid_request'],
    ['a text for an object', ['setup.check', 'script'], 'invalid_request'],
    ['a 10 MB string', ['setup.check', { script: 'x'.repeat(10_000_000) }], 'too_large'],
    ['a 10 MB name', ['x'.repeat(10_000_000), {}], 'unknown_call'],
  ])('%s gets a typed error and reaches no handler', async (_case, words, code) => {
    const { call, mainFrame, seen } = await open();
    const reply = await call(mainFrame, ...words);
    expect([reply?.ok === false && reply.error.code, seen]).toEqual([code, []]);
  });

  test('a folder is asked for by our page alone, and by no call of the host', async () => {
    const { call, mainFrame, seen } = await open();
    expect(await call(mainFrame, chooseFolderCall, {})).toEqual({ ok: true, value: { folder: '/home/me/project' } });
    expect(await call({ url: 'https://evil.example/' }, chooseFolderCall, {})).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect([seen, chooseFolderCall in calls]).toEqual([[], false]);
  });

  test.each([
    ['what was chosen', { canceled: false, filePaths: ['/a', '/b'] }, '/a'],
    ['nothing, when it was cancelled', { canceled: true, filePaths: [] }, null],
  ])('the dialog answers %s', async (_case, answer, wanted) => {
    const asked: unknown[] = [];
    const showOpenDialog = async (...words: unknown[]) => {
      asked.push(words);
      return answer;
    };
    expect(await createChooseFolder({ showOpenDialog }, () => 'the window')()).toBe(wanted);
    expect(await createChooseFolder({ showOpenDialog }, () => null)()).toBe(null);
    expect(asked).toEqual([['the window', { properties: ['openDirectory'] }]]);
  });

  test('events go to our page; after closing there is no channel', async () => {
    const { bus, sent, answers, close } = await open();
    bus.emit('notice', { level: 'info', message: 'hello' });
    close();
    bus.emit('notice', { level: 'info', message: 'again' });
    expect([sent, answers.size]).toEqual([[[eventChannel, { seq: 1, name: 'notice', payload: { level: 'info', message: 'hello' } }]], 0]);
  });

  test('the preload hands out two named functions, knows the two channels of the contract and sends nothing else', async () => {
    const source = await readFile(fileURLToPath(new URL('../../../preload/index.cts', import.meta.url)), 'utf8');
    const keys = [...(source.split('exposeInMainWorld')[1] ?? '').matchAll(/^ {2}(\w+):/gm)].map((match) => match[1]);
    const uses = [...source.matchAll(/ipcRenderer\.(\w+)\((\w+)/g)].map((match) => `${match[1]} ${match[2]}`);
    expect([keys, uses]).toEqual([
      ['call', 'subscribe'],
      ['invoke callChannel', 'on eventChannel', 'removeListener eventChannel'],
    ]);
    expect(source).toContain(`callChannel = '${callChannel}'`);
    expect(source).toContain(`eventChannel = '${eventChannel}'`);
  });
});

describe('links and navigation', () => {
  const tryLink = (url: string) => {
    const opened: string[] = [];
    const logged: string[] = [];
    const links = createLinkGuard(async (link) => void opened.push(link), { warn: (_fields, message) => void logged.push(message) });
    return { decision: links.decideOpen({ url }), opened, logged };
  };

  test('an https link reaches the browser exactly once and opens no window', () => {
    expect(tryLink('https://example.com')).toEqual({ decision: { action: 'deny' }, opened: ['https://example.com'], logged: [] });
  });

  test.each(['http://127.0.0.1:3000/', 'vscode://vscode-remote/attached-container+7b22/workspace'])(
    '"%s" leads into a sandbox and may be opened',
    (url) => {
      expect(tryLink(url)).toEqual({ decision: { action: 'deny' }, opened: [url], logged: [] });
    },
  );

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1.evil.example:80/',
    'vscode://vscode-remote/ssh-remote+evil/workspace',
    'vscode://evil.extension/attached-container+7b22/',
    'file:///etc/passwd',
    'search-ms:x',
    'javascript:1',
    'smb://h/x',
    'http://example.com',
    'app://sandlot/',
    'ms-msdt:/id',
    '',
    'https',
  ])('the link "%s" opens nothing and is logged', (url) => {
    expect(tryLink(url)).toEqual({ decision: { action: 'deny' }, opened: [], logged: ['a link was refused'] });
  });

  test('a navigation is stopped and opens nothing', () => {
    const opened: string[] = [];
    const did: string[] = [];
    const links = createLinkGuard(async (url) => void opened.push(url), { warn: (_fields, message) => void did.push(message) });
    links.refuse({ preventDefault: () => did.push('stopped'), url: 'https://example.com' });
    expect([did, opened]).toEqual([['stopped', 'a navigation was refused'], []]);
  });

  test.each([
    ['sandlot://runtimes', '/runtimes'],
    ['sandlot://environments/env_01k00000000000000000000000', '/environments/env_01k00000000000000000000000'],
    ['sandlot://home', '/'],
    ['sandlot://environments/env_01k00000000000000000000000/network/', '/environments/env_01k00000000000000000000000/network'],
    ['sandlot://environments/env_01k00000000000000000000000/delete', null],
    ['sandlot://environments/ses_01k00000000000000000000000', null],
    ['sandlot://settings/env_01k00000000000000000000000', null],
    ['sandlot://constructor', null],
    ['sandlot://environments/../../x', null],
    ['sandlot://app.shutdown', null],
    ['sandlot://environments/env_01k00000000000000000000000?run=1', null],
    ['https://sandlot/environments', null],
  ])('the deep link %s means %s', (link, route) => {
    expect([routeOfLink(link), linkInWords(['electron', '.', link])]).toEqual([route, route]);
  });
});

test.each([
  ['app://sandlot/', 200, 'text/html; charset=utf-8'],
  ['app://sandlot/environments/env_1', 200, 'text/html; charset=utf-8'],
  ['app://sandlot/assets/a.js', 200, 'text/javascript; charset=utf-8'],
  ['app://sandlot/assets/b.js', 404, null],
  ['app://sandlot/%2e%2e/secret.json', 404, null],
  ['app://sandlot/..%2fsecret.json', 403, null],
  ['app://sandlot/..%2f..%2f..%2fetc%2fhosts.json', 403, null],
  ['app://other/', 403, null],
])('the page at %s is answered %i with a content policy', async (url, status, type) => {
  const outer = await temporaryFolder();
  const folder = join(outer, 'renderer');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await Promise.all([
    writeFile(join(folder, 'index.html'), 'page'),
    writeFile(join(folder, 'assets', 'a.js'), '1'),
    writeFile(join(outer, 'secret.json'), '"secret"'),
  ]);
  const answer = await answerPage(folder, url);
  expect([answer.status, status === 200 ? answer.headers.get('content-type') : null]).toEqual([status, type]);
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; style-src-attr 'none'; connect-src 'self'; /,
  );
});

test('each page has a nonce of its own, the one of its policy', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'index.html'), '<meta nonce="SANDLOT-NONCE">');
  const nonces = await Promise.all(
    ['app://sandlot/', 'app://sandlot/index.html'].map(async (url) => {
      const answer = await answerPage(folder, url);
      const inPolicy = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1];
      return [inPolicy, (await answer.text()) === `<meta nonce="${inPolicy}">`] as const;
    }),
  );
  expect([nonces.map(([, isInPage]) => isInPage), nonces[0]?.[0] === nonces[1]?.[0]]).toEqual([[true, true], false]);
});

describe('the keychain', () => {
  const keychain = (isThere: boolean, backend: ReturnType<SafeStorage['getSelectedStorageBackend']>) => ({
    isEncryptionAvailable: () => isThere,
    getSelectedStorageBackend: () => backend,
    encryptString: (text: string) => Buffer.from(`locked ${text}`),
    decryptString: (bytes: Buffer) => bytes.toString().replace('locked ', ''),
  });

  test.each([
    ['linux', true, 'gnome_libsecret', true],
    ['linux', true, 'basic_text', false],
    ['linux', true, 'unknown', false],
    ['linux', false, 'gnome_libsecret', false],
    ['darwin', true, 'basic_text', true],
    ['win32', false, 'unknown', false],
  ] as const)('on %s, there: %s, by %s, wraps the key: %s', (platform, isThere, backend, expected) => {
    expect(createKeyProtector(keychain(isThere, backend), platform).isAvailable()).toBe(expected);
  });

  test('gives back every byte of the key', async () => {
    const protector = createKeyProtector(keychain(true, 'kwallet6'), 'linux');
    const key = Buffer.from([0, 255, 128, 10, 13, 195, 169]);
    const wrapped = await protector.protect(key);
    expect([wrapped.includes(key), await protector.unprotect(wrapped)]).toEqual([false, key]);
  });
});
