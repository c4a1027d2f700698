// Inspects one file, from its encoded text to a verdict. The content alone decides the type; the
// claimed types must agree. [G-52]
import type { FileMime } from '../port.ts';
import { decode, headOf } from './base64.ts';
import type { InspectJob, Inspected } from './jobs.ts';
import { rewriteJpeg } from './jpeg.ts';
import { PDF_SIGNATURE, rewritePdf } from './pdf.ts';
import { PNG_SIGNATURE, rewritePng } from './png.ts';
import { owned, RejectedFile } from './rejected-file.ts';

interface FileType {
  readonly mime: FileMime;
  readonly image: boolean;
  readonly signature: Buffer;
  /** Accepted claims; some clients send `img/jpg`. */
  readonly claims: readonly string[];
  rewrite(bytes: Buffer): Buffer | Promise<Buffer>;
}

const TYPES: readonly FileType[] = [
  {
    mime: 'image/jpeg',
    image: true,
    signature: Buffer.from([0xff, 0xd8, 0xff]),
    claims: ['image/jpeg', 'image/jpg', 'image/pjpeg', 'img/jpeg', 'img/jpg', '.jpg', '.jpeg'],
    rewrite: rewriteJpeg,
  },
  {
    mime: 'image/png',
    image: true,
    signature: PNG_SIGNATURE,
    claims: ['image/png', 'img/png', '.png'],
    rewrite: rewritePng,
  },
  {
    mime: 'application/pdf',
    image: false,
    signature: PDF_SIGNATURE,
    claims: ['application/pdf', '.pdf'],
    rewrite: rewritePdf,
  },
];

/** Inspects one file. Never throws, whatever the file holds. */
export async function inspect(job: InspectJob): Promise<Inspected> {
  try {
    const { bytes, claims } = contentsOf(job);
    if (bytes.length === 0) throw new RejectedFile('FILE_EMPTY');
    if (bytes.length > job.maxBytes) throw new RejectedFile('FILE_TOO_LARGE');
    const begins = (mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark);
    const type = TYPES.find(({ signature }) => begins(signature));
    if (type === undefined || (job.kind === 'image' && !type.image)) {
      throw new RejectedFile('FILE_TYPE_UNKNOWN');
    }
    const agrees = claims.every((claim) => type.claims.includes(claim.toLowerCase()));
    if (!agrees) throw new RejectedFile('FILE_TYPE_MISMATCH');
    const rewritten = await type.rewrite(bytes);
    return { ok: true, mime: type.mime, bytes: owned(rewritten) };
  } catch (error) {
    if (error instanceof RejectedFile) return { ok: false, code: error.code };
    // A read past the end of the bytes.
    if (error instanceof RangeError) return { ok: false, code: 'FILE_DAMAGED' };
    throw error;
  }
}

function contentsOf(job: InspectJob): { bytes: Buffer; claims: readonly string[] } {
  const { content, form, claims, maxBytes } = job;
  const sent = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.buffer);
  if (form === 'bytes') return { bytes: sent, claims };
  if (form === 'base64') return { bytes: decode(sent, maxBytes), claims };
  const { mime, length } = headOf(sent);
  return { bytes: decode(sent.subarray(length), maxBytes), claims: [...claims, mime] };
}
