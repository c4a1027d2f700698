// What an answer, or none, means for a delivery: delivered, retry, dead letter, or endpoint gone.
// Also decides what of an answer may be kept. Pure: clock and randomness are arguments.
import type { OutboundResult } from '../../../providers/outbound/port.ts';

/** Seconds from one attempt to the next; after the last, a dead letter. [G-63] */
export const SCHEDULE_SECONDS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
/** The largest share by which a wait is lengthened, so that simultaneous failures spread out. */
export const JITTER = 0.2;
/** The longest wait that a Retry-After can ask for. */
export const RETRY_AFTER_MAX_SECONDS = 3600;
const EXCERPT_MAX = 200;

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The outcome of one request. */
export interface Outcome {
  readonly verdict: 'delivered' | 'again' | 'dead' | 'gone';
  /** For `again`: milliseconds to wait. */
  readonly waitMs: number;
  readonly status: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
  readonly answerBytes: number;
  readonly excerpt: string | null;
}

/**
 * Judges one request. `tries` counts this one; `random` is in [0, 1); `nowMs` is for a Retry-After
 * that is a date. 2XX confirms; 410 ends the endpoint; 429 and 503 may lengthen the wait. [G-63]
 */
export function judge(
  result: OutboundResult,
  tries: number,
  schedule: readonly number[],
  random: number,
  nowMs: number,
): Outcome {
  const noted = note(result);
  if (noted.status !== null && noted.status >= 200 && noted.status < 300) {
    return { verdict: 'delivered', waitMs: 0, ...noted, excerpt: null };
  }
  if (noted.status === 410) return { verdict: 'gone', waitMs: 0, ...noted };
  const step = schedule[tries - 1];
  if (step === undefined) return { verdict: 'dead', waitMs: 0, ...noted };
  const asked = result.kind === 'answered' ? retryAfterSeconds(result, nowMs) : 0;
  const seconds = Math.max(step * (1 + JITTER * random), asked);
  return { verdict: 'again', waitMs: Math.round(seconds * 1000), ...noted };
}

function note(result: OutboundResult): Omit<Outcome, 'verdict' | 'waitMs'> {
  if (result.kind === 'failed') {
    return {
      status: null,
      reason: result.reason,
      durationMs: result.ms,
      answerBytes: 0,
      excerpt: null,
    };
  }
  const redirect = result.status >= 300 && result.status < 400;
  return {
    status: result.status,
    reason: redirect ? 'redirect_not_followed' : null,
    durationMs: result.ms,
    answerBytes: result.bytes.length,
    excerpt: excerptOf(result.bytes, result.contentType),
  };
}

/** Seconds that a 429 or 503 asks for, at most an hour; 0 without a readable Retry-After. */
export function retryAfterSeconds(
  result: { readonly status: number; readonly retryAfter: string | null },
  nowMs: number,
): number {
  if (result.status !== 429 && result.status !== 503) return 0;
  const text = result.retryAfter?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  if (!Number.isFinite(seconds) || seconds <= 0) return 0;
  return Math.min(seconds, RETRY_AFTER_MAX_SECONDS);
}

const TEXT_TYPE = /^(text\/plain|application\/(problem\+)?json)\b/i;

/**
 * The start of a refusing answer's text, masked: whatever looks like a token, a number of more than
 * three digits or a mail address is replaced, because a receiver may echo our request. Null unless
 * the answer is plain text or JSON in UTF-8.
 */
export function excerptOf(bytes: Buffer, contentType: string | null): string | null {
  if (bytes.length === 0 || contentType === null || !TEXT_TYPE.test(contentType)) return null;
  let text: string;
  try {
    // A character cut off at the end of the 4 kB is not an error.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
  // An echo of our own body: nothing of it is kept.
  if (text.includes('event_id')) return null;
  const masked = text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\s]+/gu, ' ')
    .replace(/\S*@\S*/g, '[...]')
    .replace(/[A-Za-z0-9+/_=.~-]{21,}/g, '[...]')
    .replace(/\d[\d ().-]{2,}\d/g, '[...]')
    .trim();
  if (masked.length <= EXCERPT_MAX) return masked === '' ? null : masked;
  // The cut must not split a pair of surrogates.
  return masked.slice(0, EXCERPT_MAX).replace(/[\uD800-\uDBFF]$/, '');
}
