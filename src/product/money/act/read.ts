// Reads of acts on money: one, those that are not finished, and the latest.
import type { Queryable } from '../../../db/index.ts';
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
  const rows = await db.query<SeenAct>({
    name: 'money_act',
    text: `select ${COLUMNS} from money_act where workspace = $1 and id = $2`,
    values: [workspace, id],
  });
  return rows[0] ?? null;
}

/** The acts that are not finished, the oldest first; of one object, where its UUID is given. */
export function openActs(
  db: Queryable,
  workspace: number,
  subjectId: string | null,
): Promise<SeenAct[]> {
  return db.query<SeenAct>({
    name: 'open_money_acts',
    text: `select ${COLUMNS} from money_act where workspace = $1 and ${OPEN}
        and ($2::uuid is null or subject_id = $2)
      order by created, id limit 200`,
    values: [workspace, subjectId],
  });
}
