// What all ways of moving a file have in common.
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { Transfer } from '../../../sandbox-engine/contract/model.ts';

export interface Moving {
  /** Hears how many bytes have been moved. */
  onMoved?: (bytes: number) => void;
  signal?: AbortSignal;
}

/** null as the error: it was given up. */
export type Outcome<T> = Reply<T> | { ok: false; error: null };

/** Has the browser save what is at the address. */
export const saveUrl = (url: string, name: string): void => {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
};

/** What a transfer is saved as: a folder comes as a tar file. */
export const fileNameOf = ({ kind, name }: Transfer): string => (kind === 'folder' ? `${name}.tar` : name);
