// The bytes of every answer: the envelope of success and failure, and the headers of all answers.
import { jsonTextOf } from '../core/json-text.ts';
import type { Operation } from '../core/operation.ts';
import type { Refusal } from '../core/refusal.ts';

const SUCCESS_HEAD = '{"status":"Success","message":[],"codes":[],"payload":';

/** The success envelope; `payload` must be JSON. [seed: Response envelope] */
export function successBody(payload: unknown): string {
  return `${SUCCESS_HEAD}${jsonTextOf(payload)}}`;
}

/** Contents of a failure [G-72]; `reference` is for faults only. */
export interface Failure {
  readonly sentence: string;
  readonly codes: readonly string[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly reference?: string;
}

/** The failure envelope, preceded by OAuth's members on OAuth endpoints. [G-72] */
export function failureBody(failure: Failure, oauthError: string | null): string {
  const payload: Record<string, unknown> = { error: failure.sentence };
  if (failure.fields !== undefined && Object.keys(failure.fields).length > 0) {
    payload['errors'] = failure.fields;
  }
  if (failure.reference !== undefined) payload['reference'] = failure.reference;
  const oauth =
    oauthError === null ? {} : { error: oauthError, error_description: failure.sentence };
  return JSON.stringify({
    ...oauth,
    status: 'Failure',
    message: [failure.sentence],
    codes: failure.codes,
    payload,
  });
}

/** The failure that reports a refusal. */
export function failureOf(refusal: Refusal): Failure {
  return {
    sentence: refusal.spec.sentence,
    codes: [refusal.spec.code],
    fields: refusal.fields,
  };
}

const OAUTH_ERRORS: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_token_type',
]);

/** OAuth's error code for a refusal: its own code in lower case, or what the status means. */
export function oauthErrorOf(code: string, status: number): string {
  const lower = code.toLowerCase();
  if (OAUTH_ERRORS.has(lower)) return lower;
  if (status === 401) return 'invalid_client';
  if (status === 429) return 'temporarily_unavailable';
  if (status >= 500) return status === 503 ? 'temporarily_unavailable' : 'server_error';
  return 'invalid_request';
}

/** True if failures of the operation carry OAuth's members too. [G-10] */
export function speaksOauth(operation: Pick<Operation<never>, 'accepts'> | null): boolean {
  return operation?.accepts === 'form';
}

/** Headers of every answer: nothing may be stored, sniffed, framed or executed. */
export const SECURITY_HEADERS: readonly string[] = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/** Names (lower case) that an operation's own headers replace rather than repeat. */
const SECURITY_NAMES: ReadonlySet<string> = new Set(
  SECURITY_HEADERS.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()),
);

/** Header list of an answer, names and values alternating, as `writeHead` takes it. */
export function answerHeaders(
  length: number | null,
  own: Readonly<Record<string, string>> | undefined,
  type = 'application/json',
): string[] {
  const list: string[] = [];
  if (own !== undefined && Object.keys(own).some((n) => SECURITY_NAMES.has(n.toLowerCase()))) {
    const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
    for (let at = 0; at < SECURITY_HEADERS.length; at += 2) {
      const name = SECURITY_HEADERS[at] as string;
      if (!names.has(name.toLowerCase())) list.push(name, SECURITY_HEADERS[at + 1] as string);
    }
  } else {
    list.push(...SECURITY_HEADERS);
  }
  if (length !== null) list.push('Content-Type', type, 'Content-Length', String(length));
  else list.push('Content-Length', '0');
  if (own !== undefined) for (const [name, value] of Object.entries(own)) list.push(name, value);
  return list;
}
