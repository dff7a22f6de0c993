// What a real browser lets happen at the web door: scripts that are not ours, and pages of other origins.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { ModuleKind, transpileModule } from 'typescript';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openWebDoor } from '../../main/web/server.ts';
import { startSmallHost } from '../unit/main/small-host.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => await browser.close());

const open = async () => {
  const small = await startSmallHost();
  const rendererFolder = join(small.dataFolder, 'page');
  await mkdir(rendererFolder);
  const head = '<!doctype html><title>ours</title><meta name="style-nonce" nonce="SANDLOT-NONCE">';
  await writeFile(join(rendererFolder, 'index.html'), `${head}<body><script type="module" src="/ours.js"></script>`);
  const styles = await readFile(new URL('../../renderer/src/ui/strict-styles.ts', import.meta.url), 'utf8');
  const { outputText } = transpileModule(styles, { compilerOptions: { module: ModuleKind.ESNext } });
  await writeFile(join(rendererFolder, 'ours.js'), `${outputText}\nallowOwnStyles(document);\nglobalThis.ours = true;`);
  const door = await openWebDoor({ host: small.host, rendererFolder });
  const context = await browser.newContext();
  onTestFinished(async () => await context.close());
  const page = await context.newPage();
  await page.goto(door.newUrl());
  return { ...small, door, context, page };
};

/** A page of another origin on loopback, where it is easiest to be mistaken for ours. */
const startForeignSite = async (): Promise<string> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>foreign</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const seen = async (page: Page, expression: string): Promise<unknown> => await page.evaluate(expression);

test('the token leaves the address and our own script runs', async () => {
  const { page, door } = await open();
  expect([page.url(), await seen(page, 'globalThis.ours')]).toEqual([`http://127.0.0.1:${door.port}/`, true]);
});

test('a script written into the page and a script from another origin are both blocked', async () => {
  const { page } = await open();
  const foreign = await startForeignSite();
  const blocked = await seen(
    page,
    `new Promise((resolve) => {
      const names = [];
      document.addEventListener('securitypolicyviolation', (event) => { names.push(event.effectiveDirective); if (names.length === 2) resolve(names); });
      for (const fill of [(script) => { script.textContent = 'globalThis.injected = true' }, (script) => { script.src = '${foreign}/x.js' }]) {
        const script = document.createElement('script');
        fill(script);
        document.head.append(script);
      }
    })`,
  );
  expect([blocked, await seen(page, '[typeof require, typeof process, typeof injected]')]).toEqual([
    ['script-src-elem', 'script-src-elem'],
    ['undefined', 'undefined', 'undefined'],
  ]);
});

test('what our libraries style by script is styled, what comes in as HTML is not', async () => {
  const { page } = await open();
  const looks = await seen(
    page,
    `(() => {
      const sheet = document.createElement('style');
      sheet.textContent = '.by-script { color: rgb(1, 1, 1) }';
      document.head.append(sheet);
      const line = document.createElement('p');
      line.className = 'by-script';
      line.setAttribute('style', 'font-weight: 700;');
      line.setAttribute('style', line.getAttribute('style') + 'top: 5px;');
      document.body.append(line);
      const box = document.createElement('div');
      box.innerHTML = '<style>p { opacity: 0 }</style><i style="color: rgb(2, 2, 2)">x</i>';
      document.body.append(box);
      const { color, fontWeight, top, opacity } = getComputedStyle(line);
      return [color, fontWeight, top, opacity, getComputedStyle(box.querySelector('i')).color];
    })()`,
  );
  expect(looks).toEqual(['rgb(1, 1, 1)', '700', '5px', '1', 'rgb(0, 0, 0)']);
});

test('our page calls over the socket; a foreign page of the same browser neither calls, nor connects, nor frames us', async () => {
  const { page, context, door, seen: reached } = await open();
  const own = `http://127.0.0.1:${door.port}`;
  const ask = `new Promise((resolve) => {
    const socket = new WebSocket('${own.replace('http', 'ws')}/api/v1/socket');
    socket.onopen = () => socket.send('{"id":1,"name":"templates.list","input":{}}');
    socket.onmessage = ({ data }) => resolve(data);
    socket.onclose = () => resolve('refused');
  })`;
  expect(await seen(page, ask)).toBe('{"id":1,"reply":{"ok":true,"value":{"items":[]}}}');
  const other = await context.newPage();
  await other.goto(await startForeignSite());
  expect(await seen(other, ask)).toBe('refused');
  const call = `fetch('${own}/api/v1/call/setup.check', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"script":"true"}' }).then(() => 'sent', () => 'refused')`;
  await seen(other, call);
  const framed = await seen(
    other,
    `new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = '${own}/';
      frame.onload = () => resolve(frame.contentDocument === null ? 'opaque' : 'readable');
      document.body.append(frame);
    })`,
  );
  expect([framed, reached, other.frames().map((frame) => frame.url().startsWith(own))]).toEqual(['opaque', [], [false, false]]);
});
