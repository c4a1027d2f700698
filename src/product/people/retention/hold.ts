// Legal holds, which keep data from being erased on request or by retention. [PD6]
import { sql, type Database } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { ERASED, refusals as ofAccount } from '../account/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { refusals as no } from './refusals.ts';

/** A hold to place or to end. */
export interface HoldRequest {
  readonly workspace: number;
  /** The account's UUID. */
  readonly account: string;
  /** A code such as `court_order`; never personal data. */
  readonly reason: string;
  readonly actor: string;
}

/** Places a hold; false where there is one already. Refused where nothing is left to hold. */
export function placeHold(db: Database, { workspace, account, reason, actor }: HoldRequest) {
  return db.transaction(async (tx) => {
    const [person] = await tx.query<{ wrapped_key: string }>(sql`
      select wrapped_key from account_person where workspace = ${workspace} and id = ${account}
        for update`);
    if (person === undefined) throw refuse(ofAccount.ACCOUNT_NOT_FOUND);
    if (person.wrapped_key === ERASED) throw refuse(no.PERSON_ERASED);
    const placed = await tx.execute(sql`
      insert into legal_hold (workspace, id, reason) values (${workspace}, ${account}, ${reason})
      on conflict do nothing`);
    const entry = { workspace, actor, subject: account, detail: { reason } };
    if (placed > 0) await audit(tx, { ...entry, act: 'person_held' });
    return placed > 0;
  });
}

/** Ends a hold; false where there was none. */
export function endHold(db: Database, { workspace, account, reason, actor }: HoldRequest) {
  return db.transaction(async (tx) => {
    const ended = await tx.execute(sql`
      delete from legal_hold where workspace = ${workspace} and id = ${account}`);
    const entry = { workspace, actor, subject: account, detail: { reason } };
    if (ended > 0) await audit(tx, { ...entry, act: 'person_released' });
    return ended > 0;
  });
}
