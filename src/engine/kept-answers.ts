// The answers of commands as they are kept under idempotency keys. One of a sale leaves out what is
// known of it: its record is an invoice, and its time is that of the invoice's step. Until an
// upgrade is finished the database stores them whole, and finds them by their keys alone.
import type { CommandAnswer } from '../core/command.ts';
import { tableOf, type RowOf } from '../core/table.ts';

/** SQL: what is kept of a fingerprint. */
export const KEPT_PRINT = 'left(?, kept_print())';

/** The stored answer of one idempotent command. [G-44] */
export const idempotencyTable = tableOf('idempotency', 0, {
  scope: 'text',
  fingerprint: 'text',
  status: 'int2',
  /** Null, beside an id, for the kind that most answers show. */
  record: 'text?',
  record_id: 'uuid?',
  record_version: 'int4?',
  answer: 'json?',
  /** Null where it is that of the record's step. */
  created: 'timestamptz?',
}, {
  constant: ['workspace', 'status', 'record', 'record_version', 'answer', 'created'],
  stored: { fingerprint: KEPT_PRINT },
});
export type IdempotencyRow = RowOf<typeof idempotencyTable>;

const MOST_ANSWERS = 'invoice';

/** A record at a version. */
type RecordAt = NonNullable<CommandAnswer['record']>;

type KeptPrint = Pick<IdempotencyRow, 'fingerprint'>;

/** The columns that say which record an answer showed. */
type KeptRecord = Pick<IdempotencyRow, 'record' | 'record_id' | 'record_version' | 'created'>;

/**
 * SQL: the answer `i` is kept under the key `scope` of its workspace. The hashes are for the index
 * of a table that was empty since the upgrade was finished; before, it holds the keys themselves.
 */
export const isUnder = (scope: string): string =>
  `i.scope = ${scope} and hashtext(i.scope) = hashtext(${scope})
    and hashtextextended(i.scope, 1) = hashtextextended(${scope}, 1)`;

/** Characters of a fingerprint that are kept since the upgrade was finished: 84 bits. */
const SHORT_PRINT = 14;

/** Whether the answer is that of this request. [G-44] */
export function isOfRequest({ fingerprint: kept }: KeptPrint, asked: KeptPrint): boolean {
  const isShort = kept.length === SHORT_PRINT;
  return isShort ? asked.fingerprint.startsWith(kept) : asked.fingerprint === kept;
}

/** How the record of an answer is stored: short where it is one of a sale. */
export function storedRecord(shown: RecordAt | undefined): KeptRecord {
  const { kind = null, id = null, version = null } = shown ?? {};
  const isShort = kind === MOST_ANSWERS;
  return {
    record: isShort ? null : kind,
    record_id: id,
    record_version: version,
    // PostgreSQL reads the word as the time of the transaction.
    created: isShort ? null : 'now',
  };
}

/** The record that a stored answer showed; null where it showed none. */
export function recordOf(row: Omit<KeptRecord, 'created'>): RecordAt | null {
  if (row.record_id === null) return null;
  const { record, record_id: id, record_version: version } = row;
  return { kind: record ?? MOST_ANSWERS, id, version: version ?? 0 };
}
