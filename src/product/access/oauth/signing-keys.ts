// The keys that sign tokens: private halves are sealed, public halves are published.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { secretPlace, type Place } from '../../../core/labels.ts';
import { open, seal } from '../../../core/sealing.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import { audit } from '../../tell/audit/index.ts';
import type { OAuthServices } from './services.ts';
import { prepared, sql } from '../../../db/index.ts';

/** The one signature algorithm; no token names another. [ID2] */
export const ALGORITHM = 'ES256';

/** The current signing key. */
export interface Signer {
  readonly kid: string;
  readonly key: CryptoKey;
}

interface KeyRow {
  readonly kid: string;
  readonly public_jwk: string;
  readonly wrapped_key: string;
  readonly sealed_jwk: string;
  readonly active: boolean;
}

type Store = Pick<OAuthServices, 'db' | 'keys' | 'random'>;

const place = (kid: string): Place => secretPlace('signingKey', kid);

/** Where the keys that seal the private halves are stored. */
export const wrappedSigningKeys: WrappedColumn = {
  table: 'signing_key',
  key: ['kid'],
  column: 'wrapped_key',
  context: ({ kid = '' }) => place(kid),
};

/** Creates the first signing key unless there is one; two processes at once get the same one. */
export async function ensureSigningKey(services: Store): Promise<void> {
  const rows = await services.db.query('select 1 from signing_key where retired is null');
  if (rows.length === 0) await insertKey(services, services.db);
}

/** Retires the signing key and creates another. What it signed stays valid until it expires. */
export async function rotateSigningKey(services: Store): Promise<void> {
  await services.db.transaction(async (tx) => {
    await tx.execute('update signing_key set retired = $now where retired is null');
    await insertKey(services, tx);
    await audit(tx, { workspace: 0, actor: 'operator', act: 'signing_key_rotated' });
  });
}

async function insertKey(services: Store, into: Pick<OAuthServices['db'], 'execute'>) {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const dataKey = services.random.bytes(32);
  const wrapped = await services.keys.wrap(dataKey, place(kid));
  const privateText = JSON.stringify(await exportJWK(privateKey));
  const sealed = seal(dataKey, services.random.bytes(12), privateText, place(kid));
  await into.execute(sql`insert into signing_key (kid, public_jwk, wrapped_key, sealed_jwk)
    values (${kid}, ${JSON.stringify(publicJwk)}, ${wrapped}, ${sealed}) on conflict do nothing`);
}

/** The keys that verify, and the one that signs, as read from the database. */
export class KeyRing {
  readonly #services: Store;
  #public = new Map<string, CryptoKey>();
  #jwks: readonly JWK[] = [];
  #signer: Signer | null = null;
  /** How many reads began, and the number of the last one applied. */
  #begun = 0;
  #taken = 0;

  constructor(services: Store) {
    this.#services = services;
  }

  /**
   * Reads the keys again; a removed key no longer verifies. A read that ends after a later one has
   * been applied is dropped: it may lack the newest key.
   */
  async refresh(): Promise<void> {
    const turn = (this.#begun += 1);
    const rows = await this.#services.db.query<KeyRow>(prepared('oauth_keys')`
      select kid, public_jwk, wrapped_key, sealed_jwk, retired is null as active
      from signing_key order by created, kid`);
    const next = new Map<string, CryptoKey>();
    for (const row of rows) {
      next.set(row.kid, this.#public.get(row.kid) ?? (await importPublic(row)));
    }
    const active = rows.find((row) => row.active);
    const signer =
      active === undefined || active.kid === this.#signer?.kid
        ? this.#signer
        : { kid: active.kid, key: await this.#openPrivate(active) };
    if (turn < this.#taken) return;
    this.#taken = turn;
    this.#signer = signer;
    this.#public = next;
    this.#jwks = rows.map((row) => publicMembers(row));
  }

  async #openPrivate(row: KeyRow): Promise<CryptoKey> {
    const dataKey = await this.#services.keys.unwrap(row.wrapped_key, place(row.kid));
    const text = open(dataKey, row.sealed_jwk, place(row.kid));
    return (await importJWK(JSON.parse(text) as JWK, ALGORITHM)) as CryptoKey;
  }

  /** The key with this id, or null. */
  verifying(kid: string): CryptoKey | null {
    return this.#public.get(kid) ?? null;
  }

  /** The signing key; throws before the first `refresh`. */
  signer(): Signer {
    if (this.#signer === null) throw new Error('there is no key to sign with');
    return this.#signer;
  }

  /** The public halves in the form of RFC 7517. */
  jwks(): readonly JWK[] {
    return this.#jwks;
  }
}

async function importPublic(row: KeyRow): Promise<CryptoKey> {
  return (await importJWK(JSON.parse(row.public_jwk) as JWK, ALGORITHM)) as CryptoKey;
}

/** Named members only, so that a private one cannot slip out. */
function publicMembers(row: KeyRow): JWK {
  const { kty, crv, x, y } = JSON.parse(row.public_jwk) as Record<string, string>;
  return { kty, crv, x, y, kid: row.kid, use: 'sig', alg: ALGORITHM } as JWK;
}
