// Takes from the bank's statements what they say of files that were handed over: debits by a
// payout's end-to-end id or a file's message id, and payouts that came back. Another amount than
// ours settles nothing; it stays open and is shown. [G-91]
import type { Queryable } from '../../../db/index.ts';
import { Refusal } from '../../../core/refusal.ts';
import { settleWord, type BankWord, type SettleParts } from './settle.ts';

const BATCH = 100;

/** SQL: an id as a bank repeats it. */
const bankIdOf = (column: string): string => `replace(${column}::text, '-', '')`;

/** SQL: what a file's debit must sum to: all but what the bank rejected. */
const FILE_SUM = `(select sum(r.amount) from payout_file_item i
  join transfer r on r.workspace = i.workspace and r.id = i.transfer_id and r.state <> 'declined'
  where i.workspace = f.workspace and i.file_id = f.id)`;

/** SQL: rows of statements (`e`) that name a file or payout of ours; `fits`: with our amount. */
const NAMED = `select e.workspace, e.id as entry, 'debited' as what, e.end_to_end_id as id,
    e.amount, e.currency, e.bank_reference as reference,
    (e.amount, e.currency) = (r.amount, r.currency) as fits
  from transfer r join bank_entry e on e.workspace = r.workspace
    and e.end_to_end_id = ${bankIdOf('r.id')} and e.direction = 'debit' and not e.returned
  where r.state = 'handed_over'
  union all select e.workspace, e.id, 'debited', e.end_to_end_id, e.amount, e.currency,
    e.bank_reference, (e.amount, e.currency) = (${FILE_SUM}, f.currency)
  from payout_file f join bank_entry e on e.workspace = f.workspace
    and e.end_to_end_id = ${bankIdOf('f.id')} and e.direction = 'debit' and not e.returned
  where f.state = 'handed_over'
  union all select e.workspace, e.id, 'returned', e.end_to_end_id, e.amount, e.currency,
    e.bank_reference, (e.amount, e.currency) = (r.amount, r.currency)
  from bank_entry e join transfer r on r.workspace = e.workspace
    and ${bankIdOf('r.id')} = e.end_to_end_id and r.rail = 'file'
    and r.state in ('handed_over', 'paid')
  where e.returned and e.direction = 'credit'`;

/** Settles what statements say; gives how much of it there was. */
export async function settleStatements(parts: SettleParts): Promise<number> {
  const words = await parts.db.query<Omit<BankWord, 'actor'>>({
    name: 'bank_words_of_files',
    text: `select workspace, what, id, amount, currency, reference from (${NAMED}) named
      where fits and exists (select from workspace w where w.workspace = named.workspace
        and w.ended is null)
      order by workspace, what, entry limit ${BATCH}`,
  });
  let settled = 0;
  for (const word of words) {
    try {
      await settleWord(parts, { ...word, actor: 'bank' });
      settled += 1;
    } catch (error) {
      // The file moved on since the row was read; the next turn reads it anew.
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return settled;
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
  return db.query({
    name: 'odd_entries_of_files',
    text: `select what, id, amount, currency, reference from (${NAMED}) named
      where not fits and workspace = $1 order by entry limit ${BATCH}`,
    values: [workspace],
  });
}
