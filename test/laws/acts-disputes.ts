// Banks that take charges back, and how that continues: each reported once or more often, late, out
// of order, about unknown charges, and in lying programs about more than was charged. Evidence and
// the processor's answer to it, the deadline, and the reserves that cover losses. [M15, G-93]
import {
  changeDispute,
  openDispute,
  settleAnswer,
  watchDispute,
} from '../../src/product/money/dispute/index.ts';
import { addEvidence, submitEvidence } from '../../src/product/money/dispute/evidence.ts';
import { releaseReserve, reserveTable } from '../../src/product/money/reserve/index.ts';
import { reserveHoldTable } from '../../src/product/money/reserve/tables.ts';
import { BEARERS } from '../../src/product/tenant/settings/index.ts';
import { instantFromMillis } from '../../src/core/time.ts';
import { chargesIn } from './acts-processor.ts';
import { aim } from './acts-sales.ts';
import type { Act } from './market.ts';
import { freshId } from './market-people.ts';
import { CURRENCY, submit } from './memory-core.ts';
import { change, evidenceShut, isOpen, open, watch } from './model-disputes.ts';
import {
  accrues,
  done,
  fault,
  nothing,
  refused,
  reserved,
  takeReserved,
  type Dispute,
  type Expected,
  type Reversal,
} from './model.ts';

/** A bank takes back what a card paid. */
const chargeback: Act = {
  name: 'a bank takes a charge back',
  weight: 5,
  alone: true,
  act({ model, book, lying, core }, rng) {
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
    const hours = rng.of([null, 1, 24, 14 * 24]);
    const dueBy = hours === null ? null : core.now + hours * 3_600_000;
    const [bearer, fee_bearer] = [rng.of(BEARERS), rng.of(BEARERS)];
    const fee = rng.of([0n, 15n]);
    const policy = { bearer, fee: fee_bearer === 'seller' ? fee : 0n };
    const begun = { due: null, pieces: [], answers: [], froze: false };
    const dispute: Dispute = { id: freshId(), state, ...policy, dueBy, ...begun };
    const told = { id, charge, amount, reference };
    const reversal: Reversal = { ...told, state: 'received', secured: 0n, dispute };
    const stray = rng.once(20);
    const attemptId = stray ? freshId() : charge.id;
    if (old === null && !stray && !lying) book.takeBack(amount);
    const due_by = dueBy === null ? null : instantFromMillis(dueBy);
    const why = { reason: null, due_by, bearer, fee_bearer, fee };
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

/** A file so large that a dispute takes one. */
const LARGE = 3_000_000;

const evidence: Act = {
  name: 'evidence is added or submitted',
  weight: 10,
  alone: true,
  act({ model }, rng) {
    const one = rng.mostly(model.reversals, ({ dispute }) => dispute.state === 'needs_response');
    if (one === null) return null;
    const { dispute } = one;
    const { pieces } = dispute;
    const aimed = aim(rng, dispute.id);
    const size = rng.of([0, LARGE]);
    const shut = (): string | null =>
      aimed.lost ? 'DISPUTE_NOT_FOUND' : evidenceShut(model, dispute);
    if (rng.once(2)) {
      const expect = (): Expected => {
        const no = shut() ?? (pieces.length === 0 ? 'DISPUTE_EVIDENCE_MISSING' : null);
        if (no !== null) return refused(no);
        dispute.answers.push({ id: input.answerId, state: 'sending' });
        model.announce('dispute-updated', dispute.id);
        return done;
      };
      const input = { disputeId: aimed.id, answerId: freshId() };
      return { ...submit(submitEvidence, input, aimed.workspace), expect };
    }
    const mime = size === 0 ? null : 'image/png';
    const piece = { id: freshId(), disputeId: aimed.id, kind: 'receipt', mime } as const;
    const expect = (): Expected => {
      const large = size > 0 && pieces.includes(size);
      const no = shut() ?? (large ? 'DISPUTE_TOO_MUCH_EVIDENCE' : null);
      if (no !== null) return refused(no);
      pieces.push(size);
      return done;
    };
    return { ...submit(addEvidence, { ...piece, size: size || 1 }, aimed.workspace), expect };
  },
};

const answer: Act = {
  name: 'the processor takes or declines evidence',
  weight: 14,
  alone: true,
  act({ model }, rng) {
    const all = model.reversals.flatMap(({ dispute }) =>
      dispute.answers.map((one) => ({ one, dispute })),
    );
    const said = rng.mostly(all, ({ one }) => one.state === 'sending');
    if (said === null) return null;
    const { one, dispute } = said;
    const state = rng.of(['accepted', 'declined'] as const);
    const end = { reference: 'dp', code: 'generic_error' } as const;
    const outcome = state === 'accepted' ? { state, reference: 'dp' } : { state, ...end };
    const expect = (): Expected => {
      if (one.state !== 'sending') return nothing;
      one.state = state;
      if (state === 'declined' && dispute.state === 'needs_response') {
        model.announce('dispute-updated', dispute.id);
      }
      return done;
    };
    return { ...submit(settleAnswer, { answerId: one.id, outcome }), expect };
  },
};

const clock: Act = {
  name: 'the clock looks at a dispute',
  weight: 5,
  act(market, rng) {
    const { model, core } = market;
    const one = rng.mostly(model.reversals, ({ dispute }) => dispute.due !== null);
    if (one === null) return null;
    const { dispute } = one;
    if (dispute.due !== null && !rng.once(3)) {
      market.pass(Math.max(0, Math.ceil((dispute.due - core.now) / 1_000)));
    }
    return { ...submit(watchDispute, { id: dispute.id }), expect: () => watch(model, dispute) };
  },
};

/** The clock releases what is due of a reserve. */
const release: Act = {
  name: 'the clock looks at a reserve',
  weight: 6,
  act(market, rng) {
    const { model, core, people } = market;
    const at = rng.mostly([...people.keys()], (one) => reserved(model.purse(one)) > 0n);
    const id = people[at ?? 0]?.kept ?? '';
    const row = core.get(reserveTable, id);
    if (at === null || row === null) return null;
    const purse = model.purse(at);
    const due = purse.holds.find(({ left }) => left > 0n)?.due ?? core.now;
    if (!rng.once(3)) market.pass(Math.max(0, Math.ceil((due - core.now) / 1_000)));
    const now = instantFromMillis(core.now);
    const holds = core.all(reserveHoldTable).filter((hold) => {
      return hold.reserve_id === id && hold.through > row.total - row.held;
    });
    const last = holds.findLast((hold) => hold.due <= now) ?? null;
    const next = holds.find((hold) => hold.due > now) ?? null;
    const until = Math.max(...purse.holds.map((hold) => (hold.due <= core.now ? hold.due : 0)));
    const input = { id, last: last?.id ?? null, next: next?.id ?? null };
    const expect = (): Expected => {
      const ripe = purse.holds.filter((hold) => hold.due <= until);
      const sum = ripe.reduce((total, { left }) => total + left, 0n);
      const freed = takeReserved(purse, sum);
      if (accrues(purse)) purse.spendable += freed;
      else purse.kept += freed;
      return done;
    };
    return { ...submit(releaseReserve, input), expect };
  },
};

export const disputeActs = [chargeback, outcome, evidence, answer, clock, release];
