// The desktop app: the same host with a window. A second start shows the window of the first and ends.
import { app, dialog, protocol, safeStorage } from 'electron';
import { createEngine, toErrorBody } from '../sandbox-engine/index.ts';
import { gatherLinks } from './electron/deep-link.ts';
import { openDesktop } from './electron/desktop.ts';
import { createKeyProtector } from './electron/key-protector.ts';
import { startHost } from './host/host.ts';
import { openInBrowser } from './host/open-in-browser.ts';
import { guardProcess } from './host/process-guards.ts';
import { product } from './host/product.ts';

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]);

/** Links of ours open this app; from a tree that was built by hand, Electron must be told which app that is. */
const claimLinks = (): void => {
  if (process.defaultApp) app.setAsDefaultProtocolClient('sandlot', process.execPath, [product.root]);
  else app.setAsDefaultProtocolClient('sandlot');
};

const main = async (): Promise<void> => {
  // The lock of Electron catches a second window of this app; the lock of the host, any other host of the data folder.
  if (!app.requestSingleInstanceLock()) return app.quit();
  app.enableSandbox();
  const links = gatherLinks(app, process.argv);
  await app.whenReady();
  claimLinks();
  const keyProtector = createKeyProtector(safeStorage, process.platform);
  const start = await startHost({
    env: process.env,
    version: product.version,
    commandLine: product.commandLine,
    openEngine: createEngine,
    keyProtector,
  });
  if (start.kind === 'joined') {
    const opened = await start.client.control('open');
    const url = opened.ok ? opened.value['url'] : null;
    // A host without a window answers a link for the browser, which keeps the place through its redirect.
    if (typeof url === 'string') links.follow((route) => openInBrowser(`${url}#${route}`));
    return app.quit();
  }
  guardProcess(start.host);
  openDesktop({ host: start.host, files: product, links });
  await start.host.closed;
  app.exit(Number(process.exitCode ?? 0));
};

// Not awaited: Electron is not ready before this file has run to its end.
void main().catch((thrown: unknown) => {
  const { message, next_action } = toErrorBody(thrown, '');
  dialog.showErrorBox('Sandlot did not start', next_action === null ? message : `${message}\n\n${next_action}`);
  app.exit(1);
});
