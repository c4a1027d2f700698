// What a payout file says: its payouts, who pays, and the forms in which banks take ids, names and
// amounts. [G-91]
import anyAscii from 'any-ascii';
import { displayAmount } from '../../../core/currency.ts';
import type { Instant } from '../../../core/time.ts';
import type { Destination } from '../wallet/index.ts';
import type { CsvMapping } from './mapping.ts';
import type { PayoutFileRow } from './tables.ts';

/** The bank account that pays. */
export interface Debtor {
  readonly name: string;
  readonly iban: string;
  /** '' where it is not known. */
  readonly bic: string;
}

/** What a file says beside its payouts; stored with it, since settings change. */
export interface FileTerms {
  readonly debtor: Debtor;
  /** The day of execution, `YYYY-MM-DD`. */
  readonly execute_on: string;
  /** Of a CSV; null for pain.001. */
  readonly mapping: CsvMapping | null;
}

/** One payout of a file. */
export interface FilePayment {
  readonly transferId: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly to: Destination;
}

/** All that the bytes are made from. */
export interface FileContent {
  readonly id: string;
  readonly format: PayoutFileRow['format'];
  readonly currency: string;
  readonly drafted: Instant;
  readonly terms: FileTerms;
  /** In their order in the file. */
  readonly payments: readonly FilePayment[];
}

/** An id of at most 35 characters, as banks require: a UUID without hyphens. */
export function bankId(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** The UUID behind a bank's id, or null. */
export function uuidOfBankId(text: string): string | null {
  const found = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    text.toLowerCase(),
  );
  return found === null ? null : found.slice(1).join('-');
}

/** Minor units as a decimal, such as `12.30`. */
export function decimal(amount: bigint, currency: string): string {
  return displayAmount(amount, currency).slice(currency.length + 1);
}

/**
 * A name in the characters that every bank takes; other scripts are written in Latin letters. Never
 * begins with a character that a spreadsheet or a bank reads as a sign.
 */
export function bankText(text: string, most: number): string {
  const latin = anyAscii(text).replaceAll(/[^A-Za-z0-9/?:().,'+ -]/g, ' ');
  const tidy = latin.replaceAll(/\s+/g, ' ').replace(/^[ '+:/-]+/, '');
  return tidy.slice(0, most).trim() || 'NOTPROVIDED';
}

/** Minor units of all payouts. */
export function totalOf(payments: readonly Pick<FilePayment, 'amount'>[]): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n);
}
