// Photos as they are sent: a large one is shrunk in the browser as far as it stays readable. [G-52]

/** Bytes the platform accepts for one picture. */
export const MOST = 3 * 1_048_576;
/** Bytes above which a photo is not even decoded. */
const READABLE = 40 * 1_048_576;
/** Pixels of the longer side: a document's print stays readable, and the upload is short. */
const LONGER_SIDE = 2_400;
const QUALITIES = [0.88, 0.75, 0.6];

/** What the file field accepts. */
export const PICTURES = 'image/jpeg,image/png';
export const PICTURES_OR_PDF = `${PICTURES},application/pdf`;

/** The photo, small enough to be sent, or why there is none. */
export async function smallPhoto(file: File): Promise<Blob | 'large' | 'unreadable'> {
  if (file.size > READABLE) return 'large';
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return 'unreadable';
  const known = PICTURES.split(',').includes(file.type);
  const small = known && file.size <= MOST && Math.max(bitmap.width, bitmap.height) <= LONGER_SIDE;
  const blob = small ? file : await shrink(bitmap);
  bitmap.close();
  return blob ?? 'large';
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

/** A file as a data URI. */
export function dataUri(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
