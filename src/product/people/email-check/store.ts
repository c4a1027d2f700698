// Codes that were mailed to an address, so that who enters one has the address. Only a keyed hash
// of the code is stored, and the address under the key of the person. [G-67]
import type { Database, Transaction } from '../../../db/index.ts';
import { lineagePurpose } from '../../../core/labels.ts';
import type { Services } from '../../context.ts';

export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;
const DIGITS = 6;

type Keyed = Pick<Services, 'keys'>;

/** A code to be entered. */
export interface EmailCheck {
  readonly workspace: number;
  readonly id: string;
  /** UUID. */
  readonly account: string;
  readonly code_hash: string;
  /** The address. */
  readonly sealed: string;
}

/** Six digits, each as likely as the others. */
export function freshCode({ random }: Pick<Services, 'random'>): string {
  // 2^48 is so much more than a million that no code is noticeably likelier.
  return String(random.bytes(6).readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The keyed hash of a code: nobody who reads the table can try a million of them. */
export function codeHash({ keys }: Keyed, workspace: number, id: string, code: string): string {
  return keys.mac(lineagePurpose('emailCode', keys.lineageOf(workspace)), `${id} ${code}`);
}

/** Stores a code. */
export async function putCheck(tx: Transaction, check: EmailCheck): Promise<void> {
  const { workspace, id, account, code_hash, sealed } = check;
  await tx.execute({
    name: 'email_check_put',
    text: `insert into email_check (workspace, id, account_id, code_hash, sealed, expires)
      values ($1, $2, $3, $4, $5, workspace_now($1) + interval '${CODE_MINUTES} minutes')`,
    values: [workspace, id, account, code_hash, sealed],
  });
}

/**
 * Counts a try, before anything is compared, and gives what it is to be compared with. `spent`: no
 * try is left. Null: there is no such code of this account, or it has expired.
 */
export async function countTry(
  db: Pick<Database, 'query'>,
  workspace: number,
  account: string,
  id: string,
): Promise<Pick<EmailCheck, 'code_hash' | 'sealed'> | 'spent' | null> {
  const [row] = await db.query<EmailCheck & { readonly tries: number }>({
    name: 'email_check_try',
    text: `update email_check e set tries = least(e.tries + 1, ${CODE_TRIES + 1})
      from workspace w where w.workspace = $1 and e.workspace = $1 and e.id = $2
        and e.account_id = $3 and e.expires > $now + w.clock_offset
      returning e.code_hash, e.sealed, e.tries`,
    values: [workspace, id, account],
  });
  if (row === undefined) return null;
  return row.tries > CODE_TRIES ? 'spent' : row;
}

/** Deletes codes that have expired, by the clock of their workspace. */
export function forgetChecks(db: Database): Promise<number> {
  return db.execute(`delete from email_check e using workspace w
    where w.workspace = e.workspace and e.expires < $now + w.clock_offset`);
}
