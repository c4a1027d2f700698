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

/** What is known of a file before its bytes are read. */
export interface Offered {
  readonly type: string;
  /** Of the content as it is. */
  readonly tag: string;
  /** True if it is there compressed, too. */
  readonly packed: boolean;
}

/**
 * Sets the headers of a file. Gives whether the client takes it compressed; null: it has it, and
 * 304 is to be sent.
 */
export function offerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, tag, packed }: Offered,
  headers: Readonly<Record<string, string>>,
): boolean | null {
  const pack = packed && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  // A strong tag identifies exact bytes, and the compressed ones differ.
  const etag = pack ? `"${tag}-gzip"` : `"${tag}"`;
  void reply.headers({
    ...headers,
    'content-type': type,
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    etag,
  });
  const had = (request.headers['if-none-match'] ?? '').split(/\s*,\s*/);
  if (had.includes(etag)) return null;
  if (pack) void reply.header('content-encoding', 'gzip');
  return pack;
}

/** Sends the file, or 304 if the client has it. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Asset,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  const { tag, plain, packed } = prepare(file.text);
  const pack = offerFile(request, reply, { type: file.type, tag, packed: true }, headers);
  if (pack === null) return reply.code(304).send();
  return reply.send(pack ? packed : plain);
}
