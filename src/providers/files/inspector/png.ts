// Rewrites a PNG: checks checksums, keeps only the chunks that make the picture, and checks that
// its data gives exactly the declared picture. Inflates no more than that and keeps none of it.
import { crc32, createInflate } from 'node:zlib';
import { checkPixels } from './pixels.ts';
import { damaged } from './rejected-file.ts';

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With length, type and checksum. */
  readonly whole: Buffer;
}

/** Valid lengths of the kept chunks; null: checked elsewhere. */
const KEPT: ReadonlyMap<string, ((length: number) => boolean) | null> = new Map([
  ['IHDR', (length: number) => length === 13],
  ['PLTE', (length: number) => length > 0 && length <= 768 && length % 3 === 0],
  ['tRNS', (length: number) => length > 0 && length <= 256],
  ['gAMA', (length: number) => length === 4],
  ['cHRM', (length: number) => length === 32],
  ['sRGB', (length: number) => length === 1],
  ['pHYs', (length: number) => length === 9],
  ['IDAT', null],
  ['IEND', (length: number) => length === 0],
]);

/** Samples per pixel by colour type, and the bit depths allowed for each. */
const COLOURS: ReadonlyMap<number, { samples: number; depths: readonly number[] }> = new Map([
  [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, depths: [8, 16] }],
  [3, { samples: 1, depths: [1, 2, 4, 8] }],
  [4, { samples: 2, depths: [8, 16] }],
  [6, { samples: 4, depths: [8, 16] }],
]);
const PALETTE = 3;

/** First column and row, and the steps between, of an interlaced picture's passes. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The picture without metadata. Throws `Rejected`, or a RangeError if the bytes end too early. */
export async function rewritePng(bytes: Buffer): Promise<Buffer> {
  const kept: Chunk[] = [];
  for (const chunk of chunksOf(bytes)) {
    const { type, data } = chunk;
    const fits = KEPT.get(type);
    // A capital first letter means that the picture cannot be decoded without the chunk.
    if (fits === undefined && /^[A-Z]/.test(type)) throw damaged();
    if (fits === undefined) continue;
    if (fits !== null && (!fits(data.length) || kept.some((one) => one.type === type))) {
      throw damaged();
    }
    const last = kept.at(-1);
    if ((last === undefined) !== (type === 'IHDR')) throw damaged();
    if (type === 'IDAT' && last?.type !== 'IDAT' && kept.some((one) => one.type === 'IDAT')) {
      throw damaged();
    }
    if (type !== 'IDAT' && type !== 'IEND' && last?.type === 'IDAT') throw damaged();
    kept.push(chunk);
  }
  const header = kept[0] as Chunk;
  const size = sizeOf(header.data, kept.some((one) => one.type === 'PLTE'));
  const parts = kept.filter((one) => one.type === 'IDAT').map((one) => one.data);
  await checkInflated(Buffer.concat(parts), size);
  return Buffer.concat([PNG_SIGNATURE, ...kept.map((one) => one.whole)]);
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  let at = PNG_SIGNATURE.length;
  for (let type = ''; type !== 'IEND'; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw damaged();
    type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damaged();
    yield { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) };
    at = end;
  }
  if (at !== bytes.length) throw damaged();
}

/** Size in bytes of the declared picture, including each row's filter byte. */
function sizeOf(header: Buffer, hasPalette: boolean): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  checkPixels(width, height);
  const [depth = 0, type = -1, compression, filter, interlace = 2] = header.subarray(8);
  const colour = COLOURS.get(type);
  const known = colour?.depths.includes(depth) === true && compression === 0 && filter === 0;
  if (!known || interlace > 1 || (type === PALETTE && !hasPalette)) throw damaged();
  const bits = depth * colour.samples;
  const passes = interlace === 1 ? PASSES : ([[0, 0, 1, 1]] as const);
  let size = 0;
  for (const [left, top, right, down] of passes) {
    const columns = Math.ceil((width - left) / right);
    const rows = Math.ceil((height - top) / down);
    if (columns > 0 && rows > 0) size += rows * (1 + Math.ceil((columns * bits) / 8));
  }
  return size;
}

/** The data must inflate to exactly `size` bytes, with nothing after it. */
async function checkInflated(data: Buffer, size: number): Promise<void> {
  const inflate = createInflate({ chunkSize: 65_536 });
  inflate.end(data);
  let given = 0;
  try {
    for await (const piece of inflate) {
      given += (piece as Buffer).length;
      // Leaving the loop stops the inflating.
      if (given > size) break;
    }
  } catch {
    throw damaged();
  }
  if (given !== size || inflate.bytesWritten !== data.length) throw damaged();
}
