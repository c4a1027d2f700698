// Finds a client's credentials in a request: in an HTTP Basic header or in the body, never in both
// and never in the query. Whether they are right is checked in clients.ts.
import { refuse } from '../../../core/refusal.ts';
import type { Proof } from './clients.ts';
import { refusals } from './refusals.ts';

/** Fields of a body that name the client. */
export interface BodyCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

const BASE64 = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;
const LONGEST = 1_024;

/**
 * Reads a client's credentials. Throws `invalid_request` for two ways at once (RFC 6749, section
 * 2.3), `invalid_client` for none or unreadable ones.
 */
export function readProof(authorization: string | undefined, body: BodyCredentials): Proof {
  // A parameter without a value counts as absent (RFC 6749, section 3.2).
  const clientId = body.client_id ?? '';
  const secret = body.client_secret ?? '';
  if (authorization !== undefined) {
    const proof = readBasic(authorization);
    if (secret !== '') throw refuse(refusals.INVALID_REQUEST);
    if (clientId !== '' && clientId !== proof.clientId) throw refuse(refusals.INVALID_REQUEST);
    return proof;
  }
  if (clientId === '' || secret === '') throw refuse(refusals.INVALID_CLIENT);
  return { clientId, secret };
}

function readBasic(header: string): Proof {
  const encoded = header.length > LONGEST ? undefined : BASE64.exec(header)?.[1];
  if (encoded === undefined) throw refuse(refusals.INVALID_CLIENT);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const clientId = decode(text.slice(0, Math.max(colon, 0)));
  const secret = decode(text.slice(colon + 1));
  if (colon === -1 || clientId === '' || secret === '') throw refuse(refusals.INVALID_CLIENT);
  return { clientId, secret };
}

/** Both halves are form-encoded before base64 (RFC 6749, section 2.3.1); '' for a broken escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
