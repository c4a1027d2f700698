// The client for an app: acts for one person with the token that the integrator's server obtained.
// It never holds a client secret: that server renews an expired token. [seed: Authentication]
import { bind, randomKey, type Urls } from './bind.ts';
import { ownFetch } from './client.ts';
import { HoldfastError } from './error.ts';
import { USER_OPERATIONS, type CallOptions, type UserApi } from './generated.ts';
import type { Fetch } from './transport.ts';

/**
 * The token object of `POST /authorize/user` with `return_token`, or the token endpoint's answer to
 * a refresh token. Without an expiry it is used until the platform rejects it. [seed: Auth host]
 */
export interface UserToken {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  /** ISO 8601. */
  readonly expiry?: string | undefined;
  /** Seconds from now. */
  readonly expires_in?: number | undefined;
}

/** Options of an app's client. */
export interface UserClientOptions {
  /** Base URLs by host. */
  readonly urls: Urls;
  /**
   * Asks the integrator's server for the next token. Exchanging a refresh token needs the client's
   * secret, which stays there: `holdfast.auth.createToken({ grant_type: 'refresh_token', ... })`.
   */
  readonly renew?: (refreshToken: string) => Promise<UserToken>;
  /** The service's name in the path of its terms. [G-80] */
  readonly word?: string;
  readonly fetch?: Fetch;
  readonly timeoutMs?: number;
  /** Makes Idempotency-Keys, for where Web Crypto is missing. */
  readonly newKey?: () => string;
}

/** Receives the result of `getTosRequiredForUser`: one of the two is null. */
export type TosCompletion = (error: Error | null, signedTos: boolean | null) => void;

/** The client for an app. */
export interface UserClient extends UserApi {
  /** Sets the signed-in person's token, or null if nobody is signed in. */
  setToken(token: UserToken | string | null): void;
  /**
   * Whether the person has signed the current terms. The value is `signed_tos`: FALSE means that
   * they must agree before they can pay. [G-15]
   */
  getTosRequiredForUser(completion?: TosCompletion): Promise<boolean>;
  /** Signs the terms for the person, who has just read this version and agreed to it. */
  agreeToTos(version?: number, options?: CallOptions): Promise<void>;
}

/** A token is not used any more so many milliseconds before it expires. */
const MARGIN_MS = 30_000;

/** Makes an app's client; calls before `setToken` fail without being sent. */
export function createUserClient(options: UserClientOptions): UserClient {
  const keeper = new TokenKeeper(options.renew);
  const word = options.word ?? 'service';
  const api = bind<UserApi>(USER_OPERATIONS, {
    urls: options.urls,
    fetch: options.fetch ?? ownFetch,
    authorize: (refused) => keeper.token(refused),
    newKey: options.newKey ?? randomKey,
    timeoutMs: options.timeoutMs,
  });
  const signed = async (): Promise<boolean> =>
    (await api.accounts.getOwnTermsSignature({ word })).signed_tos;
  return {
    ...api,
    setToken: (token) => keeper.set(token),
    getTosRequiredForUser(completion) {
      const asked = signed();
      if (completion !== undefined) {
        asked.then(
          (value) => completion(null, value),
          (error: Error) => completion(error, null),
        );
      }
      return asked;
    },
    async agreeToTos(version, call) {
      await api.accounts.signTerms({ word, version }, call);
    },
  };
}

/** One person's token; calls that come while it is renewed wait for it. */
class TokenKeeper {
  readonly #renew: UserClientOptions['renew'];
  #held: UserToken | null = null;
  /** Milliseconds since 1970. */
  #until = Infinity;
  #renewing: Promise<UserToken> | null = null;

  constructor(renew: UserClientOptions['renew']) {
    this.#renew = renew;
  }

  set(token: UserToken | string | null): void {
    const held: UserToken | null = typeof token === 'string' ? { access_token: token } : token;
    const { expiry, expires_in: seconds = Infinity } = held ?? {};
    this.#held = held;
    const end = expiry === undefined ? Date.now() + seconds * 1000 : Date.parse(expiry);
    this.#until = end - MARGIN_MS;
    this.#renewing = null;
  }

  async token(refused: string | null): Promise<string> {
    const held = this.#held;
    if (held === null) throw absent();
    if (held.access_token !== refused && Date.now() < this.#until) return held.access_token;
    const { refresh_token: refresh } = held;
    if (this.#renew === undefined || refresh === undefined) return held.access_token;
    const renewing = (this.#renewing ??= this.#renew(refresh));
    try {
      const next = await renewing;
      // Someone else signed in meanwhile: this token belongs to the previous person.
      if (this.#renewing === renewing) this.set(next);
      return this.#held?.access_token ?? next.access_token;
    } finally {
      if (this.#renewing === renewing) this.#renewing = null;
    }
  }
}

function absent(): HoldfastError {
  const message = 'No user token was set; call setToken first.';
  return new HoldfastError({ status: 0, codes: ['TOKEN_MISSING'], message });
}
