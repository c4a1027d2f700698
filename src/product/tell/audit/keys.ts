// The keys that sign the audit trail. They are wrapped by a master key, so that the database alone
// can neither sign nor plant a key of its own.
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { prepared, sql, type Database, type Queryable } from '../../../db/index.ts';
import { secretPlace, type Place } from '../../../core/labels.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Services } from '../../context.ts';
import { audit } from './entry.ts';

export type AuditStore = Pick<Services, 'db' | 'keys' | 'random'>;

interface KeyRow {
  readonly key: string;
  readonly wrapped_key: string;
}

/** PKCS #8 around the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const place = (key: string): Place => secretPlace('auditKey', key);

/** Where these keys are stored. */
export const wrappedAuditKeys: WrappedColumn = {
  table: 'audit_key',
  key: ['key'],
  column: 'wrapped_key',
  context: ({ key = '' }) => place(key),
};

function privateOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** The public half as text; it is also the key's name. */
function nameOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'jwk' }).x ?? '';
}

/** True where the key with this name signed the bytes; nothing but the name is needed. */
export function signedBy(name: string, bytes: Buffer, signature: Buffer): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: name }, format: 'jwk' });
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}

async function insertKey(store: AuditStore, into: Queryable): Promise<void> {
  const seed = store.random.bytes(32);
  const key = nameOf(privateOf(seed));
  await into.query(sql`
    insert into audit_key (key, wrapped_key) values (${key},
      ${await store.keys.wrap(seed, place(key))}) on conflict do nothing`);
}

/** Creates the first key unless there is one; two processes at once end with the same one. */
export async function ensureAuditKey(store: AuditStore): Promise<void> {
  const rows = await store.db.query('select 1 from audit_key where retired is null');
  if (rows.length === 0) await insertKey(store, store.db);
}

/** The key that signs now. */
export async function activeKey(db: Queryable): Promise<KeyRow> {
  const rows = await db.query<KeyRow>(prepared('audit_key_active')`
    select key, wrapped_key from audit_key where retired is null`);
  if (rows[0] === undefined) throw new Error('there is no key to sign the audit with');
  return rows[0];
}

/** Retires the signing key and creates another. What the old one signed stays valid. */
export async function rotateAuditKey(store: AuditStore, db: Database, actor: string) {
  await db.transaction(async (tx) => {
    await tx.execute('update audit_key set retired = $now where retired is null');
    await insertKey(store, tx);
    await audit(tx, { workspace: 0, actor, act: 'audit_key_rotated' });
  });
}

/** The keys of this installation: those that its master keys can unwrap. */
export class AuditKeys {
  readonly #keys: AuditStore['keys'];
  readonly #private = new Map<string, KeyObject>();
  readonly #public = new Map<string, KeyObject | null>();

  constructor(keys: AuditStore['keys']) {
    this.#keys = keys;
  }

  /** Signs with a stored key. */
  async sign(row: KeyRow, bytes: Buffer): Promise<Buffer> {
    let key = this.#private.get(row.key);
    if (key === undefined) {
      key = privateOf(await this.#keys.unwrap(row.wrapped_key, place(row.key)));
      this.#private.set(row.key, key);
    }
    return sign(null, bytes, key);
  }

  /** Loads all keys; one that does not unwrap, or has another's name, verifies nothing. */
  async load(db: Queryable): Promise<void> {
    const rows = await db.query<KeyRow>('select key, wrapped_key from audit_key');
    for (const row of rows) {
      const seed = await this.#keys.unwrap(row.wrapped_key, place(row.key)).catch(() => null);
      const key = seed === null ? null : privateOf(seed);
      const ours = key !== null && nameOf(key) === row.key;
      this.#public.set(row.key, ours ? createPublicKey(key) : null);
    }
  }

  /** True for a loaded key of this installation. */
  knows(name: string): boolean {
    return (this.#public.get(name) ?? null) !== null;
  }

  /** True where a key of this installation signed the bytes. */
  verifies(name: string, bytes: Buffer, signature: Buffer): boolean {
    const key = this.#public.get(name) ?? null;
    return key !== null && verify(null, bytes, key, signature);
  }
}
