// Pages without the app: a few sentences that a browser shows when there is nothing else to show.
import { createHash } from 'node:crypto';

/** Text as it may stand between tags. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:34rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}
code,button{font-size:1.1em}button{font-family:inherit;padding:.3em 1em}`;

/** Names the one style of these pages in a content policy. */
export const plainStyleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

/** A whole page; `body` is HTML, the title is text. */
export const plainPage = (title: string, body: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
${body}</html>`;
