// The host without a window: opens the web door and prints one line, its URL. Everything else goes to stderr.
// `--background` is how the command line starts it: no web door until one is asked for, and an end when nobody needs it.
import { parseArgs } from 'node:util';
import type { ErrorBody } from '../sandbox-engine/contract/errors.ts';
import { createEngine, toErrorBody } from '../sandbox-engine/index.ts';
import { type Host, type HostStart, startHost } from './host/host.ts';
import { openInBrowser } from './host/open-in-browser.ts';
import { endWhenIdle, guardProcess } from './host/process-guards.ts';
import { product } from './host/product.ts';
import { openWebDoor, type WebDoor } from './web/server.ts';
import { openTroublePage } from './web/trouble-page.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    open: { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
    background: { type: 'boolean', default: false },
    'idle-seconds': { type: 'string', default: '60' },
  },
});

const announce = (url: string): void => {
  process.stdout.write(`${url}\n`);
  if (values.open) openInBrowser(url);
};

/** The web door of a host, opened at the first wish for it. */
const webDoorOf = (host: Host): (() => Promise<WebDoor>) => {
  let door: Promise<WebDoor> | null = null;
  return async () => {
    door ??= openWebDoor({ host, port: Number(values.port), rendererFolder: product.rendererFolder, isDevelopment: values.dev });
    return await door;
  };
};

const serve = async (host: Host): Promise<void> => {
  guardProcess(host);
  const openDoor = webDoorOf(host);
  host.controls.set('open', async () => ({ url: (await openDoor()).newUrl() }));
  if (values.background) endWhenIdle(host, Number(values['idle-seconds']) * 1000);
  else {
    try {
      announce((await openDoor()).newUrl());
    } catch (thrown) {
      await host.close();
      throw thrown;
    }
  }
  await host.closed;
  // Whoever looks at this terminal did not necessarily end it.
  if (!values.background) process.stderr.write('Sandlot has ended.\n');
};

const complain = (thrown: unknown): ErrorBody => {
  const error = toErrorBody(thrown, '');
  process.stderr.write(`sandlot: ${error.message}\n${error.next_action === null ? '' : `  -> ${error.next_action}\n`}`);
  return error;
};

/** Starts; where a person waits for a page, what stands in the way becomes one, until it is gone. */
const startOrTell = async (): Promise<HostStart> => {
  for (;;) {
    try {
      return await startHost({
        env: process.env,
        version: product.version,
        commandLine: product.commandLine,
        openEngine: createEngine,
        checkOutputs: values.dev,
      });
    } catch (thrown) {
      if (!values.open) throw thrown;
      const page = await openTroublePage(complain(thrown));
      announce(page.url);
      await page.triedAgain;
    }
  }
};

const main = async (): Promise<void> => {
  const start = await startOrTell();
  if (start.kind === 'started') return await serve(start.host);
  if (values.background) return undefined;
  const opened = await start.client.control('open');
  if (!opened.ok) throw new Error(opened.error.message);
  process.stderr.write('Sandlot was running already, and runs on when this ends. This is a new link to it:\n');
  announce(String(opened.value['url']));
  return undefined;
};

try {
  await main();
  process.exit();
} catch (thrown) {
  complain(thrown);
  process.exit(1);
}
