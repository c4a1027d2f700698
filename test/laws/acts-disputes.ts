// Banks that take charges back, and how that continues: each reported once or more often, late, out
// of order, about unknown charges, and in lying programs about more than was charged. [M15, G-93]
import { changeDispute, openDispute } from '../../src/product/money/dispute/index.ts';
import { chargesIn } from './acts-processor.ts';
import type { Act } from './market.ts';
import { freshId } from './market-people.ts';
import { CURRENCY, submit } from './memory-core.ts';
import { change, isOpen, open } from './model-disputes.ts';
import { fault, nothing, type Dispute, type Reversal } from './model.ts';

/** A bank takes back what a card paid. */
const chargeback: Act = {
  name: 'a bank takes a charge back',
  weight: 5,
  alone: true,
  act({ model, book, lying }, rng) {
    const captured = chargesIn(model).filter(({ of }) => of.state === 'success');
    if (captured.length === 0) return null;
    const old = model.reversals.length > 0 && rng.once(4) ? rng.of(model.reversals) : null;
    const held = captured.filter(({ of }) => of.escrow?.state === 'ESCROWED');
    const charge = old?.charge ?? rng.of(held.length > 0 && rng.once(2) ? held : captured);
    const taken = model.reversals.filter((one) => {
      return one.charge === charge && one.state !== 'given_back';
    });
    const left = taken.reduce((sum, { amount }) => sum - amount, charge.amount);
    // Who lies takes more than is there: what an escrow does not hold is the integrator's.
    const much = lying && rng.once(4) ? left + 7n : left;
    if (much <= 0n && old === null) return null;
    const amount = old?.amount ?? (rng.once(2) ? much : 1n + (much - 1n) / 2n);
    const [id, reference] = [freshId(), old?.reference ?? `cb-${freshId()}`];
    const kind = rng.of(['chargeback', 'chargeback', 'return'] as const);
    const state = kind === 'return' ? 'returned' : 'needs_response';
    const dispute: Dispute = { id: freshId(), state, froze: false };
    const told = { id, charge, amount, reference };
    const reversal: Reversal = { ...told, state: 'received', secured: 0n, dispute };
    const stray = rng.once(20);
    const attemptId = stray ? freshId() : charge.id;
    if (old === null && !stray && !lying) book.takeBack(amount);
    const why = { reason: null, due_by: null };
    const ids = { id: dispute.id, reversalId: id, attemptId };
    const input = { ...ids, kind, reference, amount, currency: CURRENCY, ...why };
    const expect = () => (stray && old === null ? fault : open(model, reversal));
    return { ...submit(openDispute, input), expect };
  },
};

/** A dispute goes on or ends. */
const outcome: Act = {
  name: 'a dispute goes on',
  weight: 6,
  alone: true,
  act({ model, book, lying }, rng) {
    const one = rng.mostly(model.reversals, ({ dispute }) => isOpen(dispute));
    if (one === null) return null;
    const to = rng.of(['under_review', 'won', 'lost', 'withdrawn'] as const);
    const unknown = rng.once(20);
    const fits = !rng.once(20);
    const reference = unknown ? `cb-${freshId()}` : one.reference;
    const amount = fits ? one.amount : one.amount + 1n;
    const restores = (to === 'won' || to === 'withdrawn') && isOpen(one.dispute);
    if (restores && !unknown && fits && !lying) book.takeBack(-one.amount);
    const input = { reference, to, amount, currency: CURRENCY };
    const expect = () =>
      unknown ? ({ ...nothing, payload: false } as const) : change(model, one, to, fits);
    return { ...submit(changeDispute, input), expect };
  },
};

export const disputeActs = [chargeback, outcome];
