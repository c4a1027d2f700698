// The model processor's own records: what it took and sent under each key. It always answers
// honestly and does not depend on our ledger.
import type { ChargeOutcome, TransferOutcome } from '../../src/providers/processor/port.ts';
import type { Rng } from './rng.ts';
import { CURRENCY } from './memory-core.ts';
import type { Charge, Sent } from './model.ts';

type ChargeEntry = { state: 'none' | Exclude<ChargeOutcome['state'], 'absent' | 'unknown'> };
type SentEntry = { state: 'none' | 'pending' | 'paid' | 'declined' | 'returned' };

/** The buyer must confirm first. */
export function challenge(reference: string, amount: bigint): ChargeOutcome {
  const url = `https://bank.test/challenge/${reference}`;
  return { state: 'challenged', reference, url, amount, currency: CURRENCY };
}

/** How a card behaves. */
interface CardPlan {
  readonly authorizes: boolean;
  /** Only after its buyer has confirmed. */
  readonly challenges: boolean;
  readonly captures: (typeof CAPTURES)[number];
}
const CAPTURES = ['all', 'all', 'all', 'all', 'late', 'none', 'more', 'gone'] as const;

export class Book {
  readonly #charges = new Map<string, ChargeEntry & { taken: bigint }>();
  readonly #sent = new Map<string, SentEntry & { amount: bigint }>();
  readonly #plans = new Map<string, CardPlan>();
  readonly #rng: Rng;
  #takenBack = 0n;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  /** What it owes us: taken, less sent and less what banks took back. Minor units. */
  net(): bigint {
    let sum = -this.#takenBack;
    for (const { taken } of this.#charges.values()) sum += taken;
    for (const { state, amount } of this.#sent.values()) if (state === 'paid') sum -= amount;
    return sum;
  }

  #planOf(token: string): CardPlan {
    let plan = this.#plans.get(token);
    if (plan === undefined) {
      const [authorizes, challenges] = [!this.#rng.once(5), this.#rng.once(4)];
      plan = { authorizes, challenges, captures: this.#rng.of(CAPTURES) };
      this.#plans.set(token, plan);
    }
    return plan;
  }

  /** Asked about a charge as it stands with us; does what is asked and answers. */
  askCharge({ id, token, amount, state }: Charge): ChargeOutcome {
    let entry = this.#charges.get(id);
    if (!entry) this.#charges.set(id, (entry = { state: 'none', taken: 0n }));
    const { authorizes, challenges, captures } = this.#planOf(token);
    if (state === 'authorizing' && entry.state === 'none') {
      if (this.#rng.once(8)) return { state: 'unknown' };
      entry.state = authorizes ? 'authorized' : 'declined';
      if (challenges) entry.state = 'challenged';
    } else if (state === 'capturing' && entry.state === 'authorized') {
      if (captures === 'none') entry.state = 'declined';
      else if (captures === 'gone') entry.state = 'reversed';
      else entry.state = captures === 'late' ? 'pending' : 'captured';
      if (entry.state === 'captured') entry.taken = amount + (captures === 'more' ? 1n : 0n);
    } else if (state === 'capturing' && entry.state === 'pending') {
      entry.state = this.#rng.once(4) ? 'declined' : 'captured';
      if (entry.state === 'captured') entry.taken = amount;
    } else if (state === 'reversing' && entry.state !== 'declined') {
      entry.state = 'reversed';
      entry.taken = 0n;
    }
    const reference = `ch-${id}`;
    if (entry.state === 'none') return { state: 'absent' };
    if (entry.state === 'declined') return { state: 'declined', reference, code: 'card_declined' };
    if (entry.state === 'challenged') return challenge(reference, amount);
    const shown = entry.state === 'captured' ? entry.taken : amount;
    return { state: entry.state, reference, amount: shown, currency: CURRENCY };
  }

  /** The buyer decides at the bank; nothing where it does not ask any more. */
  decide({ id, token }: Charge, confirms: boolean): void {
    const entry = this.#charges.get(id);
    if (entry?.state !== 'challenged') return;
    entry.state = confirms && this.#planOf(token).authorizes ? 'authorized' : 'declined';
  }

  /** Asked to send money out. */
  askSent({ id, amount }: Sent): TransferOutcome {
    let entry = this.#sent.get(id);
    if (!entry) this.#sent.set(id, (entry = { state: 'none', amount }));
    if (entry.state === 'none') entry.state = this.#rng.of(['pending', 'paid', 'declined']);
    else if (entry.state === 'pending') entry.state = this.#rng.of(['paid', 'paid', 'declined']);
    const reference = `re-${id}`;
    if (entry.state === 'declined') {
      return { state: 'declined', reference, code: 'processing_error' };
    }
    return { state: entry.state as 'paid', reference, amount, currency: CURRENCY };
  }

  /** The bank sends a payout back, if it was paid and is not back yet. */
  sendBack({ id, amount }: Sent): TransferOutcome | null {
    const entry = this.#sent.get(id);
    if (entry?.state !== 'paid') return null;
    entry.state = 'returned';
    return { state: 'returned', reference: `re-${id}`, amount, currency: CURRENCY };
  }

  /** The cardholder's bank takes a part of a charge back, or gives it back (negative). */
  takeBack(amount: bigint): void {
    this.#takenBack += amount;
  }

  /** True where it has exactly the agreed money under the key. */
  has({ id, amount }: Charge): boolean {
    const entry = this.#charges.get(id);
    return entry?.state === 'captured' && entry.taken === amount;
  }
}
