// Takes from the bank's statements what they say of files that were handed over: debits by a
// payout's end-to-end id or a file's message id, and payouts that came back. Another amount than
// ours settles nothing; it stays open and is shown. [G-91]
import { prepared, raw, sql, type Queryable } from '../../../db/index.ts';
import { Refusal } from '../../../core/refusal.ts';
import { settleWord, type BankWord, type SettleParts } from './settle.ts';

const BATCH = 100;

/** SQL: what a file's debit must sum to: all but what the bank rejected. */
const FILE_SUM = `(select sum(t.amount) from payout_file_item i
  join transfer t on t.workspace = i.workspace and t.id = i.transfer_id and t.state <> 'declined'
  where i.workspace = f.workspace and i.file_id = f.id)`;

/**
 * SQL: rows of statements that name a file or payout of ours and have settled nothing yet. `fits`:
 * with our amount, of one that was handed over and not rejected, and no other row said the same
 * before.
 */
const NAMED = `select e.workspace, e.entry, e.end_to_end_id as id, e.amount, e.currency,
    e.reference, case e.direction when 'debit' then 'debited' else 'returned' end as what,
    coalesce((e.amount, e.currency) = (r.amount, r.currency)
          and r.state in ('handed_over', 'paid', 'returned'),
        (e.amount, e.currency) = (${FILE_SUM}, f.currency)
          and f.state in ('handed_over', 'settled'), false)
      and (select true from bank_entry o where o.workspace = e.workspace
        and o.end_to_end_id = e.end_to_end_id and o.direction = e.direction
        and o.settles = 'payout' limit 1) is null as fits
  from (select b.workspace, b.id as entry, end_to_end_id, amount, currency, direction,
      bank_reference as reference,
      case when end_to_end_id ~* '^[0-9a-f]{32}$' then end_to_end_id::uuid end as ours
    from workspace w join bank_entry b on b.workspace = w.workspace
    where w.ended is null and settles is null and end_to_end_id ~* '^[0-9a-f]{32}$'
      and (direction = 'credit' or not returned)) e
  left join transfer r on r.workspace = e.workspace and r.id = e.ours and r.rail = 'file'
  left join payout_file f on f.workspace = e.workspace and f.id = e.ours
    and e.direction = 'debit'
  where coalesce(r.id, f.id) is not null`;

type Named = Omit<BankWord, 'actor'> & { readonly entry: string };

/** Settles what statements say, and marks their rows; gives how much of it there was. */
export async function settleStatements(parts: SettleParts): Promise<number> {
  const words = await parts.db.query<Named>(prepared('bank_words_of_files')`
    select workspace, what, id, amount, currency, reference, entry from (${raw(NAMED)}) named
    where fits order by workspace, what, entry limit ${raw(BATCH)}`);
  let settled = 0;
  for (const { entry, ...word } of words) {
    try {
      await settleWord(parts, { ...word, actor: 'bank' });
      await mark(parts.db, word.workspace, entry);
      settled += 1;
    } catch (error) {
      // The file moved on since the row was read; the next turn reads it anew.
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return settled;
}

async function mark(db: Queryable, workspace: number, entry: string): Promise<void> {
  await db.query(sql`update bank_entry set settles = 'payout'
    where workspace = ${workspace} and id = ${entry} and settles is null`);
}

/** A row of a statement that names a file or payout with another amount. */
export interface OddEntry {
  readonly what: BankWord['what'];
  readonly id: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string;
}

/** What people must look at. */
export function oddEntries(db: Queryable, workspace: number): Promise<readonly OddEntry[]> {
  return db.query(prepared('odd_entries_of_files')`
    select what, id, amount, currency, reference from (${raw(NAMED)}) named
    where not fits and workspace = ${workspace} order by entry limit ${raw(BATCH)}`);
}
