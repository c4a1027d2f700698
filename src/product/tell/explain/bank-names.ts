// What a bank's paper calls things: end-to-end and message ids, which are our ids without hyphens,
// the bank's own references, creditor references, and the SHA-256 of a file. [G-91]
import type { Queryable } from '../../../db/index.ts';
import { digitsOfReference, referencesIn } from '../../../core/bank-numbers.ts';
import { uuidOfBankId } from '../../money/payout-file/index.ts';

/** What such a text stands for. */
interface BankNamed {
  readonly kind: string;
  readonly id: string;
}

/** SQL: the first row counts. $2: an id of a bank, $3: digits of a reference, $4: the text. */
const NAMED = [
  `select machine as kind, resource_id as id from history where workspace = $1
    and resource_id = $2::uuid and version = 1 and machine in ('transfer', 'payout_file')`,
  `select 'wallet', id from wallet where workspace = $1 and reference_digits(id) = $3`,
  `select 'incoming_transfer', id from incoming_transfer where workspace = $1
    and state = 'returning' and reference_digits(id) = $3`,
  // Banks use a reference again: the newest is meant.
  `select 'incoming_transfer', id from incoming_transfer where workspace = $1
    and bank_reference = $4 and $4 <> '' order by created desc`,
  `select 'transfer', id from transfer where workspace = $1 and rail = 'file'
    and processor_reference = $4 and $4 <> '' order by updated desc`,
  `select 'payout_file', id from payout_file where workspace = $1 and sha256 = $4`,
  `select 'opening', id from opening where workspace = $1 and digest = $4 and $4 <> ''`,
]
  .map((text) => `(${text} limit 1)`)
  .join(' union all ');

/** Null for a text that names nothing of the workspace. */
export async function bankNamed(
  db: Queryable,
  workspace: number,
  text: string,
): Promise<BankNamed | null> {
  const [reference] = referencesIn(text).right;
  const digits = reference === undefined ? null : digitsOfReference(reference);
  const rows = await db.query<BankNamed>({
    name: 'explain_bank_named',
    text: NAMED,
    values: [workspace, uuidOfBankId(text), digits, text],
  });
  return rows[0] ?? null;
}
