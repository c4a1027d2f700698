// The checks a careful receiver makes before it trusts a delivery, in code that shares nothing with
// the sender's.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Results of the checks. */
export interface Checks {
  /** All three signature headers are there and readable. */
  readonly signed: boolean;
  /** Their time is at most five minutes off. */
  readonly fresh: boolean;
  /** One of the secrets signed these bytes. */
  readonly authentic: boolean;
  /** There is a bearer token. */
  readonly token: boolean;
}

/** Allowed seconds of clock difference and travel time. */
const AGE_MAX = 300;
const TIME = /^[0-9]{1,12}$/;
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;
const BEARER = /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One header as text; '' if absent or repeated. */
export function headerOf(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Checks a request. `secrets`: of the endpoint, `whsec_<base64>`; `nowMs`: since 1970. */
export function checksOf(
  headers: Headers,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Checks {
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((one) => SIGNATURE.exec(one)?.[1] ?? []);
  const signed = id !== '' && TIME.test(time) && given.length > 0;
  const right = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${id}.${time}.${body}`)
      .digest(),
  );
  return {
    signed,
    fresh: signed && Math.abs(nowMs / 1000 - Number(time)) <= AGE_MAX,
    authentic: signed && given.some((text) => right.some((own) => isEqual(text, own))),
    token: BEARER.test(headerOf(headers, 'authorization')),
  };
}

function isEqual(text: string, own: Buffer): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === own.length && timingSafeEqual(bytes, own);
}
