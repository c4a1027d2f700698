// Reads of acts on money: one, those that are not finished, and the latest.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import type { MoneyActRow } from './tables.ts';

const COLUMNS = `id, act, subject_id, fields, seen, currency, amount, reason, operator_id,
  second_id, code, created, state, version, updated`;
const OPEN = "state in ('proposed', 'agreed', 'running')";

/** An act as it is shown. */
export type SeenAct = Omit<MoneyActRow, 'workspace'>;

/** One act; null for an unknown one. */
export async function moneyAct(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<SeenAct | null> {
  if (!isUuid(id)) return null;
  const rows = await db.query<SeenAct>(prepared('money_act')`
    select ${raw(COLUMNS)} from money_act where workspace = ${workspace} and id = ${id}`);
  return rows[0] ?? null;
}

/** The acts that are not finished, the oldest first; of one object, where its UUID is given. */
export function openActs(
  db: Queryable,
  workspace: number,
  subjectId: string | null,
): Promise<SeenAct[]> {
  return db.query<SeenAct>(prepared('open_money_acts')`
    select ${raw(COLUMNS)} from money_act where workspace = ${workspace} and ${raw(OPEN)}
      and (${subjectId}::uuid is null or subject_id = $2)
    order by created, id limit 200`);
}
