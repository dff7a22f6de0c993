// Files through the web door as plain HTTP: the browser writes a download to its disk, and reads an upload from it, piece by piece and each at the
// pace of the other side. The calls for transfers do the work; this only carries the bytes.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import type { CallName, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import { errorStatus } from '../../sandbox-engine/contract/errors.ts';
import type { Host } from '../host/host.ts';

const readBytes = 1_048_576;
/** As base64 it must fit into a call. */
const writeBytes = 524_288;

type Ask = <N extends CallName>(name: N, input: Record<string, unknown>) => Promise<Reply<CallOutput<N>>>;
type Piece = CallOutput<'transfers.read'>;

const askOf =
  (host: Host): Ask =>
  async (name, input) =>
    (await host.dispatch(name, input)) as Reply<CallOutput<typeof name>>;

const refuse = (reply: FastifyReply, answer: Reply<unknown> & { ok: false }): FastifyReply =>
  reply.code(errorStatus[answer.error.code]).header('cache-control', 'no-store').send(answer);

/** A header that gives the file its name, whatever stands in it. Source: RFC 6266, RFC 8187. */
export const attachmentHeader = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
};

/** The pieces from the first on. Whoever stops reading gives the transfer up. */
async function* piecesOf(ask: Ask, id: string, first: Piece): AsyncGenerator<Buffer> {
  let piece = first;
  try {
    for (;;) {
      const bytes = Buffer.from(piece.data, 'base64');
      if (bytes.length > 0) yield bytes;
      if (piece.ended) return;
      const next = await ask('transfers.read', { transfer_id: id, max_bytes: readBytes });
      // Too late for a status: the broken connection says that it is not whole, and `transfers.get` says why.
      if (!next.ok) throw new Error(next.error.message);
      piece = next.value;
    }
  } finally {
    if (!piece.ended) await ask('transfers.cancel', { transfer_id: id });
  }
}

const download = async (ask: Ask, id: string, reply: FastifyReply): Promise<FastifyReply> => {
  const known = await ask('transfers.get', { transfer_id: id });
  if (!known.ok) return refuse(reply, known);
  const first = await ask('transfers.read', { transfer_id: id, max_bytes: readBytes });
  if (!first.ok) return refuse(reply, first);
  const { name, kind, size } = known.value;
  if (kind === 'file' && size !== null) reply.header('content-length', size);
  return await reply
    .header('content-disposition', attachmentHeader(kind === 'folder' ? `${name}.tar` : name))
    .header('cache-control', 'no-store')
    .type('application/octet-stream')
    .send(Readable.from(piecesOf(ask, id, first.value), { objectMode: false, highWaterMark: readBytes }));
};

/** The bytes in pieces that a call can hold. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [parts, length]: [Buffer[], number] = [[], 0];
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + writeBytes - length);
      parts.push(part);
      at += part.length;
      length += part.length;
      if (length < writeBytes) continue;
      yield Buffer.concat(parts, length);
      [parts, length] = [[], 0];
    }
  }
  if (length > 0) yield Buffer.concat(parts, length);
}

const upload = async (ask: Ask, id: string, body: AsyncIterable<Buffer>, reply: FastifyReply): Promise<FastifyReply> => {
  try {
    for await (const piece of inPieces(body)) {
      const written = await ask('transfers.write', { transfer_id: id, data: piece.toString('base64') });
      if (!written.ok) return await refuse(reply, written);
    }
  } catch (thrown) {
    await ask('transfers.cancel', { transfer_id: id });
    throw thrown;
  }
  const finished = await ask('transfers.finish', { transfer_id: id });
  return finished.ok ? await reply.header('cache-control', 'no-store').send(finished) : refuse(reply, finished);
};

/** Adds `GET` and `POST /api/v1/transfers/ID`. */
export const addTransfers = (app: FastifyInstance, host: Host): void => {
  const ask = askOf(host);
  const path = '/api/v1/transfers/:id';
  // Not read into memory: the route takes it as it comes.
  app.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
  app.get<{ Params: { id: string } }>(path, async (request, reply) => {
    const leave = host.enter();
    reply.raw.once('close', leave);
    return await download(ask, request.params.id, reply);
  });
  app.post<{ Params: { id: string } }>(path, async (request, reply) => {
    const leave = host.enter();
    reply.raw.once('close', leave);
    return await upload(ask, request.params.id, (request.body ?? Readable.from([])) as AsyncIterable<Buffer>, reply);
  });
};
