// What operators do with files of opening balances that were read: list, confirm and cancel them.
// Other tenants' files are answered as unknown.
import { sql, type Queryable } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { dependentOn } from '../../access/operator/index.ts';
import type { OpeningState } from './machine.ts';
import { cancelOpening, confirmOpening, type OpeningAnswer } from './opening.ts';
import { forgetCancelled } from './opening-lines.ts';
import { refusals as no } from './refusals.ts';

/** A file of opening balances as operators see it. */
export interface ShownOpening {
  readonly id: string;
  readonly currency: string;
  /** Minor units. */
  readonly total: bigint;
  readonly lines: number;
  readonly booked: number;
  readonly digest: string;
  readonly prepared_by: string;
  readonly confirmed_by: string | null;
  readonly created: Instant;
  readonly state: OpeningState;
}

/** The newest files of a workspace. */
export function listOpenings(db: Queryable, workspace: number): Promise<ShownOpening[]> {
  return db.query(sql`
    select id, currency, total, lines, booked, digest, prepared_by, confirmed_by, created,
      state
    from opening where workspace = ${workspace} order by created desc, id desc limit 100`);
}

interface OpeningServices {
  readonly db: Queryable;
  readonly engine: Engine;
}

/** An operator's act on a file. */
export interface OperatorAct {
  readonly workspace: number;
  readonly id: string;
  /** UUID of the operator. */
  readonly operator: string;
}

/** Confirms a file as its second person; its lines are then booked by `bookBlock`. */
export async function confirm(
  { db, engine }: OpeningServices,
  { workspace, id, operator }: OperatorAct,
): Promise<OpeningAnswer> {
  if (!isUuid(id)) throw refuse(no.OPENING_NOT_FOUND);
  const input = { id, operator, dependent: await dependentOn(db, operator) };
  const by = { workspace, actor: `operator:${operator}` };
  return (await engine.run(confirmOpening, input, by)).payload as OpeningAnswer;
}

/** Cancels a file that is not confirmed, and frees its wallets for another one. */
export async function cancel(
  { db, engine }: OpeningServices,
  { workspace, id, operator }: OperatorAct,
): Promise<OpeningAnswer> {
  if (!isUuid(id)) throw refuse(no.OPENING_NOT_FOUND);
  const by = { workspace, actor: `operator:${operator}` };
  const { payload } = await engine.run(cancelOpening, { id }, by);
  await forgetCancelled(db, workspace);
  return payload as OpeningAnswer;
}
