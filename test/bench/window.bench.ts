// The window: how soon it is there and can be used, how much it loads, and whether it stays fluent with ten thousand environments, with a
// log of a hundred thousand lines, and while lines come in. The limits are those of the specification. The host is the one of this process.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { openWebDoor } from '../../main/web/server.ts';
import { builtPage } from '../browser/build-page.ts';
import { makePinned, removeImages } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import { multiply } from './multiply.ts';
import { median, type Ratio } from './ratio.ts';
import { type Client, closeHere, openHere } from './typing.ts';
import { answerTimes, bundleBytes, longestFrame, measureStart, openBrowser, openWindow, scrollThrough } from './window-page.ts';

const rounds = 5;
const floodSeconds = 60;

const limit = (what: string, ours: number, baseline: number, unit: string, isBound = true): Ratio => ({
  what,
  ...{ ours, baseline, against: `the limit of ${baseline.toLocaleString('en-GB')} ${unit}` },
  bound: isBound ? { kind: 'at most', ratio: 1 } : null,
});

const repeat = async (measure: () => Promise<number>): Promise<number> => {
  const samples: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const sample = await measure();
    if (round > 0) samples.push(sample);
  }
  if (process.env['SANDLOT_BENCH_SAMPLES'] !== undefined) process.stderr.write(`${JSON.stringify(samples)}\n`);
  return median(samples);
};

const startRows = async (browser: Browser, newUrl: () => string): Promise<Ratio[]> => {
  const usable: number[] = [];
  const painted = await repeat(async () => {
    const start = await measureStart(browser, newUrl);
    usable.push(start.usable);
    return start.painted;
  });
  return [
    limit('First content of the window painted in Chromium, with 10,000 environments there', painted, 400, 'ms'),
    limit('The same, until its first page is there and can be used', median(usable.slice(1)), 1_000, 'ms'),
  ];
};

const sizeRows = async (page: string): Promise<Ratio[]> => {
  const { first, all } = await bundleBytes(page);
  return [
    limit('The bundle of the window, with terminal and editor, as gzip makes it', all, 1_200_000, 'bytes'),
    limit('What is loaded before the first page is drawn', first, 1_200_000, 'bytes', false),
  ];
};

const listRows = async (page: Page): Promise<Ratio[]> => {
  const search = page.getByRole('textbox', { name: 'Search environments by name or id' });
  const list = page.getByRole('table', { name: 'Environments' });
  const go = async (place: string): Promise<void> => void (await page.evaluate(`location.hash = ${JSON.stringify(place)}`));
  await go('#/environments');
  await list.waitFor();
  const read = async (): Promise<number> => Number(await list.getAttribute('aria-rowcount'));
  for (let tries = 0; tries < 20 && (await read()) < 10_000; tries += 1) await scrollThrough(page, '.row-list', 4_000);
  if ((await read()) < 10_000) throw new Error(`Only ${await read()} rows were read.`);
  const scrolled = await repeat(async () => {
    await page.evaluate("document.querySelector('.row-list').scrollTop = 0");
    return await longestFrame(page, () => scrollThrough(page, '.row-list', 4_000));
  });
  const filtered = await repeat(async () => {
    await search.fill('');
    return await longestFrame(page, async () => {
      await search.pressSequentially('bench 77', { delay: 40 });
      await page.getByRole('status').getByText('111 environments').waitFor();
    });
  });
  await search.fill('');
  return [
    limit('10,000 environments scrolled from the first to the last: the longest time between two frames', scrolled, 50, 'ms'),
    limit('The same while a filter is typed, letter by letter', filtered, 50, 'ms'),
  ];
};

/** Runs this script in a sandbox; answers the id of its environment once it is under way, or over. */
const runScript = async ({ call }: Client, runtime: string, script: string, isAwaited: boolean): Promise<string> => {
  const body = { name: 'log', runtime, network_policy: {}, setup: { script, timeout_seconds: 600 } };
  const { id } = await call('environments.create', { body });
  let run = await call('setup_runs.create', { environment_id: id, idempotency_key: id });
  while (isAwaited ? run.finished_at === null : run.status !== 'running')
    run = await call('setup_runs.get', { setup_run_id: run.id, wait_seconds: 5 });
  return id;
};

