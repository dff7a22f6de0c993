// How the web door says no: always the error shape of the contract, with the status that belongs to the code.
import { type ErrorBody, type ErrorCode, errorStatus } from '../../sandbox-engine/contract/errors.ts';
import { newRequestId } from '../host/request-id.ts';

export interface Refusal {
  status: number;
  body: { ok: false; error: ErrorBody };
}

/** Makes a refusal; `nextAction` is what a person can do. */
export const refusal = (code: ErrorCode, message: string, nextAction: string | null = null): Refusal => ({
  status: errorStatus[code],
  body: { ok: false, error: { code, message, details: {}, next_action: nextAction, request_id: newRequestId() } },
});

/** What a browser shows when a page is opened without a session. */
export const lockedPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandlot is locked</title>
<style>body{font:16px/1.5 system-ui;max-width:34rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}code{font-size:1.1em}</style>
<h1>This page needs a fresh link</h1><p>A link to Sandlot opens one browser, once. Run <code>sandlot open</code> in a terminal for a new one.</p></html>`;
