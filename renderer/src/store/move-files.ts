// Files between this window and a session: by plain HTTP where the door has it, else in pieces by calls. What is saved is handed to the browser bit
// by bit then: it keeps large ones on disk.
import type { Transfer } from '../../../sandbox-engine/contract/model.ts';
import { base64FromBytes, bytesFromBase64 } from './base64.ts';
import { saveByDoor, sendByDoor } from './door-files.ts';
import { fileNameOf, type Moving, type Outcome, saveUrl } from './moving.ts';
import type { AppStore, Ask } from './store.ts';

const pieceBytes = 524_288;
const foldBytes = 8_388_608;

const saveAs = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  saveUrl(url, name);
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

type Door = Pick<AppStore, 'ask' | 'transferUrl'>;

/** Saves a transfer as a file. */
export const saveTransfer = async (
  { ask, transferUrl }: Door,
  transfer: Transfer,
  moving: Moving = {},
): Promise<Outcome<{ note: string | null }>> => {
  if (transferUrl !== null) return await saveByDoor(ask, transfer, transferUrl(transfer.id), moving);
  const pulled = await pullBlob(ask, transfer, moving);
  if (!pulled.ok) return pulled;
  saveAs(pulled.value.blob, fileNameOf(transfer));
  return { ok: true, value: { note: pulled.value.note } };
};

const sendInPieces = async (ask: Ask, transfer_id: string, file: File, { onMoved, signal }: Moving): Promise<Outcome<{ path: string }>> => {
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

/** Puts a file of this machine at the path in the session. */
export const sendFile = async (
  { ask, transferUrl }: Door,
  { sessionId, path, file }: { sessionId: string; path: string; file: File },
  moving: Moving = {},
): Promise<Outcome<{ path: string }>> => {
  const begun = await ask('files.upload', { session_id: sessionId, path, kind: 'file' });
  if (!begun.ok) return begun;
  const { id } = begun.value;
  if (transferUrl === null) return await sendInPieces(ask, id, file, moving);
  return await sendByDoor(ask, { transfer: begun.value, url: transferUrl(id), file }, moving);
};
