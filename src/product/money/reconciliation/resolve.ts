// Manual decisions about a payment, refund or payout in review. Where a decision depends on it, the
// processor is asked first; the settle command of the purpose then does the rest, as for any
// answer. [G-39, U14, U15, U16]
import { EngineFault, type Command, type Decision } from '../../../engine/index.ts';
import { prepared, type Queryable } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { systemAccount } from '../../../ledger/index.ts';
import type { Processor } from '../../../providers/processor/port.ts';
import { isDisputed, loadDisputes } from '../dispute/index.ts';
import { chargedBackOf, readRefunded } from '../refund/index.ts';
import {
  attemptTable,
  transferTable,
  type AttemptAnswer,
  type TransferAnswer,
} from '../wallet/index.ts';
import { refusals as no } from './refusals.ts';
import { chargeSettlers, transferSettlers } from './settlers.ts';

/** The possible decisions by kind. */
export const DECISIONS = {
  parked_charge: ['give_back', 'accept'],
  parked_remittance: ['retry', 'accept'],
  difference: ['explained'],
} as const;
export type Decided = (typeof DECISIONS)[keyof typeof DECISIONS][number];
export type DecidedKind = keyof typeof DECISIONS;

/** A payment attempt, outbound transfer or discrepancy in review. */
export interface DecidedItem {
  readonly kind: DecidedKind;
  readonly id: string;
  readonly state: string;
  readonly purpose: string;
  /** What it is for; null for a discrepancy. */
  readonly resource_id: string | null;
  readonly remitted: 'refund' | 'payout';
  /** The card's token of an attempt, or the destination of a transfer. */
  readonly target: string;
  /** Where and under which reference the processor knows the charge, also that of a refund. */
  readonly connection: string | null;
  readonly reference: string | null;
  readonly currency: string;
  readonly amount: bigint;
}

/** The item, or null. */
export async function decidedItem(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<DecidedItem | null> {
  const rows = await db.query<DecidedItem>(prepared('decided_item')`
    select 'parked_charge' as kind, id, state, purpose, resource_id, '' as remitted,
      processor_token as target, connection_id as connection, processor_reference as reference,
      currency, amount from attempt where workspace = ${workspace} and id = ${id}
    union all select 'parked_remittance', t.id, t.state, t.purpose, t.resource_id, t.kind,
      t.target, a.connection_id, a.processor_reference, t.currency, t.amount
      from transfer t left join attempt a on a.workspace = t.workspace
        and a.id = case t.kind when 'refund' then t.target::uuid end
      where t.workspace = $1 and t.id = $2
    union all select 'difference', id, state, '', null, '', '', null, null, currency,
      amount from difference where workspace = $1 and id = $2`);
  return rows[0] ?? null;
}

/**
 * Throws a Refusal for a decision that the processor contradicts. An item that is no longer in
 * review is not retrieved: the command refuses it, or repeats its answer. [M13]
 */
export async function requireBook(
  processor: Processor,
  workspace: number,
  item: DecidedItem,
  decision: Decided,
): Promise<void> {
  const { kind, id: key, state, remitted, target, amount, currency } = item;
  if (state !== 'parked') return;
  const { connection, reference } = item;
  const order = { workspace, connection, key, amount, currency };
  const charge = kind === 'parked_charge';
  if ((charge && decision === 'give_back') || (!charge && decision === 'accept')) return;
  const seen = charge
    ? await processor.retrieve({ ...order, token: target, reference })
    : await processor.retrieveTransfer({ ...order, kind: remitted, target, charge: reference });
  if (seen.state === 'unknown') throw refuse(no.PROCESSOR_SILENT, {}, 1);
  const agreed = charge
    ? seen.state === 'captured' && seen.amount === amount && seen.currency === currency
    : // What has been sent, or is about to be, is not sent a second time.
      seen.state !== 'paid' && seen.state !== 'pending';
  if (!agreed) throw refuse(no.PARKED_NOT_AS_AGREED);
}

/** The command that settles an attempt by a manual decision. */
export function decideCharge(purpose: string): Command<AttemptAnswer> {
  const settle = chargeSettlers[purpose];
  if (settle === undefined) throw new EngineFault('a charge has a purpose that nobody settles');
  return decided(settle, 'parked_charge', attemptTable, ({ attemptId }) => attemptId);
}

/** The command that settles an outbound transfer by a manual decision. */
export function decideTransfer(purpose: string): Command<TransferAnswer> {
  const settle = transferSettlers[purpose];
  if (settle === undefined) throw new EngineFault('a transfer has a purpose nobody settles');
  const command = decided(settle, 'parked_remittance', transferTable, (one) => one.transferId);
  return {
    ...command,
    load(rows, answer) {
      const loaded = command.load(rows, answer);
      const row = rows.read(transferTable, answer.transferId);
      const charge = row?.kind === 'refund' ? rows.read(attemptTable, row.target) : null;
      if (charge) readRefunded(rows, charge.resource_id);
      if (charge) loadDisputes(rows, charge);
      return loaded;
    },
    decide(decision, answer, loaded) {
      requireNotTaken(decision, answer);
      const said = command.decide(decision, answer, loaded);
      if (answer.outcome.state === 'accept_decided') keepForIntegrator(decision, answer);
      return said;
    },
  };
}

/**
 * Throws a Refusal for any decision about a refund while its charge is disputed, because only the
 * end shows whose the money is; and for sending again what the buyer has from their bank. [G-93,
 * M15]
 */
function requireNotTaken(decision: Decision, { transferId, outcome }: TransferAnswer): void {
  const row = decision.get(transferTable, transferId);
  // A second capture is not a charge of ours: it is returned whatever became of the first.
  if (row?.kind !== 'refund' || row.state !== 'parked' || row.purpose === 'double_capture') return;
  const charge = decision.get(attemptTable, row.target);
  if (charge === null) return;
  const back = BigInt(chargedBackOf(decision, charge.resource_id, charge.id));
  const twice = outcome.state === 'retry_decided' && back + row.amount > charge.amount;
  if (twice || isDisputed(decision, charge)) throw refuse(no.PARKED_DISPUTED);
}

/**
 * A declined refund that reached the buyer through their bank instead was never sent: its money
 * goes to the integrator, who bears what the bank took back. [M15]
 */
function keepForIntegrator(decision: Decision, { transferId }: TransferAnswer): void {
  const row = decision.get(transferTable, transferId);
  if (row?.kind !== 'refund' || row.failure_code === null) return;
  const charge = decision.get(attemptTable, row.target);
  const back = charge === null ? 0 : chargedBackOf(decision, charge.resource_id, charge.id);
  const { currency, amount, version } = row;
  if (BigInt(back) < amount) return;
  decision.post(transferId, version, [
    systemAccount(decision.lineage, 'processor_clearing', currency, -amount),
    systemAccount(decision.lineage, 'integrator_share', currency, amount),
  ]);
}

/** A settle command that requires an item in review, and answers with its new state. */
function decided<I>(
  settle: Command<I>,
  kind: DecidedKind,
  table: typeof attemptTable | typeof transferTable,
  idOf: (input: I) => string,
): Command<I> {
  return {
    ...settle,
    name: `decide_${settle.name}`,
    decide(decision, input, loaded) {
      const id = idOf(input);
      const row = () => decision.get(table as typeof attemptTable, id);
      if (row()?.state !== 'parked') throw refuse(no.ITEM_NOT_OPEN);
      settle.decide(decision, input, loaded);
      return { status: 200, payload: { id, kind, state: row()?.state } };
    },
  };
}
