// The headers that authenticate a delivery: a Standard Webhooks signature by each active secret
// over the exact bytes sent, and the bearer token that the interface declares.
import { sign } from 'node:crypto';
import { decodeJwt } from 'jose';
import { Webhook } from 'standardwebhooks';
import { WORKSPACE_HEADER } from './origin.ts';
import { secretBytes, signingKey } from './secret.ts';

/** Signs the bearer token of an endpoint (aud = endpoint id, no scopes). [seed: Webhooks] */
export type WebhookTokenSigner = (endpointId: string) => Promise<string>;

/** An attempt to sign. `seconds` is real time since 1970. */
export interface Attempt {
  readonly event_id: string;
  readonly body: string;
  readonly seconds: number;
  /** Active secrets, the current one first. */
  readonly secrets: readonly string[];
  /** The id of the clone that it is from; absent or null for any other workspace. */
  readonly copy?: string | null;
}

/** `webhook-signature`: one signature per active secret, separated by spaces. [G-62] */
export function signatureOf(attempt: Attempt): string {
  const at = new Date(attempt.seconds * 1000);
  return attempt.secrets
    .map((secret) =>
      secret.startsWith('whsk_')
        ? asymmetric(secret, attempt)
        : new Webhook(secretBytes(secret), { format: 'raw' }).sign(
            attempt.event_id,
            at,
            attempt.body,
          ),
    )
    .join(' ');
}

function asymmetric(secret: string, attempt: Attempt): string {
  const content = `${attempt.event_id}.${attempt.seconds}.${attempt.body}`;
  return `v1a,${sign(null, Buffer.from(content, 'utf8'), signingKey(secret)).toString('base64')}`;
}

/** The headers of an attempt; without `authorization` where `token` is null. */
export function headersOf(attempt: Attempt, token: string | null): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'holdfast-webhooks/1',
    'webhook-id': attempt.event_id,
    'webhook-timestamp': String(attempt.seconds),
    'webhook-signature': signatureOf(attempt),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(attempt.copy == null ? {} : { [WORKSPACE_HEADER]: attempt.copy }),
  };
}

/** Seconds before its expiry from which a token is no longer used. */
const TOKEN_MARGIN_SECONDS = 60;

/** Caches each endpoint's bearer token until shortly before it expires. */
export class TokenCache {
  readonly #sign: WebhookTokenSigner;
  readonly #max: number;
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>();

  constructor(signer: WebhookTokenSigner, max = 1000) {
    this.#sign = signer;
    this.#max = max;
  }

  /** A token that is valid for at least a minute more; `seconds` is real time since 1970. */
  async tokenOf(endpointId: string, seconds: number): Promise<string> {
    const known = this.#tokens.get(endpointId);
    if (known !== undefined && known.until > seconds) return known.token;
    const token = await this.#sign(endpointId);
    const end = decodeJwt(token).exp ?? seconds;
    if (this.#tokens.size >= this.#max) this.#tokens.clear();
    this.#tokens.set(endpointId, { token, until: end - TOKEN_MARGIN_SECONDS });
    return token;
  }
}
