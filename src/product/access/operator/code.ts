// One-time codes of the second factor (RFC 6238: SHA-1, six digits, 30 s). Finds the time step of a
// code; whether it was used before is checked in the database. Takes the time as an argument.
import { generateSecret, generateSync, generateURI } from 'otplib';
import { timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const SHAPE = /^\d{6}$/;

/** A secret for an authenticator app, base32, 160 bits. */
export function freshSecret(): string {
  return generateSecret();
}

/** The otpauth: address that an authenticator app reads from a QR code or link. */
export function secretAddress(secret: string, username: string): string {
  return generateURI({ issuer: 'Holdfast', label: username, secret });
}

/** The code of a secret at a moment (seconds since 1970, UTC). */
export function codeAt(secret: string, seconds: number): string {
  return generateSync({ secret, epoch: seconds });
}

/**
 * The time step of a code, at most one off; null for a wrong code. Always computes three codes, so
 * that timing reveals nothing.
 */
export function stepOf(secret: string, code: string, seconds: number): number | null {
  const given = Buffer.from(SHAPE.test(code) ? code : '------');
  const now = Math.floor(seconds / STEP_SECONDS);
  let found: number | null = null;
  for (const step of [now - 1, now, now + 1]) {
    const right = Buffer.from(codeAt(secret, step * STEP_SECONDS));
    if (timingSafeEqual(given, right)) found = step;
  }
  return found;
}
