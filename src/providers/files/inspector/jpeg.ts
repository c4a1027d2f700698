// Rewrites a JPEG: the picture byte for byte, and of everything else only what a decoder needs for
// colours and orientation. What cameras append after the picture is cut; anything else there is
// refused. Pixels are not decoded.
import { damaged } from './rejected-file.ts';
import { checkPixels } from './pixels.ts';

/** One marker and its payload; for a scan also its data. */
interface Segment {
  readonly marker: number;
  readonly start: number;
  /** Offset of the first byte after the length. */
  readonly data: number;
  readonly end: number;
}

const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;
/** Quantization and Huffman tables, and the restart interval. */
const TABLES: ReadonlySet<number> = new Set([0xdb, 0xc4, 0xdd]);
/** Baseline, extended and progressive: all that viewers support. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** More scans than a progressive picture needs only keep a decoder busy. */
const SCANS_MAX = 100;
const SOI_BYTES = Buffer.from([0xff, 0xd8]);
const EOI_BYTES = Buffer.from([0xff, EOI]);

/** True for a segment that holds no part of the picture. */
export function isApplication(marker: number): boolean {
  return (marker >= APP0 && marker <= APP15) || marker === COM;
}

/**
 * The segments after SOI, in order; returns where the picture ends. Throws `damaged`, or a
 * RangeError at the end of the bytes.
 */
export function* segmentsOf(bytes: Buffer): Generator<Segment, number> {
  let start = 2;
  for (;;) {
    if (bytes[start] !== 0xff) throw damaged();
    while (bytes[start + 1] === 0xff) start += 1;
    const marker = bytes.readUInt8(start + 1);
    if (marker === EOI) return start + 2;
    // Markers without a length: stuffed zeros, restarts and a second start are invalid here.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw damaged();
    const data = start + 4;
    let end = start + 2 + bytes.readUInt16BE(start + 2);
    if (end < data || end > bytes.length) throw damaged();
    if (marker === SOS) end = endOfScan(bytes, end);
    yield { marker, start, data, end };
    start = end;
  }
}

/** Offset of the next marker that is neither a stuffed zero nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length - 1; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] as number;
    if (next === 0x00 || (next >= 0xd0 && next <= 0xd7)) at += 1;
    else if (next !== 0xff) return at;
  }
  throw damaged();
}

/** The picture without metadata. Throws `Rejected`, or a RangeError if the bytes end too early. */
export function rewriteJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [SOI_BYTES];
  let frames = 0;
  let scans = 0;
  let hasMore = false;
  const segments = segmentsOf(bytes);
  let next = segments.next();
  for (; next.done !== true; next = segments.next()) {
    const { marker, start, data, end } = next.value;
    const payload = bytes.subarray(data, end);
    if (isApplication(marker)) {
      const replaced = applicationOf(marker, payload);
      if (replaced !== null) kept.push(replaced);
      hasMore ||= marker === APP2 && payload.toString('latin1', 0, 4) === 'MPF\0';
      continue;
    }
    if (FRAMES.has(marker)) checkFrame(payload, (frames += 1));
    else if (marker === SOS) checkScan(payload, frames, (scans += 1));
    else if (!TABLES.has(marker)) throw damaged();
    kept.push(bytes.subarray(start, end));
  }
  if (scans === 0) throw damaged();
  const trailer = bytes.subarray(next.value);
  if (!hasMore && !isOfCamera(trailer)) throw damaged();
  return Buffer.concat([...kept, EOI_BYTES]);
}

function checkFrame(payload: Buffer, frames: number): void {
  const parts = payload.readUInt8(5);
  // Four components are CMYK; a height of 0 would be given only after the picture.
  const whole = frames === 1 && payload[0] === 8 && [1, 3, 4].includes(parts);
  if (!whole || payload.length !== 6 + 3 * parts) throw damaged();
  checkPixels(payload.readUInt16BE(3), payload.readUInt16BE(1));
}

function checkScan(payload: Buffer, frames: number, scans: number): void {
  const parts = payload.readUInt8(0);
  if (frames === 0 || parts < 1 || parts > 4 || scans > SCANS_MAX) throw damaged();
}

/** The part of an application segment that is kept, built anew so that nothing else stays. */
function applicationOf(marker: number, payload: Buffer): Buffer | null {
  const text = payload.toString('latin1', 0, 6);
  if (marker === APP0 && text.startsWith('JFIF\0') && payload.length >= 14) {
    // Version, unit and density; no thumbnail.
    return segment(APP0, Buffer.concat([payload.subarray(0, 12), Buffer.alloc(2)]));
  }
  if (marker === APP14 && text.startsWith('Adobe') && payload.length >= 12) {
    return segment(APP14, payload.subarray(0, 12));
  }
  if (marker !== APP1 || text !== 'Exif\0\0') return null;
  const orientation = orientationOf(payload.subarray(6));
  return orientation === 1 ? null : segment(APP1, orientationOnly(orientation));
}

function segment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

const ORIENTATION = 0x0112;
const SHORT = 3;
/** Cameras write a few dozen. */
const ENTRIES_MAX = 200;

/** Exif orientation, 1 to 8; 1 if absent. */
function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 10 || (order !== 'II' && order !== 'MM')) return 1;
  const short = (at: number): number => {
    if (at + 2 > tiff.length) return 0;
    return order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = Math.min(short(first), ENTRIES_MAX);
  for (let n = 0; n < count; n += 1) {
    const entry = first + 2 + 12 * n;
    if (short(entry) !== ORIENTATION || short(entry + 2) !== SHORT) continue;
    const value = short(entry + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An Exif segment with the orientation only: without it a portrait photo would lie on its side. */
function orientationOnly(orientation: number): Buffer {
  const head = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01', 'latin1');
  const entry = Buffer.alloc(16);
  entry.writeUInt16BE(ORIENTATION, 0);
  entry.writeUInt16BE(SHORT, 2);
  entry.writeUInt32BE(1, 4);
  entry.writeUInt16BE(orientation, 8);
  return Buffer.concat([head, entry]);
}

const FEW_ZEROS = 64;

/**
 * True for what a camera leaves after a picture: nothing, a few zeros, or a maker's block that ends
 * with its signature. (A second picture is announced at the front: MPF.)
 */
function isOfCamera(trailer: Buffer): boolean {
  if (trailer.length <= FEW_ZEROS && trailer.every((byte) => byte === 0)) return true;
  return trailer.toString('latin1', trailer.length - 4) === 'SEFT';
}
