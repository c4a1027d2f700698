// The bank accounts of a tenant: one that instructions name in each currency, and the earlier ones,
// whose late statements are still taken. [G-91]
import { prepared, sql, type Database, type Queryable } from '../../../db/index.ts';
import { isIban } from '../../../core/bank-numbers.ts';
import { audit } from '../../tell/audit/index.ts';
import type { Random } from '../../../core/random.ts';
import { csvColumns, type CsvColumns } from './csv.ts';
import type { ExpectedAccount } from './statement.ts';

/** A bank account as an operator states it. */
export interface BankAccountFacts {
  readonly currency: string;
  /** An IBAN, or the number that a bank without IBANs gave; without blanks. */
  readonly number: string;
  /** BIC or routing number; '' for none. */
  readonly bic: string;
  readonly holder: string;
  readonly bankName: string;
  /** How its CSV files are read; null where the bank sends camt.053. */
  readonly columns: CsvColumns | null;
}

/** A stored bank account. */
export interface BankAccount extends BankAccountFacts, ExpectedAccount {
  readonly id: string;
  readonly active: boolean;
}

const NUMBER = /^[A-Z0-9-]{4,34}$/;
const IBAN_LIKE = /^[A-Z]{2}\d{2}/;

/** What is wrong with a bank account, as a sentence; null for nothing. */
export function faultOf({ number, bic, holder, bankName }: BankAccountFacts): string | null {
  if (!NUMBER.test(number)) return 'The account number must be 4 to 34 letters and digits.';
  if (IBAN_LIKE.test(number) && !isIban(number)) return 'The IBAN is mistyped: its check digits.';
  if (!/^[A-Z0-9]{0,11}$/.test(bic)) return 'The BIC must be at most 11 letters and digits.';
  for (const text of [holder, bankName]) {
    if (text.trim() === '' || text.length > 70) return 'Holder and bank have 1 to 70 characters.';
  }
  return null;
}

type Row = Omit<BankAccount, 'columns' | 'bankName'> & {
  readonly columns: string | null;
  readonly bank_name: string;
};

const SELECT = `select b.id, b.currency, b.number, b.bic, b.holder, b.bank_name, b.columns,
    b.active, c.digits
  from bank_account b
  join workspace_currency c on c.workspace = b.workspace and c.currency = b.currency
  where b.workspace = $1`;

function accountOf({ columns, bank_name: bankName, ...rest }: Row): BankAccount {
  const read = columns === null ? null : csvColumns.parse(JSON.parse(columns));
  return { ...rest, bankName, columns: read };
}

/** The bank accounts of a workspace: by currency, the active one first. */
export async function bankAccounts(db: Queryable, workspace: number): Promise<BankAccount[]> {
  const rows = await db.query<Row>({
    name: 'bank_accounts',
    text: `${SELECT} order by b.currency, b.active desc, b.created desc, b.id`,
    values: [workspace],
  });
  return rows.map(accountOf);
}

/** The bank account that instructions name in a currency, or null. */
export async function activeBankAccount(
  db: Queryable,
  workspace: number,
  currency: string,
): Promise<BankAccount | null> {
  const rows = await db.query<Row>({
    name: 'active_bank_account',
    text: `${SELECT} and b.active and b.currency = $2`,
    values: [workspace, currency],
  });
  return rows[0] === undefined ? null : accountOf(rows[0]);
}

/** The closing balance of the latest statement that states one, in minor units; 0 before. */
export async function latestBalance(db: Queryable, workspace: number, id: string): Promise<bigint> {
  const rows = await db.query<{ closing: bigint }>(prepared('latest_bank_balance')`
    select closing from bank_statement
    where workspace = ${workspace} and bank_account_id = ${id} and closing is not null
    order by created desc, id desc limit 1`);
  return rows[0]?.closing ?? 0n;
}

/**
 * Stores a bank account as the one of its currency; the one before stays for late statements. False
 * where the currency is not enabled.
 */
export async function setBankAccount(
  { db, random }: { readonly db: Database; readonly random: Random },
  workspace: number,
  facts: BankAccountFacts,
  actor: string,
): Promise<boolean> {
  const { currency, number, bic, holder, bankName, columns } = facts;
  return db.transaction(async (tx) => {
    const enabled = await tx.query(sql`
      select 1 from workspace_currency where workspace = ${workspace} and currency = ${currency}
      for no key update`);
    if (enabled.length === 0) return false;
    await tx.execute(sql`update bank_account set active = false
      where workspace = ${workspace} and currency = ${currency} and number <> ${number}
        and active`);
    const [row] = await tx.query<{ id: string }>({
      text: `insert into bank_account as b (workspace, id, currency, number, bic, holder, bank_name,
          columns, active, created)
        select workspace, $2, $3, $4, $5, $6, $7, $8, true, $now + clock_offset
        from workspace where workspace = $1
        on conflict (number, currency, workspace) do update set bic = $5, holder = $6,
          bank_name = $7, columns = $8, active = true
        returning id`,
      values: [
        ...[workspace, random.uuid(), currency, number, bic, holder.trim(), bankName.trim()],
        columns === null ? null : JSON.stringify(columns),
      ],
    });
    const entry = { workspace, actor, act: 'bank_account_set', detail: { currency } } as const;
    await audit(tx, { ...entry, ...(row && { subject: row.id }) });
    return true;
  });
}
