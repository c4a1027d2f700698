// Claims a key and runs the change, or finds the stored answer: one effect for each key. Nothing is
// stored of a refused request. [G-44]
import type { Database, Transaction } from '../../db/index.ts';
import {
  engineRefusals,
  isOfRequest,
  isUnder,
  KEPT_PRINT,
  recordOf,
  type IdempotencyRow,
} from '../../engine/index.ts';
import type { Answer, IdempotencyClaim } from '../../core/operation.ts';
import { refuse } from '../../core/refusal.ts';

/** The answer of a change as it is stored: without secrets. */
export interface Changed {
  readonly status: number;
  /** Null for no body. */
  readonly payload: object | null;
  /** The row with what the payload leaves out. */
  readonly record?: { readonly kind: string; readonly id: string; readonly version: number };
}

type KeptRow = Omit<IdempotencyRow, 'workspace' | 'scope' | 'created'>;

type Show = (tx: Transaction, changed: Changed) => Promise<Answer>;

const showPlain: Show = async (_tx, { status, payload }) =>
  status === 204 ? { status } : { status, payload };

/**
 * Runs `work` in a transaction, or finds its stored answer for this key; `show` builds the answer
 * of either. A refusal leaves the key free; another request under the key gets 422.
 */
export function once(
  db: Pick<Database, 'transaction'>,
  workspace: number,
  claim: IdempotencyClaim | null,
  work: (tx: Transaction) => Promise<Changed>,
  show: Show = showPlain,
): Promise<Answer> {
  return db.transaction(async (tx) => {
    if (claim === null) return show(tx, await work(tx));
    const kept = await claimOrKept(tx, workspace, claim);
    if (kept !== null) return show(tx, kept);
    const changed = await work(tx);
    await keep(tx, workspace, claim, changed);
    return show(tx, changed);
  });
}

/**
 * Runs `work` in a transaction, once for each claim; null where it ran before. Of what it gives
 * nothing is stored, so that a secret is seen by who made it alone.
 */
export async function onlyOnce<T>(
  db: Pick<Database, 'transaction'>,
  workspace: number,
  claim: IdempotencyClaim,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | null> {
  const made: T[] = [];
  await once(db, workspace, claim, async (tx) => {
    made.push(await work(tx));
    return { status: 204, payload: null };
  });
  return made[0] ?? null;
}

/**
 * The stored answer of a key, or null. `ask` runs `once` or the like with the work it is given,
 * which claims nothing.
 */
export async function keptAnswer(
  claim: IdempotencyClaim | null,
  ask: (work: () => Promise<never>) => Promise<Answer>,
): Promise<Answer | null> {
  if (claim === null) return null;
  const unknown = new Error('nothing is stored under the key');
  return ask(() => Promise.reject(unknown)).catch((error: unknown) => {
    if (error === unknown) return null;
    throw error;
  });
}

/** Claims the key; a concurrent duplicate waits here for the first one to end. */
async function claimOrKept(
  tx: Transaction,
  workspace: number,
  claim: IdempotencyClaim,
): Promise<Changed | null> {
  const claimed = await tx.execute({
    text: `insert into idempotency (workspace, scope, fingerprint, status)
      values ($1, $2, ${KEPT_PRINT.replace('?', '$3')}, 0) on conflict do nothing`,
    values: [workspace, claim.scope, claim.fingerprint],
  });
  if (claimed === 1) return null;
  const [row] = await tx.query<KeptRow>({
    text: `select fingerprint, status, record, record_id, record_version, answer
      from idempotency i where workspace = $1 and ${isUnder('$2')}`,
    values: [workspace, claim.scope],
  });
  if (row === undefined || !isOfRequest(row, claim)) {
    throw refuse(engineRefusals.IDEMPOTENCY_KEY_REUSED);
  }
  const { status } = row;
  const payload = JSON.parse(row.answer ?? 'null') as object | null;
  const record = recordOf(row);
  return record === null ? { status, payload } : { status, payload, record };
}

async function keep(
  tx: Transaction,
  workspace: number,
  claim: IdempotencyClaim,
  changed: Changed,
): Promise<void> {
  const { status, payload, record } = changed;
  await tx.execute({
    text: `update idempotency i set status = $3, record = $4, record_id = $5, record_version = $6,
      answer = $7 where workspace = $1 and ${isUnder('$2')}`,
    values: [
      workspace,
      claim.scope,
      status,
      record?.kind ?? null,
      record?.id ?? null,
      record?.version ?? null,
      JSON.stringify(payload),
    ],
  });
}
