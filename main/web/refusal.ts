// How the web door says no: always the error shape of the contract, with the status that belongs to the code.
import { type ErrorBody, type ErrorCode, errorStatus } from '../../sandbox-engine/contract/errors.ts';
import { product } from '../host/product.ts';
import { newRequestId } from '../host/request-id.ts';
import { plainPage } from './plain-page.ts';

export interface Refusal {
  status: number;
  body: { ok: false; error: ErrorBody };
}

/** Makes a refusal; `nextAction` is what a person can do. */
export const refusal = (code: ErrorCode, message: string, nextAction: string | null = null): Refusal => ({
  status: errorStatus[code],
  body: { ok: false, error: { code, message, details: {}, next_action: nextAction, request_id: newRequestId() } },
});

// Whoever has no link is not told where Sandlot lies on this machine.
const isClone = product.commandLine !== 'sandlot';
const place = isClone ? ', in the folder of Sandlot' : '';

/** What makes a new link. */
export const openCommand = isClone ? 'bin/sandlot open' : 'sandlot open';

/** What a browser shows when a page is opened without a session. */
export const lockedPage = plainPage(
  'Sandlot is locked',
  `<h1>This page needs a fresh link</h1><p>A link to Sandlot opens one browser, once. For a new one, run this in a terminal${place}:</p><pre><code>${openCommand}</code></pre>`,
);
