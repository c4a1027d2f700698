// A statement of a bank account, whichever file it came in, and what must be true of it before
// anything of it is stored. Pure.
import { refuse, type Refusal } from '../../../core/refusal.ts';
import { isDay } from '../../../core/time.ts';
import { refusals as no } from './refusals.ts';

/** A booked row as the bank stated it. */
export interface StatementRow {
  readonly direction: 'credit' | 'debit';
  /** Minor units, positive. */
  readonly amount: bigint;
  /** Days, as YYYY-MM-DD. */
  readonly booked: string;
  readonly valueDate: string;
  /** '' where the bank gave none, as all texts here. */
  readonly bankReference: string;
  readonly endToEndId: string;
  /** What the payer wrote. */
  readonly text: string;
  readonly payerName: string;
  readonly payerNumber: string;
  /** A payment that came back, or a booking that was reversed. */
  readonly returned: boolean;
  /** The bank calls it a charge or interest of its own. */
  readonly charge: boolean;
}

/** A statement that was read whole. */
export interface Statement {
  readonly format: 'camt.053' | 'csv';
  /** Minor units; null where the file states no balance. */
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  readonly rows: readonly StatementRow[];
}

/** What a file must be of. */
export interface ExpectedAccount {
  /** IBAN or account number, without blanks. */
  readonly number: string;
  readonly currency: string;
  /** Digits of the minor unit. */
  readonly digits: number;
}

const MOST_DIGITS = 15;

/** The refusal of a file that is not whole; `place` says where, without what stands there. */
export function unreadable(place: string): Refusal {
  return refuse(no.BANK_FILE_UNREADABLE, { file: place });
}

/** A day that exists, as YYYY-MM-DD. */
export function dayOf(text: string, place: string): string {
  const day = text.slice(0, 10);
  if (!isDay(day)) throw unreadable(`${place}: not a day`);
  return day;
}

/** A plain decimal with a point as minor units, signed; null for any other text. */
export function unitsOf(text: string, digits: number): bigint | null {
  const [, sign, whole = '', part = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const padded = part.padEnd(digits, '0');
  if (whole === '' || whole.length > MOST_DIGITS || /[1-9]/.test(padded.slice(digits))) return null;
  const units = BigInt(whole + padded.slice(0, digits));
  return sign === '-' ? -units : units;
}

/** As `unitsOf`; throws a Refusal for any other text. */
export function minorUnits(text: string, digits: number, place: string): bigint {
  const units = unitsOf(text, digits);
  if (units === null) throw unreadable(`${place}: not an amount of the currency`);
  return units;
}

/** Signed minor units of a row. */
export function signed({ direction, amount }: Pick<StatementRow, 'direction' | 'amount'>): bigint {
  return direction === 'credit' ? amount : -amount;
}

/** Throws a Refusal where opening balance and rows are not the closing balance. */
export function requireSum(
  opening: bigint,
  rows: readonly Pick<StatementRow, 'direction' | 'amount'>[],
  closing: bigint,
): void {
  const sum = rows.reduce((total, row) => total + signed(row), opening);
  if (sum !== closing) throw refuse(no.BANK_FILE_SUM_WRONG);
}
