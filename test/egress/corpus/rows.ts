// All rows of the corpus that one connection can show.
import { byProxy } from './by-proxy.ts';
import { httpRows } from './http.ts';
import { literalRows } from './literals.ts';
import { lookupRows } from './lookups.ts';
import { nameRows } from './names.ts';
import type { Row } from './row.ts';
import { tlsRows } from './tls.ts';

const written: Row[] = [...nameRows, ...literalRows, ...lookupRows, ...httpRows, ...tlsRows];

export const corpusRows: Row[] = [...written, ...written.flatMap(byProxy)];
