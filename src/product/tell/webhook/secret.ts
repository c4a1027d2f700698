// Signing secrets: how they are created, spelled, sealed at rest and opened for signing. A secret
// is in clear text only in memory and in the one answer that shows it.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { secretPlace, type Place } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import { open, seal } from '../../../core/sealing.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Keys } from '../../../providers/keys/port.ts';

/** `v1`: HMAC-SHA256; `v1a`: ed25519. [G-62] */
export const SIGNINGS = ['v1', 'v1a'] as const;
export type Signing = (typeof SIGNINGS)[number];

/** A stored secret. */
export interface SealedSecret {
  readonly workspace: number;
  readonly endpoint_id: string;
  readonly number: number;
  readonly wrapped_key: string;
  readonly sealed: string;
}

/** Bytes of a new secret: Standard Webhooks requires 24 to 64; ed25519 has 32. */
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
/** DER in front of the 32 bytes of an ed25519 private key (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519_PUBLIC_PREFIX_BYTES = 12;
const SYMMETRIC = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** A new secret: `whsec_<base64>` for v1, `whsk_<base64>` for v1a. */
export function newSecret(random: Random, signing: Signing): string {
  const prefix = signing === 'v1' ? 'whsec_' : 'whsk_';
  return prefix + random.bytes(SECRET_BYTES).toString('base64');
}

/** True for `whsec_` and 24 to 64 bytes in base64, as every Standard Webhooks library reads it. */
export function isSymmetricSecret(secret: string): boolean {
  const match = SYMMETRIC.exec(secret);
  if (match === null) return false;
  const bytes = Buffer.from(match[1] as string, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === match[1];
}

/** The bytes behind a secret's prefix. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
}

/** The private key of a `whsk_` secret. */
export function signingKey(secret: string): ReturnType<typeof createPrivateKey> {
  const der = Buffer.concat([ED25519_PREFIX, secretBytes(secret)]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** The `whpk_<base64>` with which a receiver verifies v1a signatures; '' for v1. */
export function publicKeyOf(secret: string): string {
  if (!secret.startsWith('whsk_')) return '';
  const der = createPublicKey(signingKey(secret)).export({ format: 'der', type: 'spki' });
  return `whpk_${der.subarray(ED25519_PUBLIC_PREFIX_BYTES).toString('base64')}`;
}

/** `lineage`: of the workspace, so that a clone goes on signing with the same secrets. */
function placeOf(lineage: number, endpointId: string, number: number): Place {
  return secretPlace('webhookSecret', lineage, endpointId, number);
}

/** Where the keys of signing secrets are stored. */
export const wrappedWebhookKeys: WrappedColumn = {
  table: 'webhook_secret',
  key: ['workspace', 'endpoint_id', 'number'],
  column: 'wrapped_key',
  context: ({ lineage, endpoint_id = '', number }) =>
    placeOf(Number(lineage), endpoint_id, Number(number)),
};

/** Seals a secret for its row, under a data key of its own. */
export async function sealSecret(
  keys: Keys,
  random: Random,
  at: { readonly workspace: number; readonly endpoint_id: string; readonly number: number },
  secret: string,
): Promise<SealedSecret> {
  const place = placeOf(keys.lineageOf(at.workspace), at.endpoint_id, at.number);
  const dataKey = random.bytes(SECRET_BYTES);
  const sealed = seal(dataKey, random.bytes(NONCE_BYTES), secret, place);
  return { ...at, wrapped_key: await keys.wrap(dataKey, place), sealed };
}

/** Opens a sealed secret; throws a fault for a row that was moved or changed. */
export async function openSecret(keys: Keys, row: SealedSecret): Promise<string> {
  const place = placeOf(keys.lineageOf(row.workspace), row.endpoint_id, row.number);
  return open(await keys.unwrap(row.wrapped_key, place), row.sealed, place);
}

/** Opens secrets and caches them, so that a key service is not called for each request. */
export class SecretCache {
  readonly #keys: Keys;
  readonly #opened = new Map<string, Promise<string>>();
  readonly #max: number;

  constructor(keys: Keys, max = 1000) {
    this.#keys = keys;
    this.#max = max;
  }

  /** The secret of a row. The cache's key is the blob, so a replaced secret is never served. */
  open(row: SealedSecret): Promise<string> {
    const known = this.#opened.get(row.sealed);
    if (known !== undefined) return known;
    const opening = openSecret(this.#keys, row);
    if (this.#opened.size >= this.#max) this.#opened.clear();
    this.#opened.set(row.sealed, opening);
    // A key service that was unavailable is tried again next time.
    opening.catch(() => this.#opened.delete(row.sealed));
    return opening;
  }
}
