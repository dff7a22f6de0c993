// Files by plain HTTP, at doors that have it: the browser writes what is saved to its disk and reads what is sent from it. The page only asks how
// far it is.
import type { Transfer } from '../../../sandbox-engine/contract/model.ts';
import { fileNameOf, type Moving, type Outcome, saveUrl } from './moving.ts';
import type { Ask } from './store.ts';

const askEveryMs = 250;
const givenUp = { ok: false, error: null } as const;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, askEveryMs));

/** Hands the transfer to the browser as a download, and follows it to its end. */
export const saveByDoor = async (
  ask: Ask,
  transfer: Transfer,
  url: string,
  { onMoved, signal }: Moving = {},
): Promise<Outcome<{ note: string | null }>> => {
  saveUrl(url, fileNameOf(transfer));
  for (;;) {
    await pause();
    if (signal?.aborted === true) {
      void ask('transfers.cancel', { transfer_id: transfer.id });
      return givenUp;
    }
    const reply = await ask('transfers.get', { transfer_id: transfer.id });
    // Given up in the browser's own list of downloads.
    if (!reply.ok) return reply.error.code === 'not_found' ? givenUp : reply;
    onMoved?.(reply.value.moved);
    if (reply.value.ended) return { ok: true, value: { note: reply.value.note } };
  }
};

const brokeOff: Outcome<never> = {
  ok: false,
  error: {
    ...{ code: 'stream_broken', message: 'The connection broke off before all of it was sent.', details: {} },
    ...{ next_action: 'Upload it again.', request_id: '' },
  },
};

interface Sending {
  transfer: Transfer;
  url: string;
  file: File;
}

/** Sends the file as the body of one request. */
export const sendByDoor = async (
  ask: Ask,
  { transfer, url, file }: Sending,
  { onMoved, signal }: Moving = {},
): Promise<Outcome<{ path: string }>> => {
  let isOver = false;
  const follow = async (): Promise<void> => {
    for (await pause(); !isOver; await pause()) {
      const reply = await ask('transfers.get', { transfer_id: transfer.id });
      if (!reply.ok) return;
      onMoved?.(reply.value.moved);
    }
  };
  const headers = { 'content-type': 'application/octet-stream' };
  void follow();
  try {
    const answer = await fetch(url, { method: 'POST', body: file, headers, ...(signal === undefined ? {} : { signal }) });
    return (await answer.json()) as Outcome<{ path: string }>;
  } catch {
    if (signal?.aborted === true) return givenUp;
    // Refused in the middle of it, or the host is gone: the transfer knows why, or its question says that the host is gone.
    const reply = await ask('transfers.get', { transfer_id: transfer.id });
    return reply.ok ? brokeOff : reply;
  } finally {
    isOver = true;
  }
};
