// The scripts of all counterparties as one list: queue, list, delete.
import type { Queryable, Transaction } from '../../../db/index.ts';
import type {
  ScriptedName,
  ScriptOrder,
  WaitingScript,
} from '../../ports/counterparties.ts';
import { queueScript } from '../store/calls.ts';

const BOOKS = ['processor', 'vendor', 'receiver'] as const satisfies readonly ScriptedName[];

/** Queues a script; returns `<counterparty>_<number>`. */
export async function script(
  tx: Transaction,
  workspace: number,
  { counterparty, ...line }: ScriptOrder,
): Promise<string> {
  const [number] = await queueScript(tx, counterparty, workspace, [line]);
  return `${counterparty}_${number}`;
}

const WAITING = BOOKS.map(
  (book) => `select '${book}' as counterparty, '${book}_' || number as script_id, number,
      operation, exchange, token, remaining
    from ${book}_script where workspace = $1 and remaining > 0`,
).join(' union all ');

/** Waiting scripts, in order for each counterparty. */
export function waiting(db: Queryable, workspace: number): Promise<WaitingScript[]> {
  return db.query<WaitingScript>({
    text: `select script_id, counterparty, operation, exchange, token, remaining
      from (${WAITING}) as waiting order by counterparty, number`,
    values: [workspace],
  });
}

const CLEARED = BOOKS.map(
  (book) => `${book} as (
    update ${book}_script set remaining = 0 where workspace = $1 and remaining > 0
    returning number)`,
).join(', ');
const COUNTED = BOOKS.map((book) => `(select count(*) from ${book})`).join(' + ');

/** Deletes waiting scripts; returns how many there were. */
export async function clear(tx: Transaction, workspace: number): Promise<number> {
  const rows = await tx.query<{ n: bigint }>({
    text: `with ${CLEARED} select ${COUNTED} as n`,
    values: [workspace],
  });
  return Number(rows[0]?.n ?? 0);
}
