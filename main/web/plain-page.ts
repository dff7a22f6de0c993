// Pages without the app: a few sentences that a browser shows when there is nothing else to show.
import { createHash } from 'node:crypto';

/** Text as it may stand between tags. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `:root{color-scheme:light dark}body{font:14px/1.55 system-ui;max-width:30rem;margin:18vh auto 0;padding:0 1rem;overflow-wrap:anywhere}
body::before{content:"Sandlot";display:block;font-weight:600;opacity:.65}h1{font-size:20px;margin:.4em 0}pre{padding:10px 12px;border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:6px;white-space:pre-wrap}
code{font-family:ui-monospace,monospace}button{font-size:1em}button{font-family:inherit;padding:.3em 1em}`;

/** Names the one style of these pages in a content policy. */
export const plainStyleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

/** A whole page; `body` is HTML, the title is text. */
export const plainPage = (title: string, body: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
${body}</html>`;
