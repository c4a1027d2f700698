// A connection to Stripe by its official package: one key, one account, one mode. Nothing is
// retried here, and why a call led to nothing is one of six words, so that no error of the package
// gets any further. [M13]
import { Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import Stripe from 'stripe';
import { z } from 'zod';
import { headersOfWork } from '../../concurrency/cause.ts';
import type { ConnectionSettings } from '../port.ts';
import { ONCE_KINDS, type OnceKind, type Unknown } from '../processor/port.ts';

/** The version that the answers are read by, whatever the account's own is. */
const API_VERSION = '2026-10-28.endive';
const ADDRESS = 'https://api.stripe.com';

/** Connections that are kept open. */
const SOCKETS = 32;

export const credentials = z.strictObject({
  secret_key: z.string().regex(/^[sr]k_(test|live)_[A-Za-z0-9]{8,250}$/, 'is no secret key'),
  /**
   * None until the address is registered at Stripe; then of the endpoint and of that for Connect,
   * two of each while one takes the other's place.
   */
  webhook_secrets: z
    .array(z.string().regex(/^whsec_[\w+/=]{8,250}$/, 'is no secret'))
    .max(4),
  /** What buyers may pay with on Stripe's page; by default a card. Each is activated there. */
  pay_once: z.array(z.enum(ONCE_KINDS)).max(ONCE_KINDS.length).optional(),
});
export type Credentials = z.output<typeof credentials>;

/** Which of its two worlds a key opens. */
export function modeOf({ secret_key }: Credentials): 'test' | 'live' {
  return /^.k_live_/.test(secret_key) ? 'live' : 'test';
}

/** Why a call led to nothing. */
export interface Trouble {
  /**
   * `no`: Stripe refused, which is final. `missing`: there is no such object. `state`: the object
   * is past this. `busy`: too many calls. `forbidden`: the key may not do this. `unknown`: anything
   * else, so nothing may be assumed.
   */
  readonly trouble: 'no' | 'missing' | 'state' | 'busy' | 'forbidden' | 'unknown';
  readonly code?: string | undefined;
  readonly decline_code?: string | undefined;
  /** True where Stripe repeats a stored failure for the idempotency key. */
  readonly replayed?: true;
  /** The payment that was refused, as it is now. */
  readonly intent?: Stripe.PaymentIntent | undefined;
}

export interface StripeLink {
  readonly stripe: Stripe;
  readonly workspace: number;
  readonly live: boolean;
  readonly secrets: readonly string[];
  readonly noticeUrl: string;
  readonly returnUrl: string;
  /** How buyers may pay on Stripe's page without saving anything. */
  readonly payOnce: readonly OnceKind[];
  /** Makes a call. An object of the other mode counts as no answer. */
  tried<T extends object>(call: () => Promise<T>): Promise<T | Trouble>;
  close(): void;
}

/** Opens a connection; no call is made. */
export function openLink(settings: ConnectionSettings<Credentials>): StripeLink {
  const { credentials: own, baseUrl, timeoutMs, workspace, noticeUrl, returnUrl } = settings;
  const { protocol, hostname, port } = new URL(baseUrl ?? ADDRESS);
  const secure = protocol === 'https:';
  const pool = { keepAlive: true, maxSockets: SOCKETS };
  const agent = secure ? new Agent(pool) : new HttpAgent(pool);
  const stripe = new Stripe(own.secret_key, {
    apiVersion: API_VERSION,
    // One whose connection was closed is repeated once all the same, which each call here allows.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: tracedClient(agent),
    protocol: secure ? 'https' : 'http',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
  });
  const live = modeOf(own) === 'live';
  return {
    ...{ stripe, workspace, live, secrets: own.webhook_secrets, noticeUrl, returnUrl },
    payOnce: own.pay_once ?? ['card'],
    async tried(call) {
      try {
        const answer = await call();
        const other = 'livemode' in answer && answer.livemode !== live;
        return other ? { trouble: 'unknown' } : answer;
      } catch (error) {
        return troubleOf(error);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Each call names the request that it is for, and its place in the trace. */
function tracedClient(agent: Agent | HttpAgent): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient(agent);
  const send = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, headers, ...rest) =>
    send(host, port, path, method, { ...headers, ...headersOfWork() }, ...rest);
  return client;
}

/** Names of one key that are tried. */
const NAMES = 3;

/**
 * Makes a call under an idempotency key. Stripe repeats a stored failure for a day, so the next
 * name of the key is then tried, the same for everybody who has the key; `found`: what the failed
 * call may have made all the same.
 */
export async function underKey<T extends object>(
  key: string,
  call: (idempotencyKey: string) => Promise<T | Trouble>,
  found: () => Promise<T | Trouble | null> = async () => null,
): Promise<T | Trouble> {
  for (let nth = 1; ; nth += 1) {
    const answer = await call(nth === 1 ? key : `${key}-${nth}`);
    if (!isTrouble(answer) || answer.replayed !== true || nth === NAMES) return answer;
    const made = await found();
    if (made !== null) return made;
  }
}

/** True where a call led to nothing. */
export function isTrouble(answer: object): answer is Trouble {
  return 'trouble' in answer;
}

/** The outcome of a call that says nothing about the key. */
export function unknownOf(trouble: Trouble): Unknown {
  return trouble.trouble === 'busy' ? { state: 'unknown', busy: true } : { state: 'unknown' };
}

/** Codes that say that the object has moved on. */
const PAST: readonly string[] = [
  ...['payment_intent_unexpected_state', 'intent_invalid_state', 'charge_already_captured'],
  ...['charge_already_refunded', 'status_transition_invalid'],
];
/** Refusals that another try may not meet. */
const PASSING: readonly string[] = [
  ...['idempotency_key_in_use', 'lock_timeout', 'api_key_expired', 'secret_key_required'],
  ...['platform_api_key_expired', 'livemode_mismatch', 'testmode_charges_only'],
];

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Stripe.errors.StripeError)) return { trouble: 'unknown' };
  const { code, decline_code, statusCode, type, payment_intent: intent } = error;
  const said = { code, decline_code, intent };
  const replayed = error.headers?.['idempotent-replayed'] === 'true';
  if (statusCode === 429) return { trouble: 'busy' };
  if (code === 'resource_missing' && statusCode === 404) return { trouble: 'missing', ...said };
  // A seller's account that is closed, or never was this platform's.
  if (code === 'account_invalid' && statusCode === 403) return { trouble: 'missing', ...said };
  if (statusCode === 403) return { trouble: 'forbidden' };
  if (code !== undefined && PASSING.includes(code)) return { trouble: 'unknown' };
  if (code !== undefined && PAST.includes(code)) return { trouble: 'state', ...said };
  if (type === 'StripeCardError' && statusCode === 402) return { trouble: 'no', ...said };
  if (type === 'StripeInvalidRequestError' && statusCode === 400) {
    // A parameter that names nothing of this account.
    return { trouble: code === 'resource_missing' ? 'missing' : 'no', ...said };
  }
  return replayed ? { trouble: 'unknown', replayed } : { trouble: 'unknown' };
}
