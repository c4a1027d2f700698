// Access tokens: signed and verified here, and cached until they expire or are revoked. One
// algorithm, one issuer, one audience for each environment.
import { hash } from 'node:crypto';
import { jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose';
import type { Caller, CallerKind } from '../../../core/operation.ts';
import { claimsOf, type AccessClaims } from './claims.ts';
import type { Client } from './clients.ts';
import type { OAuthServices } from './services.ts';
import { ALGORITHM, ensureSigningKey, KeyRing } from './signing-keys.ts';
import { stillStands } from './standing.ts';
import { isCanonical, isTokenError, kidOf } from './token-text.ts';
import { SKEW_SECONDS, RevocationCache } from './revocation-cache.ts';

/** Seconds that a client's token lives. [G-10] */
export const ACCESS_SECONDS = 3_600;
/**
 * Access tokens and webhook tokens have different types, so that neither is accepted as the other.
 */
const ACCESS_TYPE = 'at+jwt';
const WEBHOOK_TYPE = 'webhook+jwt';
const MOST_CACHED = 10_000;

/** A token to issue. */
export interface Grant {
  readonly client: Pick<Client, 'clientId' | 'integrator'>;
  readonly kind: CallerKind;
  /** Wire id; null for a client's token. */
  readonly accountId: string | null;
  readonly scopes: readonly string[];
  readonly seconds: number;
  /** The family of refresh tokens that it belongs to. */
  readonly family?: string;
  /** The only authorized invoice that a session may act on. */
  readonly authorizedInvoiceId?: string | null;
}

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds after 1970. */
  readonly expiresAt: number;
}

interface Cached {
  readonly caller: Caller;
  readonly claims: AccessClaims;
  readonly client: Client;
}

/** The tokens of one environment, in one process. */
export class Tokens {
  readonly issuer: string;
  readonly audience: string;
  readonly watch: RevocationCache;
  readonly #keys: KeyRing;
  readonly #services: OAuthServices;
  readonly #remembered = new Map<string, Cached>();

  /** Use `openTokens`. */
  constructor(services: OAuthServices, issuer: string, keys: KeyRing, watch: RevocationCache) {
    this.#services = services;
    this.issuer = issuer;
    this.audience = `holdfast:${services.env}`;
    this.#keys = keys;
    this.watch = watch;
  }

  /** Signs an access token. */
  issue(grant: Grant): Promise<IssuedToken> {
    const { kind, scopes, seconds, family, authorizedInvoiceId } = grant;
    const { clientId, integrator } = grant.client;
    const account_id = grant.accountId ?? '';
    const claims = {
      ...{ client_id: clientId, integrator, account_id, scopes, kind },
      ...(family === undefined ? {} : { family }),
      ...(authorizedInvoiceId ? { authorized_invoice_id: authorizedInvoiceId } : {}),
    };
    const subject = account_id === '' ? clientId : account_id;
    return this.#sign(ACCESS_TYPE, this.audience, subject, seconds, claims);
  }

