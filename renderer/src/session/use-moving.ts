// Files that are on their way into or out of a session, with how far they are.
import { useCallback, useRef, useState } from 'react';
import { saveTransfer, sendFile } from '../store/move-files.ts';
import { useAppStore } from '../store/store.ts';
import { counted } from '../ui/format.ts';
import { notifyDone, notifyFailure, notifyNotice } from '../ui/notify.tsx';

export interface MovingFile {
  id: number;
  name: string;
  way: 'in' | 'out';
  moved: number;
  /** null when nobody knows. */
  size: number | null;
  cancel: () => void;
}

export interface FileToSend {
  file: File;
  /** Below the folder that it is dropped on. */
  path: string;
}

const useMovingList = () => {
  const [moving, setMoving] = useState<MovingFile[]>([]);
  const lastId = useRef(0);
  const begin = useCallback((given: Pick<MovingFile, 'name' | 'way' | 'size'>) => {
    lastId.current += 1;
    const id = lastId.current;
    const abort = new AbortController();
    setMoving((all) => [...all, { id, moved: 0, cancel: () => abort.abort(), ...given }]);
    const onMoved = (moved: number) => setMoving((all) => all.map((one) => (one.id === id ? { ...one, moved } : one)));
    const end = () => setMoving((all) => all.filter((one) => one.id !== id));
    return { signal: abort.signal, onMoved, end };
  }, []);
  return { moving, begin };
};

/** Starts movements and tells of them. */
export const useMoving = (sessionId: string, onArrived: () => void) => {
  const store = useAppStore();
  const { moving, begin } = useMovingList();
  const sendOne = useCallback(
    async ({ file, path }: FileToSend, folder: string): Promise<boolean> => {
      const { signal, onMoved, end } = begin({ name: path, way: 'in', size: file.size });
      const reply = await sendFile(store, { sessionId, path: `${folder.replace(/\/$/, '')}/${path}`, file }, { signal, onMoved });
      end();
      if (!reply.ok && reply.error) notifyFailure(`${path} was not uploaded`, reply.error);
      return reply.ok;
    },
    [store, begin, sessionId],
  );
  const send = useCallback(
    async (files: readonly FileToSend[], folder: string) => {
      let sent = 0;
      // The first that fails ends it: the others would fail in the same way.
      for (const one of files) {
        if (!(await sendOne(one, folder))) break;
        sent += 1;
      }
      if (sent > 0) notifyDone(sent === 1 ? `${files[0]?.path ?? 'It'} is there.` : `${counted(sent, 'file is', 'files are')} there.`);
      onArrived();
    },
    [sendOne, onArrived],
  );
  const save = useCallback(
    async (path: string) => {
      const begun = await store.ask('files.download', { session_id: sessionId, path });
      if (!begun.ok) return notifyFailure('It was not downloaded', begun.error);
      const { name, size } = begun.value;
      const { signal, onMoved, end } = begin({ name, way: 'out', size });
      const reply = await saveTransfer(store, begun.value, { signal, onMoved });
      end();
      if (!reply.ok && reply.error) notifyFailure(`${name} was not downloaded`, reply.error);
      if (reply.ok && reply.value.note) notifyNotice('warning', `${name} was downloaded; ${reply.value.note}`);
    },
    [store, begin, sessionId],
  );
  return { moving, send, save };
};

const filesIn = async (entry: FileSystemEntry, before: string): Promise<FileToSend[]> => {
  const path = `${before}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File | null>((resolve) => (entry as FileSystemFileEntry).file(resolve, () => resolve(null)));
    return file === null ? [] : [{ file, path }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileToSend[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (batch.length === 0) return found;
    for (const inside of batch) found.push(...(await filesIn(inside, `${path}/`)));
  }
};

/** All files of what was dropped, those in folders too. Must be called while the event is handled. */
export const droppedFiles = async (transfer: DataTransfer): Promise<FileToSend[]> => {
  // What is no entry of a file system, such as a picture from a page, is a file all the same.
  const dropped = [...transfer.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = dropped.map(async ({ entry, file }) => {
    if (entry !== null) return await filesIn(entry, '');
    return file === null ? [] : [{ file, path: file.name }];
  });
  return (await Promise.all(found)).flat();
};
