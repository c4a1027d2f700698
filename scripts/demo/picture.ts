// Makes small valid pictures for submissions, and the pieces from which tests make broken ones.
import { crc32, deflateSync } from 'node:zlib';

export const PNG_SIGN = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** One chunk with its length and checksum. */
export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Contents of a header. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colour?: number;
  readonly interlace?: number;
}

export function pngHeader({ width, height, ...more }: PngHeader): Buffer {
  const { depth = 8, colour = 2, interlace = 0 } = more;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlace], 8);
  return pngChunk('IHDR', data);
}

/** A picture of 8-bit RGB noise that compresses badly, with chunks before its data. */
export function png(width: number, height: number, chunks: readonly Buffer[] = []): Buffer {
  const raw = Buffer.alloc(height * (1 + width * 3));
  for (let at = 0, seed = 1; at < raw.length; at += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    raw[at] = at % (1 + width * 3) === 0 ? 0 : seed >>> 16;
  }
  const data = pngChunk('IDAT', deflateSync(raw, { level: 1 }));
  return Buffer.concat([
    PNG_SIGN,
    pngHeader({ width, height }),
    ...chunks,
    data,
    pngChunk('IEND'),
  ]);
}

/** A data URI. */
export function dataUri(mime: string, bytes: Buffer): string {
  return `data:${mime};base64,${bytes.toString('base64')}`;
}
