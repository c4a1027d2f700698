// Sends an immutable file with an entity tag, 304 if the client has it, and gzip if the client
// accepts it.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { gzipSync } from 'node:zlib';
import type { Asset } from './bundles.ts';

interface Prepared {
  readonly tag: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** By content: the few files of a process, compressed at the first request. */
const prepared = new Map<string, Prepared>();

function prepare(text: string): Prepared {
  const known = prepared.get(text);
  if (known !== undefined) return known;
  const plain = Buffer.from(text);
  const tag = hash('sha256', plain, 'base64url').slice(0, 22);
  const fresh = { tag, plain, packed: gzipSync(plain, { level: 9 }) };
  prepared.set(text, fresh);
  return fresh;
}

/** Sends the file, or 304 if the client has it. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Asset,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  const { tag, plain, packed } = prepare(file.text);
  const pack = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  // A strong tag identifies exact bytes, and the compressed ones differ.
  const etag = pack ? `"${tag}-gzip"` : `"${tag}"`;
  void reply.headers({
    ...headers,
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    etag,
  });
  const had = (request.headers['if-none-match'] ?? '').split(/\s*,\s*/);
  if (had.includes(etag)) return reply.code(304).send();
  if (pack) void reply.header('content-encoding', 'gzip');
  return reply.send(pack ? packed : plain);
}
