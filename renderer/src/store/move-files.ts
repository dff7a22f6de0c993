// Files between this browser and a session, in pieces. What is saved is handed to the browser bit by bit: it keeps large ones on disk.
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { Transfer } from '../../../sandbox-engine/contract/model.ts';
import { base64FromBytes, bytesFromBase64 } from './base64.ts';
import type { Ask } from './store.ts';

const pieceBytes = 524_288;
const foldBytes = 8_388_608;

export interface Moving {
  /** Hears how many bytes have been moved. */
  onMoved?: (bytes: number) => void;
  signal?: AbortSignal;
}

type Outcome<T> = Reply<T> | { ok: false; error: null };

const saveAs = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** Pulls a transfer and answers its bytes; null as the error when it was given up. */
export const pullBlob = async (
  ask: Ask,
  { id }: Transfer,
  { onMoved, signal }: Moving = {},
): Promise<Outcome<{ blob: Blob; note: string | null }>> => {
  let [blob, moved] = [new Blob([]), 0];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  for (;;) {
    if (signal?.aborted === true) {
      void ask('transfers.cancel', { transfer_id: id });
      return { ok: false, error: null };
    }
    const reply = await ask('transfers.read', { transfer_id: id, max_bytes: pieceBytes });
    if (!reply.ok) return reply;
    const bytes = bytesFromBase64(reply.value.data) as Uint8Array<ArrayBuffer>;
    parts.push(bytes);
    held += bytes.length;
    moved += bytes.length;
    onMoved?.(moved);
    if (held > foldBytes || reply.value.ended) {
      blob = new Blob([blob, ...parts]);
      parts = [];
      held = 0;
    }
    if (reply.value.ended) return { ok: true, value: { blob, note: reply.value.note } };
  }
};

/** Saves a transfer as a file; a folder becomes a tar file. */
export const saveTransfer = async (ask: Ask, transfer: Transfer, moving: Moving = {}): Promise<Outcome<{ note: string | null }>> => {
  const pulled = await pullBlob(ask, transfer, moving);
  if (!pulled.ok) return pulled;
  saveAs(pulled.value.blob, transfer.kind === 'folder' ? `${transfer.name}.tar` : transfer.name);
  return { ok: true, value: { note: pulled.value.note } };
};

/** Puts a file of this machine at the path in the session. */
export const sendFile = async (
  ask: Ask,
  { sessionId, path, file }: { sessionId: string; path: string; file: File },
  { onMoved, signal }: Moving = {},
): Promise<Outcome<{ path: string }>> => {
  const begun = await ask('files.upload', { session_id: sessionId, path, kind: 'file' });
  if (!begun.ok) return begun;
  const transfer_id = begun.value.id;
  for (let at = 0; at < file.size; at += pieceBytes) {
    if (signal?.aborted === true) {
      void ask('transfers.cancel', { transfer_id });
      return { ok: false, error: null };
    }
    const bytes = new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
    const reply = await ask('transfers.write', { transfer_id, data: base64FromBytes(bytes) });
    if (!reply.ok) return reply;
    onMoved?.(at + bytes.length);
  }
  return await ask('transfers.finish', { transfer_id });
};
