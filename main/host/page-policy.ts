// The content policy of the page, the same in the window and in a browser: nothing from elsewhere, and nothing inline but what carries the nonce of
// this answer. Libraries that write style elements get it from the page (renderer/src/ui/strict-styles.ts).
import { randomBytes } from 'node:crypto';

/** Where the nonce goes in the built page. */
const noncePlace = 'SANDLOT-NONCE';

/** A new nonce; each answer has its own. */
export const newNonce = (): string => randomBytes(16).toString('base64');

/** The page with the nonce in it. */
export const pageWithNonce = (html: string, nonce: string): string => html.replaceAll(noncePlace, nonce);

export interface PagePolicyOptions {
  nonce: string;
  /** Where the page may connect to beside its own origin. */
  connect?: readonly string[];
  /** Hashes of style elements of pages that are not the app. */
  styleHashes?: readonly string[];
}

/** The value of the header. */
export const pagePolicy = ({ nonce, connect = [], styleHashes = [] }: PagePolicyOptions): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", `'nonce-${nonce}'`, ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src-attr 'none'",
    ["connect-src 'self'", ...connect].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
