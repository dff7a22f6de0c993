// Looks for secrets in bytes that should have none: images, and logs that were written before a value was a secret.
import { createFormSearch, type FormSearch } from './form-search.ts';
import type { Secret } from './redact.ts';
import { searchedForms } from './secret-forms.ts';

export interface SecretSearch {
  /** The name of a secret that stands in these bytes. */
  inBytes: (bytes: Buffer) => string | null;
  /** The same for one content that comes in pieces: answers at the piece in which it ends. */
  openPieces: () => (piece: Buffer) => string | null;
}

const findIn = (bytes: Buffer, search: FormSearch, names: ReadonlyMap<string, string>): string | null => {
  const hit = search.next(bytes, 0);
  return hit === null ? null : (names.get(bytes.toString('latin1', hit.at, hit.at + hit.length)) ?? null);
};

/** Makes the search for these values in all their spellings; null when none is long enough to be searched for. */
export const createSecretSearch = (secrets: readonly Secret[]): SecretSearch | null => {
  const names = new Map(secrets.flatMap(({ name, value }) => searchedForms(value).map((form) => [form, name])));
  if (names.size === 0) return null;
  const search = createFormSearch([...names.keys()].map((form) => Buffer.from(form, 'latin1')));
  return {
    inBytes: (bytes) => findIn(bytes, search, names),
    openPieces: () => {
      let rest: Buffer = Buffer.alloc(0);
      return (piece) => {
        const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
        rest = Buffer.from(bytes.subarray(Math.max(0, bytes.length - search.longest + 1)));
        return findIn(bytes, search, names);
      };
    },
  };
};
