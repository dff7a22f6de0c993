// The desktop app: the same host with a window. A second start shows the window of the first and ends.
import { app, dialog, protocol, safeStorage } from 'electron';
import { createEngine, toErrorBody } from '../sandbox-engine/index.ts';
import { openDesktop } from './electron/desktop.ts';
import { createKeyProtector } from './electron/key-protector.ts';
import { startHost } from './host/host.ts';
import { openInBrowser } from './host/open-in-browser.ts';
import { guardProcess } from './host/process-guards.ts';
import { product } from './host/product.ts';

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]);

const main = async (): Promise<void> => {
  // The lock of Electron catches a second window of this app; the lock of the host, any other host of the data folder.
  if (!app.requestSingleInstanceLock()) return app.quit();
  await app.whenReady();
  app.setAsDefaultProtocolClient('sandlot');
  const keyProtector = createKeyProtector(safeStorage, process.platform);
  const start = await startHost({ env: process.env, version: product.version, openEngine: createEngine, keyProtector });
  if (start.kind === 'joined') {
    const opened = await start.client.control('open');
    // A host without a window answers a link for the browser.
    if (opened.ok && typeof opened.value['url'] === 'string') openInBrowser(opened.value['url']);
    return app.quit();
  }
  guardProcess(start.host);
  openDesktop(start.host, product);
  await start.host.closed;
  app.exit();
};

// Not awaited: Electron is not ready before this file has run to its end.
void main().catch((thrown: unknown) => {
  const { message, next_action } = toErrorBody(thrown, '');
  dialog.showErrorBox('Sandlot did not start', next_action === null ? message : `${message}\n\n${next_action}`);
  app.exit(1);
});
