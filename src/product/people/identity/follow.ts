// What identities follow and who follows them: an account whose state follows its business or its
// account at the processor, and persons whose state a business waits for. This module depends on
// neither. [G-55, G-92]
import { prepared, type Database, type Queryable } from '../../../db/index.ts';
import { EngineFault, type Decision } from '../../../engine/index.ts';
import { changeKyc } from './change.ts';
import type { ENTITY_GIVES } from './machine.ts';
import { kycTable } from './tables.ts';

/** A state that a business can give to its account. */
export type EntityGives = (typeof ENTITY_GIVES)[number];

/**
 * Gives an account the state that follows from its business; the person can no longer submit, and
 * earlier applications no longer matter. Rows as `needKyc` names them.
 */
export function followEntity(decision: Decision, account: string, to: EntityGives): void {
  const row = decision.get(kycTable, account);
  if (row === null) throw new EngineFault('an identity state that follows is absent');
  const patch = { follows_entity: true, application_id: null };
  if (row.state === to) {
    decision.update(kycTable, account, patch);
    return;
  }
  const data_on_file = row.data_on_file || to !== 'NODATA';
  changeKyc(decision, account, { on: 'follow_entity', to, patch: { ...patch, data_on_file } });
}

/**
 * Gives a seller the state that follows from their account at the processor: accepted where nobody
 * has decided otherwise, and back once the processor does not vouch for them any more. `last` is
 * the version that this gave before. Gives the version that it gives now; null where the state is
 * somebody else's. Rows as `needKyc` names them.
 */
export function followProcessor(
  decision: Decision,
  account: string,
  verified: boolean,
  last: number | null,
): number | null {
  const row = decision.get(kycTable, account);
  if (row === null || row.follows_entity) return null;
  const ours = row.version === last;
  if (verified) {
    const free = row.state === 'NODATA' || row.state === 'NONE';
    if (!free && !(ours && row.state === 'REVERIFY')) return ours ? last : null;
    return changeKyc(decision, account, { on: 'processor_verify', to: 'ACCEPT' }).version;
  }
  if (!ours || row.state !== 'ACCEPT') return null;
  return changeKyc(decision, account, { on: 'processor_withdraw', to: 'REVERIFY' }).version;
}

/** From now on `movedIdentities` reports each move of this account's identity. */
export function beFollowed(decision: Decision, account: string): void {
  decision.update(kycTable, account, { followed: true });
}

/** An identity that moved, with its latest version. */
export interface MovedIdentity {
  readonly workspace: number;
  readonly account: string;
  readonly version: number;
}

/** At most `most` identities that moved since their followers last acknowledged. */
export function movedIdentities(db: Queryable, most: number): Promise<MovedIdentity[]> {
  return db.query(prepared('kyc_moved_next')`
    select m.workspace, m.account_id as account, max(m.version) as version
    from workspace w join kyc_moved m on m.workspace = w.workspace where w.ended is null
    group by m.workspace, m.account_id order by min(m.moved) limit ${most}`);
}

/** Acknowledges moves up to `version`; later ones stay. */
export async function forgetMoved(
  db: Pick<Database, 'execute'>,
  { workspace, account, version }: MovedIdentity,
): Promise<void> {
  await db.execute(prepared('kyc_moved_seen')`
    delete from kyc_moved where workspace = ${workspace} and account_id = ${account}
      and version <= ${version}`);
}
