// Runs in the window before the page: hands it two named functions and nothing else. No generic send, no Node, no Electron.
import { contextBridge, ipcRenderer } from 'electron';
import type { AppEvent } from '../sandbox-engine/contract/events.ts' with { 'resolution-mode': 'import' };

// Written again here because a sandboxed preload can load no file; a test compares them with contract/bridge.ts.
const callChannel = 'sandlot:call';
const eventChannel = 'sandlot:event';

contextBridge.exposeInMainWorld('sandlot', {
  call: async (name: unknown, input: unknown): Promise<unknown> => await ipcRenderer.invoke(callChannel, String(name), input),
  subscribe: (listener: (event: AppEvent) => void): (() => void) => {
    // The page never sees Electron's own event, which would give it the sender.
    const hear = (_event: unknown, event: AppEvent): void => listener(event);
    ipcRenderer.on(eventChannel, hear);
    return () => {
      ipcRenderer.removeListener(eventChannel, hear);
    };
  },
});
