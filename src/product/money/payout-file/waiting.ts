// The payouts that wait for a file, each with what keeps it out of the next one, so that a person
// can end what keeps it, choose another format, or reject it. [G-91]
import { accountId } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { bankId } from './content.ts';
import { reaches } from './pain.ts';
import { opened, type ReadParts } from './read.ts';
import { prepared } from '../../../db/index.ts';

/** A payout that waits and is in no live file. */
export interface WaitingPayout {
  readonly transfer_id: string;
  /** What a file will call it, and by which it is rejected. */
  readonly end_to_end_id: string;
  readonly account_id: string;
  /** The account as the person sees it, by its last four. */
  readonly to: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly since: Instant;
  /** `other_format`: pain.001 does not reach the account. Null: the next file has it. */
  readonly hindrance: 'blocked' | 'unverified' | 'erased' | 'other_format' | null;
}

interface Row extends Omit<WaitingPayout, 'end_to_end_id'> {
  readonly method: string;
  readonly sealed: string;
}

/** What waits, the oldest first. Opens destinations only to see whether a format reaches them. */
export async function waitingPayouts(
  parts: ReadParts,
  workspace: number,
  most: number,
): Promise<readonly WaitingPayout[]> {
  const rows = await parts.db.query<Row>(prepared('waiting_payouts_seen')`
    select r.id as transfer_id, m.account_id, m.display_string as to, r.currency, r.amount,
      r.updated as since, r.payment_method_id as method, d.sealed,
      case when a.blocked then 'blocked' when d.sealed = '' then 'erased'
        when k.state is distinct from 'ACCEPT' then 'unverified' end as hindrance
    from transfer r
    join payment_method m on m.workspace = r.workspace and m.id = r.payment_method_id
    join payout_destination d on d.workspace = r.workspace and d.id = r.payment_method_id
    join account a on a.workspace = m.workspace and a.id = m.account_id
    left join kyc k on k.workspace = m.workspace and k.id = m.account_id
    where r.workspace = ${workspace} and r.state = 'waiting'
      and not exists (select from payout_file_item i where i.workspace = r.workspace
        and i.transfer_id = r.id and i.live)
    order by r.id limit ${most}`);
  return Promise.all(rows.map(async ({ method, sealed, ...row }) => {
    const { transfer_id: id, amount, account_id, currency } = row;
    const [payment] = await opened(parts, workspace, [{ id, amount, method, account_id, sealed }]);
    const reached = payment !== undefined && reaches(payment.to, currency);
    const hindrance = row.hindrance ?? (reached ? null : 'other_format');
    const named = { end_to_end_id: bankId(id), account_id: accountId(account_id) };
    return { ...row, ...named, hindrance };
  }));
}
