// Checks on the text of a signed token before its signature is verified.
import { decodeProtectedHeader } from 'jose';

/**
 * True where each part is canonical base64url (RFC 7515). Decoders accept padding and ignore the
 * last bits of a part, so that one token would have many texts. [G-10]
 */
export function isCanonical(token: string): boolean {
  const isPlain = (part: string): boolean =>
    Buffer.from(part, 'base64url').toString('base64url') === part;
  return token.split('.').every(isPlain);
}

/** The key id in a token's header; null for a text that is no token. */
export function kidOf(token: string): string | null {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}

/** jose's errors are about the token; all others are faults. */
export function isTokenError(error: unknown): boolean {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('ERR_J');
}
