// The text of a signed token before its signature is looked at.
import { decodeProtectedHeader } from 'jose';

/**
 * True when each part is base64url as it is written (RFC 7515): readers accept padding and ignore
 * the last bits of a part, and one token would have many texts. [G-10]
 */
export function isCanonical(token: string): boolean {
  const isPlain = (part: string): boolean =>
    Buffer.from(part, 'base64url').toString('base64url') === part;
  return token.split('.').every(isPlain);
}

/** The key that a token's header names; null when the text is no token. */
export function kidOf(token: string): string | null {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}

/** jose's errors are about the token; all else is a fault. */
export function isTokenError(error: unknown): boolean {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('ERR_J');
}
