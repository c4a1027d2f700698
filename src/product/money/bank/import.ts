// Imports a statement file: read whole, stored with its rows in one transaction, then taken row by
// row. The same file, and rows that overlapping files repeat, change nothing; an import that was
// interrupted goes on with the next one. [G-91]
import { createHash } from 'node:crypto';
import { sql, type Transaction } from '../../../db/index.ts';
import { referencesIn } from '../../../core/bank-numbers.ts';
import { sealedPlace } from '../../../core/labels.ts';
import { refuse } from '../../../core/refusal.ts';
import { seal } from '../../../core/sealing.ts';
import { audit } from '../../tell/audit/index.ts';
import type { Services } from '../../context.ts';
import { bankAccounts, type BankAccount } from './accounts.ts';
import { accountOfCamt, readCamt } from './camt.ts';
import { readCsv } from './csv.ts';
import type { IncomingAnswer } from './decide.ts';
import { refusals as no } from './refusals.ts';
import { unreadable, type Statement, type StatementRow } from './statement.ts';
import { takeEntries } from './take.ts';

/** Bytes of a statement file. */
export const FILE_MAX = 20_000_000;

export type BankServices = Pick<Services, 'db' | 'engine' | 'keys' | 'random'>;

/** What became of a file. */
export interface Imported {
  readonly statement_id: string;
  /** `unchanged`: the same file was imported before. */
  readonly state: 'imported' | 'unchanged';
  readonly entries: number;
  /** Rows that no earlier file had. */
  readonly new_entries: number;
  /** Debits among the new rows. */
  readonly debits: number;
  /** What became of credits that were not taken before. */
  readonly taken: readonly IncomingAnswer[];
}

/** A file to import; a CSV file names no account, so it comes with the currency. */
export interface StatementFile {
  readonly bytes: Uint8Array;
  readonly currency?: string | undefined;
}

/** Imports a file of the workspace's bank. Throws a Refusal, and has stored nothing then. */
export async function importStatement(
  services: BankServices,
  workspace: number,
  { bytes, currency }: StatementFile,
  actor: string,
): Promise<Imported> {
  if (bytes.length > FILE_MAX) throw unreadable(`larger than ${FILE_MAX} bytes`);
  const accounts = await bankAccounts(services.db, workspace);
  const { account, statement } = readFile(accounts, bytes, currency);
  const digest = createHash('sha256').update(bytes).digest('hex');
  const stored = await store(services, { workspace, actor }, account, statement, digest);
  const taken = await takeEntries(services, { workspace, actor });
  return { ...stored, entries: statement.rows.length, taken };
}

function readFile(
  accounts: readonly BankAccount[],
  bytes: Uint8Array,
  currency: string | undefined,
): { readonly account: BankAccount; readonly statement: Statement } {
  const csv = accounts.find((one) => one.columns !== null && one.active
    && one.currency === currency);
  if (csv?.columns) return { account: csv, statement: readCsv(bytes, csv.columns, csv) };
  const named = accountOfCamt(bytes);
  const ofNumber = accounts.filter((one) => one.number === named.number);
  if (ofNumber.length === 0) throw refuse(no.BANK_FILE_OTHER_ACCOUNT);
  const account = ofNumber.find((one) => one.currency === named.currency);
  if (account === undefined || (currency ?? account.currency) !== account.currency) {
    throw refuse(no.BANK_FILE_OTHER_CURRENCY);
  }
  return { account, statement: readCamt(bytes, account) };
}

/** A hash of a row's facts and of how many like it came before in the file. */
function keysOf(rows: readonly StatementRow[]): string[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const facts = JSON.stringify([
      ...[row.direction, String(row.amount), row.booked, row.valueDate, row.bankReference],
      ...[row.endToEndId, row.text, row.payerName, row.payerNumber, row.returned],
    ]);
    const number = seen.get(facts) ?? 0;
    seen.set(facts, number + 1);
    return createHash('sha256').update(`${number}${facts}`).digest('hex');
  });
}

/** Who imports, into which workspace. */
interface Importer {
  readonly workspace: number;
  readonly actor: string;
}

type Stored = Pick<Imported, 'statement_id' | 'state' | 'new_entries' | 'debits'>;

