// Writes docs/api.md from the contract; a test compares the two. Run: npx tsx scripts/write-api-doc.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { calls } from '../sandbox-engine/contract/calls.ts';
import { errorStatus } from '../sandbox-engine/contract/errors.ts';
import { events } from '../sandbox-engine/contract/events.ts';
import * as model from '../sandbox-engine/contract/model.ts';
import { type Schema, typeText } from './type-text.ts';

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const capital = (name: string): string => `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
const isSchema = (value: unknown): value is Schema => value !== null && typeof value === 'object' && 'def' in value;
const nouns = Object.entries(model)
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .flatMap(([name, value]) => (isSchema(value) ? [{ name: capital(name), schema: value }] : []));
const nameOf = (schema: Schema): string | null => nouns.find((noun) => noun.schema === schema)?.name ?? null;

const cell = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

/** What the comment above a call or event in the source says. */
const commentOf = (source: string, name: string): string => {
  const at = source.search(new RegExp(`\\n  '?${name.replaceAll('.', '\\.')}'?: `));
  return (
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/
      .exec(source.slice(0, at))?.[1]
      ?.replaceAll(/\s*\n\s*\* ?/g, ' ')
      .trim() ?? ''
  );
};

const head = `# API

This page is written from the contract by \`scripts/write-api-doc.ts\`; a test compares the two.

One table of calls serves every door. A call has a name, one input object and one answer. Inputs are strict: an unknown key is an
error that names the key, where it stands (JSON pointer) and the nearest known one.

## Doors

| door | how |
| --- | --- |
| HTTP | \`POST http://127.0.0.1:PORT/api/v1/call/NAME\` with the input as a JSON body and \`Authorization: Bearer TOKEN\`; the token is in \`api-token\` in the data folder |
| bytes of a transfer | \`GET http://127.0.0.1:PORT/api/v1/transfers/ID\` of one that goes out, \`POST\` with the bytes as the body (\`application/octet-stream\`) of one that comes in; how it ended is told by \`transfers.get\` |
| web socket | \`ws://127.0.0.1:PORT/api/v1/socket\`, same token or the cookie of the page; send \`{"id", "name", "input"}\`, get \`{"id", "reply"}\` and \`{"event"}\` |
| unix socket | \`host.sock\` in the data folder, one JSON a line: \`{"id", "name", "input"}\`; \`{"id", "subscribe": true}\` begins events. No token: only the owner can open it |
| window | two functions of the preload, \`call(name, input)\` and \`subscribe(listener)\` |

A long data folder has its socket elsewhere, since a socket's path is short: in the run folder of the user, \`$XDG_RUNTIME_DIR\` or the
temporary folder, under \`sandlot-UID-HASH\`.

\`\`\`sh
token=$(cat "$SANDLOT_HOME/api-token"); port=$(cat "$SANDLOT_HOME/web-port")
curl -s -H "Authorization: Bearer $token" -H 'content-type: application/json' -d '{}' "http://127.0.0.1:$port/api/v1/call/environments.list"
\`\`\`

Answers are \`{"ok": true, "value": ...}\` or \`{"ok": false, "error": {code, message, details, next_action, request_id}}\`; over HTTP the status is
that of the code. A call may hold 1,048,576 characters.

**Events**: subscribe first, then call \`app.snapshot\`; drop events whose \`seq\` is not above that of the snapshot. A slow client gets fewer
\`stream.grew\` (never fewer of the others), so numbers may be missing. **Bytes are pulled**: \`stream.read\` by offset; \`stream.grew\` only says that there are more.
`;

const sourceOf = (file: string): string => readFileSync(path(`sandbox-engine/contract/${file}`), 'utf8');

/** The whole page. */
export const apiDoc = (): string => {
  const callSource = readdirSync(path('sandbox-engine/contract/calls'))
    .map((file) => sourceOf(`calls/${file}`))
    .join('\n');
  const eventSource = sourceOf('events.ts');
  const callRows = Object.entries(calls).map(
    ([name, { input, output }]) =>
      `| \`${name}\` | ${cell(typeText(input, nameOf))} | ${cell(typeText(output, nameOf))} | ${commentOf(callSource, name)} |`,
  );
  const eventRows = Object.entries(events).map(
    ([name, payload]) => `| \`${name}\` | ${cell(typeText(payload, nameOf))} | ${commentOf(eventSource, name)} |`,
  );
  const errorRows = Object.entries(errorStatus).map(([code, status]) => `| \`${code}\` | ${status} |`);
  const shapes = nouns.map(({ name, schema }) => `${name} = ${typeText(schema, nameOf, true)}`);
  return [
    head,
    `## Calls\n\n| call | input | answer | |\n| --- | --- | --- | --- |\n${callRows.join('\n')}\n`,
    `## Events\n\n| event | payload | |\n| --- | --- | --- |\n${eventRows.join('\n')}\n`,
    `## Nouns\n\n\`\`\`\n${shapes.join('\n')}\n\`\`\`\n`,
    `## Error codes\n\n| code | status |\n| --- | --- |\n${errorRows.join('\n')}\n`,
  ].join('\n');
};

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path('docs/api.md'), apiDoc());
