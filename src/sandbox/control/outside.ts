// Events on request at the processor behind the sandbox: finds the provider call of a resource that
// an event is for, and gives one effect for each Idempotency-Key.
import { prepared, type Queryable } from '../../db/index.ts';
import { isUuid, uuidOfWireId } from '../../core/ids.ts';
import type { Answer, IdempotencyClaim } from '../../core/operation.ts';
import type { OutsideEvent, SandboxCards } from '../ports/cards.ts';
import type { Services } from '../../product/context.ts';
import { readInvoicesOf } from '../../product/money/escrow/index.ts';
import { once } from '../../product/idempotent/index.ts';

/** How many provider calls of a resource an event is tried on. */
const TRIED = 50;

/**
 * Makes the event happen to the latest possible provider call of an attempt, outbound transfer,
 * invoice, deposit, escrow, refund, payout or dispute, or to a transfer to our own bank. Null: the
 * processor does not answer.
 */
export async function happenTo(
  db: Queryable,
  cards: SandboxCards,
  workspace: number,
  id: string,
  event: OutsideEvent,
): Promise<'done' | 'refused' | null> {
  for (const key of await keysOf(db, workspace, id)) {
    const end = await cards.happen(workspace, key, event);
    if (end !== 'refused') return end;
  }
  return 'refused';
}

/** Newest first, as far as ids are in order of time: those of returns are derived, so are not. */
async function keysOf(db: Queryable, workspace: number, id: string): Promise<readonly string[]> {
  // A transfer of the processor to our own bank has no key of ours.
  if (/^po_\d{8}_[A-Z]+$/.test(id)) return [id];
  const ids = await exchangedFor(db, workspace, id);
  const mine = 'where workspace = $1 and (id = any ($2) or resource_id = any ($2))';
  const rows = await db.query<{ key: string }>({
    name: 'sandbox_keys_of',
    text: `select id::text as key from attempt ${mine}
      union select id::text from transfer ${mine} order by key desc limit ${TRIED}`,
    values: [workspace, ids],
  });
  return rows.map((row) => row.key);
}

/** The ids that provider calls are made for: of an escrow or a refund, its invoices. */
async function exchangedFor(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<readonly string[]> {
  const escrow = uuidOfWireId('esc', id);
  if (escrow !== null) return readInvoicesOf(db, workspace, escrow);
  if (!isUuid(id)) return [];
  const others = await db.query<{ id: string }>(prepared('sandbox_exchanged_for')`
    select refund_invoice_id as id from refund where workspace = ${workspace} and id = ${id}
    union all select v.attempt_id from dispute d
      join reversal v on v.workspace = d.workspace and v.id = d.reversal_id
      where d.workspace = $1 and d.id = $2`);
  return [id, ...others.map((one) => one.id)];
}

/** Requests with a key run one after the other: the processor is called inside a transaction. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` and answers its payload, once for each key. Only the sandbox may call a processor
 * while it holds a connection, and only once at a time, because the processor needs connections
 * too.
 */
export async function onceOutside(
  { db }: Pick<Services, 'db'>,
  workspace: number,
  claim: IdempotencyClaim | null,
  work: () => Promise<object>,
): Promise<Answer> {
  if (claim === null) return { status: 201, payload: await work() };
  const mine = turn.then(() =>
    once(db, workspace, claim, async () => ({ status: 201, payload: await work() })),
  );
  turn = mine.catch(() => {});
  return mine;
}