const longLog = `seq -f 'line %.0f of a log that is as long as logs are' 1 100000 | cut -c 1-38; echo the last line`;

const logRows = async (page: Page, client: Client, runtime: string): Promise<Ratio[]> => {
  const id = await runScript(client, runtime, longLog, true);
  const open = async (): Promise<{ first: number; whole: number }> => {
    await page.evaluate("location.hash = '#/'");
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const began = performance.now();
    await page.evaluate(`location.hash = '#/environments/${id}/setup'`);
    await page.locator('.log-row').first().waitFor();
    const first = performance.now() - began;
    await page.locator('.log-row').getByText('the last line').first().waitFor();
    return { first, whole: performance.now() - began };
  };
  const wholes: number[] = [];
  const opened = await repeat(async () => {
    const { first, whole } = await open();
    wholes.push(whole);
    return first;
  });
  await page.evaluate("document.querySelector('.log').scrollTop = 0");
  await page.locator('.log-row').getByText('line 1 of a log').first().waitFor();
  const scrolled = await repeat(async () => {
    await page.evaluate("document.querySelector('.log').scrollTop = 0");
    return await longestFrame(page, () => scrollThrough(page, '.log', 12_000));
  });
  return [
    limit('A log of 100,000 lines opened, until its first rows are there', opened, 1_000, 'ms'),
    limit('The same, until its last line is there', median(wholes.slice(1)), 1_000, 'ms', false),
    limit('The same scrolled from its first line to its last: the longest time between two frames', scrolled, 50, 'ms'),
  ];
};

const flood = `for i in $(seq ${(floodSeconds + 20) * 10}); do seq -f "$i: line %.0f of three hundred a second" 1 30; sleep 0.1; done`;

const floodRows = async (page: Page, client: Client, runtime: string): Promise<Ratio[]> => {
  const id = await runScript(client, runtime, flood, false);
  await page.evaluate(`location.hash = '#/environments/${id}/setup'`);
  await page.locator('.log-row').getByText('of three hundred').first().waitFor();
  const lines = async () => Number(await page.evaluate("document.querySelector('.log-room').clientHeight")) / 17;
  const before = await lines();
  const times = await answerTimes(page, floodSeconds * 1_000);
  const came = (await lines()) - before;
  const { setup_runs } = await client.call('setup_runs.list', { environment_id: id, limit: 1 });
  await client.call('setup_runs.cancel', { setup_run_id: setup_runs[0]?.id ?? '' });
  if (came < floodSeconds * 240) throw new Error(`Only ${came} lines came in ${floodSeconds} seconds.`);
  const slowest = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return [limit('A key answered by a frame while 300 log lines a second are drawn for a minute: the 99th of 100', slowest, 100, 'ms')];
};

/** Measures in Chromium, over a host on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-window-'));
  const docker = benchDocker();
  const built = await builtPage(folder);
  const { host, client } = await openHere(folder);
  const browser = await openBrowser();
  try {
    const { runtimes } = await client.call('runtimes.list', {});
    const runtime = runtimes.find(({ address }) => address === `unix://${docker.socket}`)?.id ?? '';
    await makePinned(client.call, runtime, 'base: debian\n');
    await multiply(join(folder, 'registry.db'), 10_000);
    const door = await openWebDoor({ host, rendererFolder: built });
    const started = await startRows(browser, door.newUrl);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await openWindow(context, door.newUrl);
    return [
      ...started,
      ...(await sizeRows(built)),
      ...(await listRows(page)),
      ...(await logRows(page, client, runtime)),
      ...(await floodRows(page, client, runtime)),
    ];
  } finally {
    await browser.close();
    await closeHere(host, client);
    await removeImages(folder);
    await rm(folder, { recursive: true, force: true });
  }
};
