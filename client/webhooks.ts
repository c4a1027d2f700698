// Verifies by Standard Webhooks that an event came from the platform, and gives it its type. Runs
// wherever there is Web Crypto. [G-62]
import type { EventMessages } from './generated.ts';

/** One event; `event_name` determines its message. */
export type WebhookEvent = {
  readonly [Name in keyof EventMessages]: {
    /** The same when an event is sent again: store it to process nothing twice. */
    readonly event_id: string;
    readonly event_name: Name;
    readonly bucket_key: string;
    readonly sent_at: string;
    /** Counts the tenant's events, without gaps. */
    readonly sequence: number;
    /** Orders the events of one resource. */
    readonly resource_version: number;
    readonly message: EventMessages[Name];
  };
}[keyof EventMessages];

/** Why an event was rejected. */
export type WebhookFault =
  | 'HEADERS_MISSING'
  | 'SECRET_INVALID'
  | 'TIMESTAMP_INVALID'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  | 'SIGNATURE_INVALID'
  | 'BODY_INVALID';

/** An event that was rejected; answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers of Node or `fetch`, or a plain object; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is verified. */
export interface WebhookRequest {
  /** `whsec_...`, or the endpoint's public key `whpk_...`; several while one is replaced. */
  readonly secret: string | readonly string[];
  readonly headers: WebhookHeaders;
  /** Exactly the bytes that came: parsed and rewritten JSON has another signature. */
  readonly body: Uint8Array | ArrayBuffer | string;
  /** Allowed age or clock difference; default 300. */
  readonly toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;

/** Returns the event if one of the secrets signed it in time; else throws WebhookError. */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const id = headerOf(request.headers, 'webhook-id');
  const timestamp = headerOf(request.headers, 'webhook-timestamp');
  const signatures = headerOf(request.headers, 'webhook-signature');
  checkTime(timestamp, request.toleranceSeconds ?? TOLERANCE_SECONDS);
  const body = bytesOf(request.body);
  const content = joined(bytesOf(`${id}.${timestamp}.`), body);
  const secrets = typeof request.secret === 'string' ? [request.secret] : request.secret;
  const keys = await Promise.all(secrets.map(keyOf));
  // Every pair is checked, so that the time taken does not show which one matches.
  const pairs = signatures.split(' ').flatMap((one) => keys.map((key) => fits(key, one, content)));
  if (!(await Promise.all(pairs)).includes(true)) {
    throw new WebhookError('SIGNATURE_INVALID', 'No signature of the event matches these secrets.');
  }
  return eventOf(body);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers['get'] === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  if (typeof text === 'string' && text !== '') return text;
  throw new WebhookError('HEADERS_MISSING', `The header ${name} is missing.`);
}

function checkTime(timestamp: string, tolerance: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('TIMESTAMP_INVALID', 'The timestamp is not a number of seconds.');
  }
  const age = Date.now() / 1000 - Number(timestamp);
  if (age > tolerance) {
    throw new WebhookError('TIMESTAMP_TOO_OLD', 'The event was signed too long ago.');
  }
  if (age < -tolerance) {
    throw new WebhookError('TIMESTAMP_TOO_NEW', 'The event was signed in the future.');
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

interface VerifyingKey {
  readonly version: 'v1' | 'v1a';
  readonly algorithm: 'HMAC' | 'Ed25519';
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
}

/** The key of `whsec_` (HMAC-SHA256) or `whpk_` (ed25519). */
async function keyOf(secret: string): Promise<VerifyingKey> {
  const [, prefix, text = ''] = /^(whsec|whpk)_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const raw = base64(text);
  try {
    if (prefix === 'whsec' && raw !== null) {
      const way = { name: 'HMAC', hash: 'SHA-256' };
      const key = await crypto.subtle.importKey('raw', raw, way, false, ['verify']);
      return { version: 'v1', algorithm: 'HMAC', key };
    }
    if (prefix === 'whpk' && raw !== null) {
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
      return { version: 'v1a', algorithm: 'Ed25519', key };
    }
  } catch (cause) {
    throw Object.assign(new WebhookError('SECRET_INVALID', UNREADABLE), { cause });
  }
  throw new WebhookError('SECRET_INVALID', UNREADABLE);
}

const UNREADABLE = 'A secret must be whsec_ or whpk_ followed by base64.';

/** Web Crypto compares in constant time. */
async function fits(one: VerifyingKey, signature: string, content: Bytes): Promise<boolean> {
  const comma = signature.indexOf(',');
  if (signature.slice(0, comma) !== one.version) return false;
  const given = base64(signature.slice(comma + 1));
  return given !== null && crypto.subtle.verify(one.algorithm, one.key, given, content);
}

function base64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function bytesOf(body: Uint8Array | ArrayBuffer | string): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return new Uint8Array(body);
}

function joined(head: Bytes, tail: Bytes): Bytes {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function eventOf(body: Bytes): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    if (typeof event.event_name === 'string') return event;
  } catch (cause) {
    throw Object.assign(new WebhookError('BODY_INVALID', 'The body is not JSON.'), { cause });
  }
  throw new WebhookError('BODY_INVALID', 'The body is not an event.');
}