async function store(
  services: BankServices,
  { workspace, actor }: Importer,
  account: BankAccount,
  statement: Statement,
  digest: string,
): Promise<Stored> {
  const { db, keys, random } = services;
  const id = random.uuid();
  const lineage = keys.lineageOf(workspace);
  const key = random.bytes(32);
  const wrapped = await keys.wrap(key, sealedPlace('bankStatement', lineage, id));
  return db.transaction(async (tx) => {
    // One file of a bank account at a time.
    await tx.query(sql`
      select 1 from bank_account where workspace = ${workspace} and id = ${account.id}
        for no key update`);
    const made = await tx.query<{ id: string }>(sql`
      insert into bank_statement (workspace, id, bank_account_id, digest, format,
        wrapped_key, opening, closing, created)
      select workspace, ${id}, ${account.id}, ${digest}, ${statement.format}, ${wrapped},
        ${statement.opening}, ${statement.closing}, clock_timestamp() + clock_offset
      from workspace where workspace = ${workspace} on conflict do nothing returning id`);
    if (made.length === 0) return unchanged(tx, workspace, account.id, digest);
    await requireOneFormat(tx, workspace, account.id, statement);
    const sealed = (entryId: string, row: StatementRow): string => {
      const told = { name: row.payerName, number: row.payerNumber, text: row.text };
      const place = sealedPlace('bankEntry', lineage, entryId);
      return seal(key, random.bytes(12), JSON.stringify(told), place);
    };
    const ids = statement.rows.map(() => random.uuid());
    const added = await storeRows(tx, { workspace, id, account, statement, ids, sealed });
    const entry = { workspace, actor, act: 'bank_statement_imported', subject: id } as const;
    // A program of the sandbox imports what it made up itself.
    if (/^operator(?::|$)/.test(actor)) await audit(tx, entry);
    const debits = added.filter(({ direction }) => direction === 'debit').length;
    return { statement_id: id, state: 'imported', new_entries: added.length, debits };
  });
}

async function unchanged(
  tx: Transaction,
  workspace: number,
  account: string,
  digest: string,
): Promise<Stored> {
  const [known] = await tx.query<{ id: string }>(sql`select id from bank_statement
    where workspace = ${workspace} and bank_account_id = ${account} and digest = ${digest}`);
  return { statement_id: known?.id ?? '', state: 'unchanged', new_entries: 0, debits: 0 };
}

/** Rows of two formats are never alike, so no day may come from both. */
async function requireOneFormat(
  tx: Transaction,
  workspace: number,
  account: string,
  { format, rows }: Statement,
): Promise<void> {
  const first = rows.map(({ booked }) => booked).toSorted()[0];
  if (first === undefined) return;
  const other = await tx.query(sql`
    select 1 from bank_entry e join bank_statement s on s.workspace = e.workspace
      and s.id = e.statement_id
    where e.workspace = ${workspace} and e.bank_account_id = ${account} and s.format <> ${format}
      and e.booked >= ${first}
    limit 1`);
  if (other.length > 0) throw refuse(no.BANK_FILE_OTHER_FORMAT);
}

interface StoredRows {
  readonly workspace: number;
  readonly id: string;
  readonly account: BankAccount;
  readonly statement: Statement;
  readonly ids: readonly string[];
  readonly sealed: (entryId: string, row: StatementRow) => string;
}

function storeRows(
  tx: Transaction,
  { workspace, id, account, statement: { rows }, ids, sealed }: StoredRows,
): Promise<{ direction: string }[]> {
  const column = <T>(of: (row: StatementRow) => T): T[] => rows.map(of);
  const references = rows.map(({ text, endToEndId }) => {
    const { right } = referencesIn(`${text} ${endToEndId}`);
    return right.length === 1 ? (right[0] ?? '') : '';
  });
  return tx.query({
    text: `insert into bank_entry (workspace, id, bank_account_id, statement_id, currency, key,
        direction, amount, booked, value_date, bank_reference, end_to_end_id, reference, returned,
        charge, sealed, created)
      select w.workspace, n.id, $2, $3, $4, n.key, n.direction, n.amount, n.booked, n.value_date,
        n.bank_reference, n.end_to_end_id, n.reference, n.returned, n.charge,
        n.sealed,
        clock_timestamp() + w.clock_offset
      from workspace w, unnest($5::uuid[], $6::text[], $7::text[], $8::int8[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::text[], $14::bool[], $15::bool[], $16::text[])
        as n(id, key, direction, amount, booked, value_date, bank_reference, end_to_end_id,
          reference, returned, charge, sealed)
      where w.workspace = $1 on conflict do nothing returning direction`,
    values: [
      ...[workspace, account.id, id, account.currency, ids, keysOf(rows)],
      ...[column((row) => row.direction), column((row) => row.amount)],
      ...[column((row) => row.booked), column((row) => row.valueDate)],
      ...[column((row) => row.bankReference), column((row) => row.endToEndId)],
      ...[references, column((row) => row.returned), column((row) => row.charge)],
      rows.map((row, at) => sealed(ids[at] ?? '', row)),
    ],
  });
}
