// Times as fixed-width text, so that comparing text compares time and no microsecond is lost in a
// Date, and the four formats of the wire. The current time comes from the database, never from
// here.

/** A time in UTC: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, always 27 characters, sorts as text. */
export type Instant = string;

const WIDTH = 27;
const PADDING = ['.000000Z', '00000Z', '0000Z', '000Z', '00Z', '0Z', 'Z'] as const;
const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const PLUS = 43;
const ZERO = 48;

/** True for a real time in this format (a 31st of June is not). */
export function isInstant(text: string): text is Instant {
  if (!SHAPE.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19);
}

/** True for a day of the calendar as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return isInstant(`${text}T00:00:00.000000Z`);
}

/**
 * Reads PostgreSQL's ISO output of a timestamptz in a UTC session, such as `2026-11-20
 * 09:54:23.1+00` (0 to 6 decimals). Anything else (another offset, `infinity`, a year before 1 or
 * after 9999) is a fault: the session is not in UTC.
 */
export function instantFromPostgres(text: string): Instant {
  const end = text.length - 3;
  const fraction = end > 19 ? end - 20 : 0;
  if (
    end < 19 ||
    end === 20 ||
    fraction > 6 ||
    text.charCodeAt(end) !== PLUS ||
    text.charCodeAt(end + 1) !== ZERO ||
    text.charCodeAt(end + 2) !== ZERO ||
    text[4] !== '-' ||
    text[10] !== ' ' ||
    text[16] !== ':' ||
    (end > 19 && text[19] !== '.')
  ) {
    throw new Error('the database sent a time that is not in UTC or not in ISO form');
  }
  return `${text.slice(0, 10)}T${text.slice(11, end)}${PADDING[fraction]}`;
}

/** The time `ms` milliseconds after 1970 (fractions cut off); a fault outside years 0 to 9999. */
export function instantFromMillis(ms: number): Instant {
  const text = new Date(Math.floor(ms)).toISOString();
  if (text.length !== 24) throw new Error('a time is outside the years 0 to 9999');
  return `${text.slice(0, 23)}000Z`;
}

/** Whole milliseconds after 1970; microseconds are cut off. */
export function millisOf(instant: Instant): number {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms) || instant.length !== WIDTH) throw new Error('a text is not an Instant');
  return ms;
}

/** The time `n` microseconds later (earlier if negative); `n` is a whole number. */
export function addMicros(instant: Instant, n: number): Instant {
  if (!Number.isSafeInteger(n)) throw new Error('a span of time is not a whole number');
  const micros = Number(instant.slice(23, 26)) + n;
  const carry = Math.floor(micros / 1000);
  const rest = micros - carry * 1000;
  const text = instantFromMillis(millisOf(instant) + carry);
  return `${text.slice(0, 23)}${String(rest).padStart(3, '0')}Z`;
}

/** The time `n` whole seconds later (earlier if negative). */
export function addSeconds(instant: Instant, n: number): Instant {
  return addMicros(instant, n * 1_000_000);
}

export function laterOf(a: Instant, b: Instant): Instant {
  return a >= b ? a : b;
}

/** Invoices, KYB, events and Holdfast's own operations: `YYYY-MM-DDTHH:MM:SS.ffffffZ`. [G-74] */
export function invoiceTime(instant: Instant): string {
  return instant;
}

/** Escrows: `YYYY-MM-DD HH:MM:SS.ffffff +0000 UTC`. [G-74] */
export function escrowTime(instant: Instant): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 26)} +0000 UTC`;
}

/** The moment that `escrowTime` spelled. */
export function ofEscrowTime(text: string): Instant {
  return `${text.slice(0, 10)}T${text.slice(11, 26)}Z`;
}

/** KYC applications: `YYYY-MM-DD HH:MM:SS.ffffff`. [G-74] */
export function applicationTime(instant: Instant): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 26)}`;
}

/** Payment methods: `YYYY-MM-DD HH:MM:SS`. [G-74] */
export function methodTime(instant: Instant): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)}`;
}
