// Codes that were mailed to an address, so that who enters one has the address. Only a keyed hash
// of the code is stored, and the address under the key of the person. [G-67]
import { prepared, raw, type Database, type Transaction } from '../../../db/index.ts';
import { lineagePurpose } from '../../../core/labels.ts';
import type { Services } from '../../context.ts';

const CODE_MINUTES = 10;
const CODE_TRIES = 5;
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
  await tx.execute(prepared('email_check_put')`
    insert into email_check (workspace, id, account_id, code_hash, sealed, expires)
    values (${workspace}, ${id}, ${account}, ${code_hash}, ${sealed},
      workspace_now($1) + interval '${raw(CODE_MINUTES)} minutes')`);
}

/** What a try came to: the sealed address for the right code, and else why it is refused. */
export type Tried = { readonly sealed: string } | 'wrong' | 'spent' | 'absent';

/**
 * Tries a code, counting a wrong one in the same statement, so that tries at once gain nothing.
 * `absent`: there is no such code of this account, or it has expired.
 */
export async function tryCode(
  services: Keyed & Pick<Services, 'db'>,
  workspace: number,
  account: string,
  { nonce, code }: { readonly nonce: string; readonly code: string },
): Promise<Tried> {
  const [row] = await services.db.query<{ right: boolean; tries: number; sealed: string }>({
    name: 'email_check_try',
    text: `update email_check e set tries = case when e.code_hash = $4 then e.tries
        else least(e.tries + 1, ${CODE_TRIES + 1}) end
      from workspace w where w.workspace = $1 and e.workspace = $1 and e.id = $2
        and e.account_id = $3 and e.expires > $now + w.clock_offset
      returning e.code_hash = $4 as right, e.tries, e.sealed`,
    values: [workspace, nonce, account, codeHash(services, workspace, nonce, code)],
  });
  if (row === undefined) return 'absent';
  if (row.right) return row.tries < CODE_TRIES ? { sealed: row.sealed } : 'spent';
  return row.tries > CODE_TRIES ? 'spent' : 'wrong';
}

/** Deletes codes that have expired, by the clock of their workspace. */
export function forgetChecks(db: Database): Promise<number> {
  return db.execute(`delete from email_check e using workspace w
    where w.workspace = e.workspace and e.expires < $now + w.clock_offset`);
}
