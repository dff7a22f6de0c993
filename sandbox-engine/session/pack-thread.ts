// The entry of the thread that packs folders, one after the other. It waits for the disk, and for whoever takes the sheets.
import { parentPort } from 'node:worker_threads';
import { type Packed, type PackRequest, readFolder } from './read-folder.ts';

/** What it is told for each folder. */
export interface PackOrder {
  request: PackRequest;
  /** How many sheets were taken; whoever takes one counts it here and wakes the thread. */
  taken: Int32Array;
}

/** What it says: a sheet after the other, and how far it is. The last one of a folder has none. */
export interface PackMessage {
  sheet: Uint8Array | null;
  packed: Packed;
}

/** Sheets that may wait to be taken. */
const mostWaiting = 8;

if (parentPort !== null) {
  const port = parentPort;
  const say = (message: PackMessage): void =>
    port.postMessage(message, message.sheet === null ? [] : [message.sheet.buffer as ArrayBuffer]);
  port.on('message', ({ request, taken }: PackOrder) => {
    let sent = 0;
    const packed = readFolder(request, (sheet, { files, bytes }) => {
      for (let now = Atomics.load(taken, 0); sent - now >= mostWaiting; now = Atomics.load(taken, 0)) Atomics.wait(taken, 0, now);
      sent += 1;
      say({ sheet, packed: { files, bytes, leftOut: [] } });
    });
    say({ sheet: null, packed });
  });
}
