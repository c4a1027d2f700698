// Seals small blobs with AES-256-GCM. The associated data binds a blob to its place (tenant, table,
// row), so that two swapped blobs do not open. Knows nothing of where keys come from.
import { createCipheriv, createDecipheriv } from 'node:crypto';

/** Seals a text with a 32-byte key; `nonce` is 12 fresh random bytes; `place` is bound to it. */
export function seal(key: Buffer, nonce: Buffer, plain: string, place: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(place, 'utf8'));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** Opens what `seal` made; a wrong key, a changed blob or another place throws (a fault). */
export function open(key: Buffer, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(place, 'utf8'));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
