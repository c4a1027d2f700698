// What the bank says against what the books say lies there, in each currency, and what the
// difference is made of. What is left of it nothing explains: a statement is missing.
import { prepared, raw, type Queryable } from '../../../db/index.ts';

/** A currency's bank accounts by their statements and by the books. Minor units. */
export interface BankBalance {
  readonly currency: string;
  readonly digits: number;
  /** Closing balances of the last statements; null where an account has none that states one. */
  readonly statements: bigint | null;
  /** What the ledger account `bank` says. */
  readonly books: bigint;
  /** There before the first statement. */
  readonly before: bigint;
  /** Rows that nobody decided about; negative: debits. */
  readonly undecided: bigint;
  /** Booked by a person and on no statement yet; negative: payouts that were confirmed by hand. */
  readonly by_hand: bigint;
  /** The difference, less all of this; null where `statements` is. */
  readonly unexplained: bigint | null;
}

/** SQL: the balance at one end of an account's statements, one after the other. */
const end = (balance: 'opening' | 'closing', other: 'closing' | 'opening', order: string): string =>
  `(select s.${balance} from bank_statement s
    where s.workspace = b.workspace and s.bank_account_id = b.id and s.${balance} is not null
    order by exists (select from bank_statement o where o.workspace = s.workspace
      and o.bank_account_id = s.bank_account_id and o.id <> s.id and o.${other} = s.${balance}),
      s.created ${order}, s.id ${order} limit 1)`;

const SIGNED = "case e.direction when 'debit' then -e.amount else e.amount end";

/** Both sides of each currency that has a bank account. */
export async function bankBalances(
  db: Queryable,
  workspace: number,
): Promise<readonly BankBalance[]> {
  const rows = await db.query<Omit<BankBalance, 'unexplained'>>(prepared('bank_balances')`
    with account as (select b.currency, ${raw(end('opening', 'closing', 'asc'))} as opening,
        ${raw(end('closing', 'opening', 'desc'))} as closing
      from bank_account b where b.workspace = ${workspace} and (b.active or exists (select
        from bank_statement s where s.workspace = b.workspace and s.bank_account_id = b.id)))
    select c.currency, c.digits, a.statements, a.before,
      coalesce((select -sum(p.amount) from posting p join ledger_account l
          on l.workspace = p.workspace and l.id = p.account_id and l.kind = 'bank'
        where p.workspace = $1 and p.currency = c.currency), 0)::bigint as books,
      coalesce((select sum(${raw(SIGNED)}) from bank_entry e left join incoming_transfer t
          on t.workspace = e.workspace and t.entry_id = e.id
        where e.workspace = $1 and e.currency = c.currency and e.settles is null
          and t.id is null), 0)::bigint as undecided,
      (coalesce((select sum(amount) from incoming_transfer where workspace = $1
          and currency = c.currency and awaits is not null and state in ('credited', 'covered')), 0)
        - coalesce((select sum(amount) from transfer where workspace = $1
          and currency = c.currency and rail = 'file' and state = 'paid'), 0)
        - coalesce((select sum(${raw(SIGNED)}) from bank_entry e where e.workspace = $1
          and e.currency = c.currency and e.settles = 'payout'), 0))::bigint as by_hand
    from (select currency, coalesce(sum(opening), 0)::bigint as before,
        case when bool_and(closing is not null) then sum(closing)::bigint end as statements
      from account group by currency) a
    join workspace_currency c on c.workspace = $1 and c.currency = a.currency
    order by c.currency`);
  return rows.map((row) => {
    const { statements, books, before, undecided, by_hand: byHand } = row;
    const known = before + undecided - byHand;
    return { ...row, unexplained: statements === null ? null : statements - books - known };
  });
}
