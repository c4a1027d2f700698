// Payouts in files for the bank: collected, confirmed by another operator, handed over, cancelled;
// and what the bank says of each. [G-91]
import {
  cancelPayoutFile,
  collectPayouts,
  confirmPayoutFile,
  handOverPayoutFile,
  rejectWaitingPayout,
} from '../../src/product/money/payout-file/decide.ts';
import { instantFromMillis } from '../../src/core/time.ts';
import { sentIn, tellSent } from './acts-processor.ts';
import type { Act, Move } from './market.ts';
import { freshId } from './market-people.ts';
import { CURRENCY, submit } from './memory-core.ts';
import { answerPayout, handOver } from './model-payouts.ts';
import { done, refused, type PayoutFile, type Sent } from './model.ts';

const sha256 = '0'.repeat(64);
const [MAKER, CONFIRMER] = [freshId(), freshId()];
const [maker, confirmer] = [{ actor: 'maker' }, { actor: 'confirmer' }];

/** Another file over what waits. */
function collect(waiting: readonly Sent[], now: number, files: PayoutFile[]): Move {
  const id = freshId();
  const total = waiting.reduce((sum, { amount }) => sum + amount, 0n);
  const input = {
    ...{ id, operator: MAKER, currency: CURRENCY, format: 'csv' as const, total, sha256 },
    ...{ transfers: waiting.map((one) => one.id), terms: '{}', drafted: instantFromMillis(now) },
  };
  const expect = () => {
    files.push({ id, sent: waiting, state: 'collected' });
    return done;
  };
  return { ...submit(collectPayouts, input), ...maker, expect };
}

const file: Act = {
  name: 'a payout file goes on',
  weight: 9,
  alone: true,
  act({ model, core }, rng) {
    const open = model.files.find(({ state }) => state === 'collected' || state === 'confirmed');
    const waiting = sentIn(model).filter(({ state }) => state === 'waiting');
    if (open === undefined) {
      return waiting.length === 0 ? null : collect(waiting, core.now, model.files);
    }
    const { id: fileId, sent } = open;
    const outdated = sent.some(({ state }) => state !== 'waiting');
    const to = (state: PayoutFile['state']) => () => {
      open.state = state;
      return done;
    };
    if (rng.once(8)) {
      return { ...submit(cancelPayoutFile, { fileId }), ...maker, expect: to('cancelled') };
    }
    if (open.state === 'collected') {
      const input = { fileId, operator: CONFIRMER, sha256, dependent: [] };
      return { ...submit(confirmPayoutFile, input), ...confirmer, expect: to('confirmed') };
    }
    const expect = () => {
      if (outdated) return refused('PAYOUT_FILE_OUTDATED');
      for (const one of sent) {
        one.state = 'handed_over';
        handOver(model, one, 1n);
      }
      return to('handed_over')();
    };
    return { ...submit(handOverPayoutFile, { fileId }), ...maker, expect };
  },
};

const bank: Act = {
  name: 'the bank says of a payout in a file',
  weight: 6,
  act(market, rng) {
    const one = rng.mostly(
      sentIn(market.model).filter(({ of }) => of.kind === 'payout' && of.file),
      ({ state }) => state === 'handed_over',
    );
    if (one === null) return null;
    const sum = { amount: one.amount, currency: CURRENCY, reference: 'bank' };
    const no = { state: 'declined', reference: 'bank', code: 'generic_error' } as const;
    const outcome = rng.of([{ state: 'paid', ...sum }, { state: 'returned', ...sum }, no] as const);
    return tellSent(market, one, { transferId: one.id, outcome });
  },
};

const reject: Act = {
  name: 'an operator rejects a payout that waits for a file',
  weight: 2,
  alone: true,
  act({ model }, rng) {
    const waiting = sentIn(model).filter(({ state }) => state === 'waiting');
    const one = rng.mostly(waiting, () => true);
    if (one === null || one.of.kind !== 'payout') return null;
    const { of } = one;
    const isLive = model.files.some(
      ({ sent, state }) => state !== 'cancelled' && sent.includes(one),
    );
    const outcome = { state: 'reject_decided', reference: 'operator' } as const;
    const expect = () =>
      isLive ? refused('PAYOUT_IN_OPEN_FILE') : answerPayout(model, one, outcome, of);
    return { ...submit(rejectWaitingPayout, { transferId: one.id, outcome }), ...maker, expect };
  },
};

export const fileActs = [file, bank, reject];
