// Reads a time as callers write it, to the microsecond: one that was read from us gives exactly
// that time. Every text gives a time or null, never a fault.
import { addMicros, instantFromMillis, isInstant, type Instant } from '../../core/time.ts';

const ZONE = '([Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const SECOND = '(\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d)';
const MOMENT = new RegExp(`^${SECOND}(?:\\.(\\d{1,9}))?${ZONE}$`);
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/**
 * The time of an RFC 3339 text; digits beyond microseconds are cut off. Null for any other text,
 * for a leap second, and for years without four digits in UTC.
 */
export function momentOf(text: string): Instant | null {
  const [, local = '', fraction = '', zone = ''] = MOMENT.exec(text) ?? [];
  const second = local.toUpperCase();
  if (!isInstant(`${second}.000000Z`)) return null;
  const ms = Date.parse(`${second}${zone.toUpperCase()}`);
  if (!(ms >= FIRST_MS && ms <= LAST_MS)) return null;
  return addMicros(instantFromMillis(ms), Number(fraction.padEnd(6, '0').slice(0, 6)));
}
