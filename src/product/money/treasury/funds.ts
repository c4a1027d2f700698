// Funds: what may be paid out of a currency at the processor or from our bank account. Whoever
// changes what is available or sends money out does it through these, with the row locked. Pure.
// [G-91]
import { EngineFault, type Decision, type ReadSet } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { fundsTable, holdTable, type FundsRow, type Place } from './tables.ts';

/** The id of the funds of a place and currency in a lineage. */
export function fundsId(lineage: number, place: Place, currency: string): string {
  return derivedUuid(`funds/${lineage}/${place}/${currency}`);
}

/** Locks the funds of a place and currency; null while they are not open. */
export function lockFunds(rows: ReadSet, place: Place, currency: string): FundsRow | null {
  const id = fundsId(rows.lineage, place, currency);
  return rows.read(fundsTable, id) === null ? null : rows.lock(fundsTable, id);
}

/** Locks what an outbound transfer holds, and the funds of it. */
export function lockHold(rows: ReadSet, transferId: string): void {
  const hold = rows.read(holdTable, transferId);
  if (hold === null) return;
  rows.read(fundsTable, hold.funds_id);
  rows.lock(fundsTable, hold.funds_id);
  rows.lock(holdTable, transferId);
}

/** Adds what became available, or takes what is gone; opens funds that are not open. */
export function addFunds(decision: Decision, place: Place, currency: string, amount: bigint): void {
  const { workspace, lineage, now } = decision;
  const id = fundsId(lineage, place, currency);
  if (decision.get(fundsTable, id) !== null) {
    change(decision, id, { available: amount });
    return;
  }
  const row = { workspace, id, place, currency, available: amount, held: 0n };
  decision.insert(fundsTable, { ...row, version: 1, updated: now });
}

/** What is available of a currency at a place; 0 while the funds are not open. */
export function fundsIn(decision: Decision, place: Place, currency: string): bigint {
  return decision.get(fundsTable, fundsId(decision.lineage, place, currency))?.available ?? 0n;
}

/**
 * True where the funds, which must be locked, cover the amount. Payouts by bank always wait for
 * money; at the processor they do once its funds are open.
 */
export function covers(funds: FundsRow | null, place: Place, amount: bigint): boolean {
  return funds === null ? place === 'processor' : funds.available - funds.held >= amount;
}

/** Holds money for an outbound transfer; nothing where the funds are not open. */
export function holdFunds(
  decision: Decision,
  funds: FundsRow | null,
  transferId: string,
  amount: bigint,
): void {
  if (funds === null) return;
  const { workspace, now } = decision;
  change(decision, funds.id, { held: amount });
  const row = { workspace, id: transferId, funds_id: funds.id, amount };
  decision.insert(holdTable, { ...row, state: 'held', created: now, updated: now });
}

/**
 * Ends a hold: `spent` when the place reports the money gone, `released` when it never left. A
 * transfer without one, or whose hold has ended, changes nothing.
 */
export function endHold(
  decision: Decision,
  transferId: string,
  state: 'spent' | 'released',
): void {
  const hold = decision.get(holdTable, transferId);
  if (hold?.state !== 'held') return;
  change(decision, hold.funds_id, { held: -hold.amount });
  decision.update(holdTable, transferId, { state, updated: decision.now });
}

/** Moves a hold to the transfer that takes the place of another. */
export function moveHold(decision: Decision, transferId: string, newId: string): void {
  const hold = decision.get(holdTable, transferId);
  if (hold?.state !== 'held') return;
  endHold(decision, transferId, 'released');
  holdFunds(decision, decision.get(fundsTable, hold.funds_id), newId, hold.amount);
}

function change(
  decision: Decision,
  id: string,
  { available = 0n, held = 0n }: { readonly available?: bigint; readonly held?: bigint },
): void {
  const row = decision.get(fundsTable, id);
  if (row === null) throw new EngineFault('funds were changed that are not open');
  decision.update(fundsTable, id, {
    available: row.available + available,
    held: row.held + held,
    version: row.version + 1,
    updated: decision.now,
  });
}
