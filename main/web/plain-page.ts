// Pages without the app: a few sentences that a browser shows when there is nothing else to show. They have its look, and no script.
import { createHash } from 'node:crypto';

/** Text as it may stand between tags. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

// The colours are those of the app's tokens: a test compares them.
const light =
  '--bg:#f6f5f2;--raised:#ffffff;--sunken:#f3f2ee;--line:#e5e2dc;--line-strong:#d3cfc7;--text:#1e1c19;--text-2:#55514a;--accent:#2f54c8';
const dark =
  '--bg:#121211;--raised:#1f1f1d;--sunken:#141413;--line:#2b2a27;--line-strong:#3d3b37;--text:#ecebe7;--text-2:#b7b3ab;--accent:#8ea8ff';

const style = `:root{color-scheme:light dark;${light}}@media(prefers-color-scheme:dark){:root{${dark}}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--text);font:13px/1.45 ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
main{box-sizing:border-box;width:min(440px,100vw - 32px);margin:24px 0 12vh;padding:20px 24px 24px;border:1px solid var(--line);border-radius:10px;background:var(--raised)}
header{display:flex;align-items:center;gap:9px;font-size:14px;font-weight:650}header svg{width:22px;height:22px}
h1{margin:20px 0 6px;font-size:15px;font-weight:620}p{margin:0 0 12px;color:var(--text-2)}
pre{margin:0;padding:8px 12px;border:1px solid var(--line);border-radius:6px;background:var(--sunken);white-space:pre-wrap}code{font:12px ui-monospace,monospace}
button{padding:6px 14px;border:1px solid var(--line-strong);border-radius:6px;background:var(--raised);color:var(--text);font:inherit;font-weight:550;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}`;

const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect x="2" y="2" width="28" height="28" rx="8" fill="#e0a63a"/><path d="M8 22.5h16M8 22.5l5-9 4 6 3-4 4 7" fill="none" stroke="#2a2110" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/><circle cx="21.5" cy="10" r="2.2" fill="#2a2110"/></svg>';

/** Names the one style of these pages in a content policy. */
export const plainStyleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

/** A whole page; `body` is HTML, the title is text. */
export const plainPage = (title: string, body: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>${style}</style>
<main><header>${mark}Sandlot</header>${body}</main></html>`;
