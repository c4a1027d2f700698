// Prepares pictures of documents in the browser: checks type and size, and shrinks a large phone
// photo as far as it stays readable. [G-52]
import type { Picture } from './draft.ts';
import { t } from '../texts.ts';

/** Bytes the platform accepts for one picture. */
const MOST = 3 * 1_048_576;
/** Bytes above which a photo is not even decoded. */
const READABLE = 40 * 1_048_576;
/** Bytes of a PDF. */
const MOST_PDF = 10 * 1_048_576;
/** Pixels of the longer side: a document's print stays readable, and the upload is short. */
const LONGER_SIDE = 2_400;
const QUALITIES = [0.88, 0.75, 0.6];

/** What the file field accepts. */
export const PICTURES = 'image/jpeg,image/png';
export const PICTURES_OR_PDF = `${PICTURES},application/pdf`;

/** The prepared file, or the sentence why it is refused. */
export type Prepared = Picture | string;

/** Checks a file and shrinks a large photo. */
export async function prepare(file: File, pdf: boolean): Promise<Prepared> {
  if (file.size === 0) return t('kyc.picture_empty');
  if (file.type === 'application/pdf') {
    if (!pdf) return t('kyc.picture_unreadable');
    if (file.size > MOST_PDF) return t('kyc.pdf_large');
    return { name: file.name, size: file.size, blob: file, url: '' };
  }
  if (file.size > READABLE) return t('kyc.picture_large');
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return t('kyc.picture_unreadable');
  const known = PICTURES.split(',').includes(file.type);
  const small = known && file.size <= MOST && Math.max(bitmap.width, bitmap.height) <= LONGER_SIDE;
  const blob = small ? file : await shrink(bitmap);
  bitmap.close();
  if (blob === null) return t('kyc.picture_large');
  return { name: file.name, size: blob.size, blob, url: URL.createObjectURL(blob) };
}

/** The picture as a small enough JPEG; null if that is not possible. */
async function shrink(bitmap: ImageBitmap): Promise<Blob | null> {
  const share = Math.min(1, LONGER_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * share);
  canvas.height = Math.round(bitmap.height * share);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((made) => {
      canvas.toBlob(made, 'image/jpeg', quality);
    });
    if (blob !== null && blob.size <= MOST) return blob;
  }
  return null;
}

/** Frees what `prepare` made. */
export function release(picture: Picture | null): void {
  if (picture !== null && picture.url !== '') URL.revokeObjectURL(picture.url);
}

/** A file as a data URI. */
export function dataUri(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
