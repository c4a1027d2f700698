// Converts between a date typed in three parts and `YYYY-MM-DD`.

import { datesLocale } from '../texts.ts';

/** Day, month and year as typed. */
export interface DateParts {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

export const EMPTY_DATE: DateParts = { day: '', month: '', year: '' };

/** `YYYY-MM-DD`, or null if the parts are no calendar date. */
export function isoDate({ day, month, year }: DateParts): string | null {
  if (!/^\d{1,2}$/.test(day) || !/^\d{1,2}$/.test(month) || !/^\d{4}$/.test(year)) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(iso) ? null : iso;
}

/** The parts of `YYYY-MM-DD`; empty ones for anything else. */
export function partsOf(iso: string): DateParts {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso);
  const [, year = '', month = '', day = ''] = found ?? [];
  return { day, month, year };
}

/** `7 March 1990` for `YYYY-MM-DD`; '' for null. */
export function dayText(iso: string | null): string {
  const format = new Intl.DateTimeFormat(datesLocale(), { dateStyle: 'long', timeZone: 'UTC' });
  return iso === null ? '' : format.format(new Date(iso));
}

/** `12 March 2026` in the person's own time zone; '' for none. */
export function dateText(time: string): string {
  if (time === '') return '';
  const format = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return new Date(time).toLocaleDateString(datesLocale(), format);
}