  async #sign(
    typ: string,
    audience: string,
    subject: string,
    seconds: number,
    claims: JWTPayload,
  ): Promise<IssuedToken> {
    await this.watch.freshen();
    const now = Math.floor(this.watch.now());
    const { kid, key } = this.#keys.signer();
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ, kid })
      .setIssuer(this.issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(this.#services.random.uuid())
      .setIssuedAt(now)
      .setNotBefore(now - SKEW_SECONDS)
      .setExpirationTime(now + seconds)
      .sign(key);
    return { token, expiresAt: (now + seconds) * 1000 };
  }

  /**
   * The caller of a bearer token, or null. Synchronous for a client's token that was verified
   * before; one revoked elsewhere is refused within 5 s, a person's at the next request. [G-16,
   * ID2]
   */
  verify(token: string): Caller | null | Promise<Caller | null> {
    const freshening = this.watch.freshen();
    if (freshening !== undefined) return freshening.then(() => this.#look(token));
    return this.#look(token);
  }

  #look(token: string): Caller | null | Promise<Caller | null> {
    const key = hash('sha256', token, 'base64');
    const known = this.#remembered.get(key);
    if (known === undefined) return this.#verifyNew(token, key);
    if (!this.#isLive(known.claims)) {
      this.#remembered.delete(key);
      return null;
    }
    if (this.watch.knownClient(known.claims.clientId) === known.client) return this.#asOf(known);
    this.#remembered.delete(key);
    return this.#verifyNew(token, key);
  }

  async #verifyNew(token: string, key: string): Promise<Caller | null> {
    const claims = await this.inspect(token);
    if (claims === null) return null;
    const client = await this.watch.client(claims.clientId);
    if (client === null || client.disabled || client.integrator !== claims.integrator) return null;
    const { workspace, integrator, clientId, limits } = client;
    const own = new Set(client.scopes);
    // A scope taken from a client leaves its tokens too; a user's scopes are not the client's.
    const scopes = claims.scopes.filter((one) => claims.kind !== 'client' || own.has(one));
    const caller: Caller = {
      workspace,
      integrator,
      clientId,
      kind: claims.kind,
      accountId: claims.accountId === '' ? null : claims.accountId,
      scopes: new Set(scopes),
      ...(limits && { limits }),
      ...(claims.authorizedInvoiceId && { authorizedInvoiceId: claims.authorizedInvoiceId }),
    };
    if (this.#remembered.size >= MOST_CACHED) {
      const oldest = this.#remembered.keys().next();
      if (oldest.done !== true) this.#remembered.delete(oldest.value);
    }
    const remembered = { caller, claims, client };
    this.#remembered.set(key, remembered);
    return this.#asOf(remembered);
  }

  #asOf({ caller, claims }: Cached): Caller | null | Promise<Caller | null> {
    if (caller.kind === 'client') return caller;
    const standing = stillStands(this.#services.db, caller, claims);
    return standing.then((stands) => (stands ? caller : null));
  }

  /** The claims of an access token of this environment; null where it is not valid now. */
  async inspect(token: string): Promise<AccessClaims | null> {
    await this.watch.freshen();
    const payload = await this.#open(token);
    const claims = payload === null ? null : claimsOf(payload, this.audience);
    return claims !== null && this.#isLive(claims) ? claims : null;
  }

  async #open(token: string): Promise<JWTPayload | null> {
    const kid = isCanonical(token) ? kidOf(token) : null;
    const key = kid === null ? null : await this.#keyOf(kid);
    if (key === null) return null;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: ACCESS_TYPE,
        issuer: this.issuer,
        audience: this.audience,
        currentDate: new Date(this.watch.now() * 1000),
        requiredClaims: ['exp', 'nbf', 'iat', 'jti', 'sub'],
      });
      return payload;
    } catch (error) {
      if (isTokenError(error)) return null;
      throw error;
    }
  }

  /** Finds a key that another process has just created; an invented id costs one read a second. */
  async #keyOf(kid: string) {
    const known = this.#keys.verifying(kid);
    if (known !== null) return known;
    if (this.#mayReload()) this.#reloading = this.#keys.refresh();
    await this.#reloading;
    return this.#keys.verifying(kid);
  }

  #reloadedAt = Number.NEGATIVE_INFINITY;
  /** Concurrent requests with the new key wait for the same read. */
  #reloading: Promise<void> | null = null;

  #mayReload(): boolean {
    const now = this.watch.now();
    if (now - this.#reloadedAt < 1) return false;
    this.#reloadedAt = now;
    return true;
  }

  #isLive(claims: AccessClaims): boolean {
    const now = this.watch.now();
    if (claims.expires <= now || claims.notBefore > now) return false;
    if (this.watch.isRevoked('token', claims.jti)) return false;
    return claims.family === null || !this.watch.isRevoked('family', claims.family);
  }

  /** Revokes an access token. */
  async revoke(claims: AccessClaims): Promise<void> {
    await this.watch.revoke('token', claims.jti, claims.expires);
  }

  /**
   * The bearer token of webhook requests: no scopes, for one endpoint only; reusable until shortly
   * before it expires. [G-62]
   */
  signWebhookToken(endpointId: string): Promise<IssuedToken> {
    return this.#sign(WEBHOOK_TYPE, endpointId, 'webhook', ACCESS_SECONDS, {});
  }

  jwks(): readonly JWK[] {
    return this.#keys.jwks();
  }
}

/**
 * Opens the tokens of an installation: creates the first signing key, and fixes the issuer to the
 * auth address of the first start, which later starts keep, so that a process on other ports
 * accepts the same tokens.
 */
export async function openTokens(services: OAuthServices): Promise<Tokens> {
  await ensureSigningKey(services);
  const issuer = await issuerOf(services);
  const keys = new KeyRing(services);
  const watch = new RevocationCache(services.db, keys);
  await watch.refresh();
  return new Tokens(services, issuer, keys, watch);
}

async function issuerOf(services: OAuthServices): Promise<string> {
  await services.db.execute({
    text: "insert into installation (name, value) values ('issuer', $1) on conflict do nothing",
    values: [services.urls.auth],
  });
  const rows = await services.db.query<{ value: string }>(
    "select value from installation where name = 'issuer'",
  );
  return (rows[0] as { value: string }).value;
}

const opened = new WeakMap<object, Promise<Tokens>>();

/**
 * The tokens of these services' database, opened once in a process. A failed attempt is not cached,
 * so that the next one can succeed.
 */
export function tokensOf(services: OAuthServices): Promise<Tokens> {
  const known = opened.get(services.db);
  if (known !== undefined) return known;
  const opening = openTokens(services);
  opened.set(services.db, opening);
  opening.catch(() => opened.delete(services.db));
  return opening;
}
