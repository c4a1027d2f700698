// How money comes into a reserve with a sale, leaves it by the clock and covers a lost dispute. The
// reserve is a part of the restricted funds of its wallet, so whatever knows those knows it. Pure.
import { command, EngineFault, type Decision, type ReadSet } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { addSeconds, laterOf } from '../../../core/time.ts';
import { balanceTable, systemAccount, tracked } from '../../../ledger/index.ts';
import { reserveMachine } from './machine.ts';
import { reserveHoldTable, reserveTable, type ReserveRow } from './tables.ts';

const DAY = 86_400;

/** Locks the reserve of a restricted ledger account; there may be none yet. */
export function lockReserve(rows: ReadSet, restricted: string): void {
  rows.lock(reserveTable, restricted);
  rows.read(reserveTable, restricted);
}

/** Minor units in reserve; it must be in the read set. */
export function heldInReserve(decision: Decision, restricted: string): bigint {
  return decision.get(reserveTable, restricted)?.held ?? 0n;
}

/** A share of what a sale pays a seller, to be restricted. */
interface NewHold {
  readonly invoiceId: string;
  /** The seller's UUID. */
  readonly account: string;
  readonly wallet: string;
  /** The restricted ledger account, which the entry of the sale credits. */
  readonly restricted: string;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly days: number;
}

/** Notes what a sale restricts; the reserve must be locked. One that is newer is not due sooner. */
export function restrict(decision: Decision, hold: NewHold): void {
  const { invoiceId: invoice_id, restricted, amount, days } = hold;
  const { workspace, lineage, now } = decision;
  const row = decision.get(reserveTable, restricted);
  const due = laterOf(addSeconds(now, days * DAY), row?.newest_due ?? '');
  const total = (row?.total ?? 0n) + amount;
  const held = (row?.held ?? 0n) + amount;
  const sums = { held, total, newest_due: due, due: row?.due ?? due };
  if (row === null) {
    decision.create(reserveMachine, reserveTable, 'open', {
      ...{ workspace, id: restricted, account_id: hold.account, wallet_id: hold.wallet },
      ...{ currency: hold.currency, ...sums, state: 'open', version: 1, updated: now },
    });
  } else decision.update(reserveTable, restricted, sums);
  decision.insert(reserveHoldTable, {
    ...{ workspace, id: derivedUuid(`reserve/${lineage}/${invoice_id}/${restricted}`) },
    ...{ reserve_id: restricted, invoice_id, amount, through: total, due, created: now },
  });
}

/** Covers up to `amount` of a lost dispute, for the integrator; gives how much. */
export function coverFromReserve(
  decision: Decision,
  restricted: string,
  { disputeId, amount }: { readonly disputeId: string; readonly amount: bigint },
): bigint {
  const row = decision.get(reserveTable, restricted);
  if (row === null || row.held === 0n) return 0n;
  const covered = row.held < amount ? row.held : amount;
  const held = row.held - covered;
  const patch = held === 0n ? { held, due: null } : { held };
  const detail = { dispute_id: disputeId, amount: Number(covered) };
  const { id, currency } = row;
  const version = decision.move(reserveMachine, reserveTable, id, 'cover', 'open', patch, detail);
  decision.post(id, version, [
    tracked(id, currency, -covered),
    systemAccount(decision.lineage, 'integrator_share', currency, covered),
  ]);
  return covered;
}

/** A reserve that is due: its newest hold that is, and its oldest that is not; null: none. */
export interface DueReserve {
  readonly id: string;
  readonly last: string | null;
  readonly next: string | null;
}

/** Releases what is due; of an account that may not be credited it stays restricted. [G-38] */
export const releaseReserve = command({
  name: 'release_reserve',
  batchable: true,
  load(rows, { id, last, next }: DueReserve) {
    const known = rows.read(reserveTable, id);
    if (known === null) return null;
    const row = rows.lock(reserveTable, id);
    rows.lock(balanceTable, id);
    rows.lock(balanceTable, known.wallet_id);
    const hold = (one: string | null) => (one === null ? null : rows.read(reserveHoldTable, one));
    return { row, last: hold(last), next: hold(next) };
  },
  decide(decision, _, loaded) {
    if (!loaded?.row) throw new EngineFault('there is no such reserve');
    const { row, last, next } = loaded;
    const gone = row.total - row.held;
    const through = last !== null && last.due <= decision.now ? last.through : gone;
    const amount = through > gone ? through - gone : 0n;
    const held = row.held - amount;
    // Without a next hold a sale came meanwhile: the clock looks again.
    const patch = { held, due: held === 0n ? null : (next?.due ?? decision.now) };
    if (amount > 0n) release(decision, row, amount, patch);
    else decision.update(reserveTable, row.id, patch);
    return { status: 200, payload: null };
  },
});

function release(
  decision: Decision,
  { id, wallet_id, currency }: ReserveRow,
  amount: bigint,
  patch: Partial<ReserveRow>,
): void {
  const detail = { amount: Number(amount) };
  const version = decision.move(reserveMachine, reserveTable, id, 'release', 'open', patch, detail);
  const accrues = decision.get(balanceTable, wallet_id)?.accrues !== false;
  const lines = [tracked(id, currency, -amount), tracked(wallet_id, currency, amount)];
  decision.post(id, version, accrues ? lines : []);
}
