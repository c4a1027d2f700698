// Why a row of an import is refused: codes for programs, sentences for people. No sentence holds
// what the file says, so that reports can be passed on.

export const ROW_CODES = {
  FILE_UNREADABLE: 'The file cannot be read as UTF-8 text from here on.',
  QUOTES_INVALID: 'The quotes of this row do not match; nothing after it was read.',
  ROW_TOO_LONG: 'The row is longer than 64 kB; nothing after it was read.',
  ROW_COLUMNS: 'The row has another number of cells than the header.',
  ROW_NUL: 'The row holds a NUL character.',
  ROW_DIFFERS: 'The row was imported before with other values; what was imported stays as it is.',
  ACCOUNT_UNKNOWN: 'No account was imported under this reference.',
  PROVIDER_OTHER: 'The tokens of this provider do not work: another processor is connected.',
  CURRENCY_OTHER: 'The currency is not the one of this file.',
  BALANCE_OPENED: 'The wallet has an opening balance already, or is named twice in the file.',
  WALLET_FULL: 'The balance would exceed the maximum wallet balance.',
} as const;

export type RowCode = keyof typeof ROW_CODES;

/** One reason against a row. */
export interface RowRefusal {
  /** The line of the file on which the row ends; the header is line 1. */
  readonly line: number;
  /** The name of the column; '' for the whole row. */
  readonly column: string;
  /** A code of this file, of the input or of registration. */
  readonly code: string;
  readonly sentence: string;
}

/** A refusal of a row by one of the codes above. */
export function rowRefusal(line: number, code: RowCode, column = ''): RowRefusal {
  return { line, column, code, sentence: ROW_CODES[code] };
}
