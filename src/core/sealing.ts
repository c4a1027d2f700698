// Encrypts texts and files with AES-256-GCM. The associated data binds a ciphertext to its place
// (tenant, table, row), so that two swapped ones do not open. Keys come from the caller.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Place } from './labels.ts';

/** Encrypts with a 32-byte key; `nonce` is 12 fresh random bytes; `place` is authenticated. */
export function sealBytes(key: Buffer, nonce: Buffer, plain: Buffer, place: Place): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(place, 'utf8'));
  const body = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
}

/** Decrypts what `sealBytes` made; throws on a wrong key, changed bytes or another place. */
export function openBytes(key: Buffer, sealed: Buffer, place: Place): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAAD(Buffer.from(place, 'utf8'));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}

/** Encrypts a text, as `sealBytes` does. */
export function seal(key: Buffer, nonce: Buffer, plain: string, place: Place): string {
  return sealBytes(key, nonce, Buffer.from(plain, 'utf8'), place).toString('base64url');
}

/** Decrypts what `seal` made, as `openBytes` does. */
export function open(key: Buffer, sealed: string, place: Place): string {
  return openBytes(key, Buffer.from(sealed, 'base64url'), place).toString('utf8');
}
