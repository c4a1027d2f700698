// Prepares pictures of documents in the browser: checks type and size, and shows them. [G-52]
import { smallPhoto } from '../kit/photo.ts';
import type { Picture } from './draft.ts';
import { t } from '../texts.ts';

/** Bytes of a PDF. */
const MOST_PDF = 10 * 1_048_576;

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
  const blob = await smallPhoto(file);
  if (blob === 'large') return t('kyc.picture_large');
  if (blob === 'unreadable') return t('kyc.picture_unreadable');
  return { name: file.name, size: blob.size, blob, url: URL.createObjectURL(blob) };
}

/** Frees what `prepare` made. */
export function release(picture: Picture | null): void {
  if (picture !== null && picture.url !== '') URL.revokeObjectURL(picture.url);
}
