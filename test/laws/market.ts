// A market in memory: three people with a wallet and two cards each, who buy from each other
// through the real decisions, beside a model of where their money must be. Answers for the
// model, written from the interface and the numbered choices, never from the code; refuses to
// know how decisions work.
import assert from 'node:assert/strict';
import type { Command } from '../../src/engine/index.ts';
import {
  createInvoice,
  invoiceTable,
  payInvoice,
  prepareInvoice,
  settleInvoice,
} from '../../src/domain/invoice/index.ts';
import { accountTable } from '../../src/domain/account/index.ts';
import { setKycState } from '../../src/domain/identity/index.ts';
import { attemptTable, paymentMethodTable } from '../../src/domain/wallet/index.ts';
import type { AttemptRow } from '../../src/domain/wallet/index.ts';
import type { JsonText } from '../../src/kernel/json-text.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import type { ChargeOutcome } from '../../src/ports/processor.ts';
import { MemoryCore, submit, type Outcome } from './memory-core.ts';
import { checkBooks } from './market-books.ts';
import { fixture, freshId, type Person } from './market-people.ts';
import type { Action, CardPlan, SaleWish } from './actions.ts';
import { bodyOf, type Part, type Wish } from './market-sales.ts';

/** An invoice as the model has it. */
export interface Sale extends Pick<Wish, 'total' | 'credits' | 'integrator'> {
  readonly id: string;
  readonly buyer: number;
  readonly parts: readonly Part[];
  state: 'open' | 'processing' | 'success' | 'failed';
  failure: string | null;
}

/** What the model says one person has. */
export interface Purse {
  spendable: bigint;
  kept: bigint;
  state: string;
  requirements: string;
  blocked: boolean;
}

/** What the processor has under a key. */
interface Charge {
  state: 'none' | 'authorized' | 'captured' | 'declined' | 'reversed';
  taken: bigint;
}

const people = fixture();

export class Market {
  readonly core: MemoryCore;
  readonly people: readonly Person[] = people.people;
  readonly purses: Purse[];
  readonly sales: Sale[] = [];
  readonly book = new Map<string, Charge>();
  readonly #plans: readonly CardPlan[];
  readonly #answers: { attemptId: string; outcome: ChargeOutcome }[] = [];
  readonly #inactive = new Set<string>();
  /** True once somebody answered for the processor: then its book proves nothing. */
  #lied = false;
  share = 0n;

  constructor(plans: readonly CardPlan[]) {
    this.core = new MemoryCore(people.core);
    this.#plans = plans;
    const fresh = { kept: 0n, state: 'NODATA', requirements: 'NONE', blocked: false };
    this.purses = this.people.map(() => ({ ...fresh, spendable: people.funds }));
  }

  /** Does one thing, and compares model and rows. */
  step(action: Action): void {
    switch (action.kind) {
      case 'create':
        this.#create(action.sale);
        break;
      case 'pay':
        this.#pay(action.sales);
        break;
      case 'ask':
        this.#ask(action.attempt);
        break;
      case 'repeat':
        this.#repeat(action.answer);
        break;
      case 'lie':
        this.#lie(action.attempt, action.outcome);
        break;
      case 'stranger':
        this.#faults(settleInvoice, { attemptId: freshId(), outcome: action.outcome });
        break;
      case 'kyc':
        this.#kyc(action.person, action.state, action.requirements);
        break;
      case 'block':
        this.#block(action.person, action.on);
        break;
      case 'method':
        this.#switch(action.person, action.method, action.on);
        break;
    }
    this.#compare();
  }

  /**
   * Lets the processor answer everything; each payment must end, and as its cards say. Where
   * somebody lied about a card there is nothing to learn from its book; the books of ours must hold
   * all the same.
   */
  end(): void {
    for (let round = 0; !this.#lied && this.#open().length > 0; round += 1) {
      assert.ok(round < 20, 'payments never come to an end');
      for (const attempt of this.#open()) this.#answerFor(attempt);
    }
    this.#compare();
    if (!this.#lied) for (const sale of this.sales) this.#judge(sale);
    checkBooks(this);
  }

  #open(): AttemptRow[] {
    const asking = ['authorizing', 'capturing', 'reversing'];
    return this.core.all(attemptTable).filter((attempt) => asking.includes(attempt.state));
  }

  #create(wish: SaleWish): void {
    const buyer = this.#purse(wish.buyer);
    const made = bodyOf(wish, this.people);
    const expected =
      made.refused ??
      (buyer.blocked ? 'ACCOUNT_BLOCKED' : null) ??
      (made.parts.some((p) => this.#inactive.has(p.method)) ? 'PAYMENT_METHOD_NOT_ACTIVE' : null);
    let prepared;
    try {
      prepared = prepareInvoice(made.body, freshId);
    } catch (error) {
      assert.ok(error instanceof Refusal);
      assert.equal(error.spec.code, expected);
      return;
    }
    const outcome = this.core.run(createInvoice, prepared);
    if (expected !== null) {
      assert.deepEqual(outcome, { kind: 'refusal', code: expected });
      return;
    }
    this.#answered(outcome, 201);
    const parts = made.parts.map((part, at) => ({
      ...part,
      attempt: prepared.methods[at]?.subitemId ?? '',
    }));
    const { total, credits, integrator } = made;
    const id = prepared.invoiceId;
    const rest = { state: 'open' as const, failure: null };
    this.sales.push({ id, buyer: wish.buyer % 3, total, parts, credits, integrator, ...rest });
  }

  /** Pays several in one transaction; a later one sees what the earlier ones left. */
  #pay(wanted: readonly number[]): void {
    const sales = wanted.flatMap((at) => this.sales.at(at % Math.max(1, this.sales.length)) ?? []);
    const commands = sales.map((sale) => submit(payInvoice, { invoiceId: sale.id }));
    const outcomes = this.core.batch(commands);
    // A command whose lock set grew is decided after those that it came with.
    for (const at of this.core.order) {
      const sale = sales[at] as Sale;
      if (sale.state !== 'open') {
        assert.deepEqual(outcomes[at], { kind: 'refusal', code: 'INVOICE_NOT_OPEN' });
        continue;
      }
      const { payload } = this.#answered(outcomes[at] as Outcome, 200);
      assert.match((payload as JsonText).text, /"state":"processing"/);
      this.#submitted(sale);
    }
    this.#faults(payInvoice, { invoiceId: freshId() }, 'INVOICE_NOT_FOUND');
  }

  #submitted(sale: Sale): void {
    const parts = sale.parts.filter((part) => part.amount > 0n);
    const purse = this.#purse(sale.buyer);
    const held = heldOf(sale);
    const paid = sale.credits.filter((credit) => credit.amount > 0n);
    const blocked = paid.some((credit) => this.#purse(credit.seller).blocked);
    if (purse.blocked || blocked) return fail(sale, 'account_blocked');
    for (const part of parts) {
      if (this.#inactive.has(part.method)) return fail(sale, 'payment_method_inactive');
    }
    if (held > purse.spendable) return fail(sale, 'insufficient_funds');
    purse.spendable -= held;
    sale.state = 'processing';
    if (parts.every((part) => !part.card)) this.#succeed(sale);
  }

  #succeed(sale: Sale): void {
    sale.state = 'success';
    for (const { seller, amount } of sale.credits) {
      const purse = this.#purse(seller);
      if (accrues(purse)) purse.spendable += amount;
      else purse.kept += amount;
    }
    this.share += sale.integrator;
  }

  #ask(at: number): void {
    const open = this.#open();
    const attempt = open[at % Math.max(1, open.length)];
    if (attempt !== undefined && !this.#lied) this.#answerFor(attempt);
  }

  /** What an honest processor does when the worker asks about the attempt as it is. */
  #answerFor(attempt: AttemptRow): void {
    const charge = this.book.get(attempt.id) ?? { state: 'none', taken: 0n };
    this.book.set(attempt.id, charge);
    const plan = this.#plans[Number(attempt.processor_token)];
    assert.ok(plan);
    if (attempt.state === 'authorizing' && charge.state === 'none') {
      charge.state = plan.authorize ? 'authorized' : 'declined';
    } else if (attempt.state === 'capturing' && charge.state === 'authorized') {
      charge.state = plan.capture === 'none' ? 'declined' : 'captured';
      const more = plan.capture === 'more' ? 1n : 0n;
      if (plan.capture !== 'none') charge.taken = attempt.amount + more;
    } else if (attempt.state === 'reversing' && charge.state !== 'declined') {
      charge.state = 'reversed';
      charge.taken = 0n;
    }
    this.#tell(attempt.id, outcomeOf(attempt, charge));
  }

  #repeat(at: number): void {
    const answer = this.#answers[at % Math.max(1, this.#answers.length)];
    if (answer !== undefined) this.#tell(answer.attemptId, answer.outcome);
  }

  #lie(at: number, outcome: ChargeOutcome): void {
    const attempts = this.core.all(attemptTable);
    const attempt = attempts[at % Math.max(1, attempts.length)];
    if (attempt === undefined) return;
    this.#lied = true;
    const said = 'amount' in outcome && outcome.amount === 0n ? { amount: attempt.amount } : {};
    this.#tell(attempt.id, { ...outcome, ...said } as ChargeOutcome);
  }

  #tell(attemptId: string, outcome: ChargeOutcome): void {
    this.#answers.push({ attemptId, outcome });
    this.#answered(this.core.run(settleInvoice, { attemptId, outcome }), 200);
    const invoice = this.core.get(attemptTable, attemptId)?.resource_id;
    const sale = this.sales.find((one) => one.id === invoice);
    const state = this.core.get(invoiceTable, sale?.id ?? '')?.state;
    if (sale === undefined || state === sale.state) return;
    assert.equal(sale.state, 'processing', 'an ended invoice moved');
    if (state === 'success') {
      this.#succeed(sale);
    } else {
      fail(sale, this.core.get(invoiceTable, sale.id)?.failure_code ?? '');
      this.#purse(sale.buyer).spendable += heldOf(sale);
    }
  }

  /** The end of an honest payment: by its cards alone. */
  #judge(sale: Sale): void {
    const cards = sale.parts.filter((part) => part.card && part.amount > 0n);
    const none = { state: 'none', taken: 0n } as const;
    const charges = cards.map((part) => this.book.get(part.attempt) ?? none);
    const taken = charges.reduce((sum, charge) => sum + charge.taken, 0n);
    const wanted = cards.reduce((sum, part) => sum + part.amount, 0n);
    const declined = charges.some((charge) => charge.state === 'declined');
    const odd = cards.some((part) => (this.book.get(part.attempt)?.taken ?? 0n) > part.amount);
    if (sale.state === 'success') assert.equal(taken, wanted, 'success without its money');
    if (sale.state === 'failed' && !odd) assert.equal(taken, 0n, 'failed, and money stayed taken');
    if (sale.state === 'failed' && declined) assert.equal(sale.failure, 'card_declined');
    if (sale.state === 'processing') assert.ok(odd && !declined, 'a payment without end');
  }

  #kyc(person: number, state: string, requirements: string): void {
    const purse = this.#purse(person);
    const account = this.people[person % 3]?.id ?? '';
    const wish = { state, kyc_requirements: requirements };
    const input = { ...wish, account, fresh_application_id: freshId() };
    this.#answered(this.core.run(setKycState as Command<typeof input>, input), 200);
    purse.state = state;
    purse.requirements = requirements || purse.requirements;
    if (accrues(purse)) [purse.spendable, purse.kept] = [purse.spendable + purse.kept, 0n];
  }

  #block(person: number, blocked: boolean): void {
    const row = this.core.get(accountTable, this.people[person % 3]?.id ?? '');
    if (row !== null) this.core.force(accountTable, { ...row, blocked });
    this.#purse(person).blocked = blocked;
  }

  #switch(person: number, method: number, on: boolean): void {
    const methods = this.people[person % 3]?.methods ?? [];
    const id = methods[method % methods.length] ?? '';
    const row = this.core.get(paymentMethodTable, id);
    const pm_state = on ? 'ACTIVE' : 'INACTIVE';
    if (row !== null) this.core.force(paymentMethodTable, { ...row, pm_state });
    if (on) this.#inactive.delete(id);
    else this.#inactive.add(id);
  }

  #purse(at: number): Purse {
    return this.purses[at % 3] as Purse;
  }

  #answered(outcome: Outcome, status: number): { readonly payload: unknown } {
    if (outcome.kind === 'fault') throw outcome.error;
    assert.ok(outcome.kind === 'answer', JSON.stringify(outcome));
    assert.equal(outcome.answer.status, status);
    return outcome.answer;
  }

  /** An order that names nothing is a fault (or a refusal), and nothing is written. */
  #faults<I>(command: Command<I>, input: I, code?: string): void {
    const before = this.core.steps.length;
    const outcome = this.core.run(command, input);
    if (code === undefined) assert.equal(outcome.kind, 'fault');
    else assert.deepEqual(outcome, { kind: 'refusal', code });
    assert.equal(this.core.steps.length, before);
  }

  #compare(): void {
    for (const sale of this.sales) {
      const row = this.core.get(invoiceTable, sale.id);
      assert.equal(row?.state, sale.state);
      assert.equal(row?.failure_code, sale.failure);
    }
    for (const [at, person] of this.people.entries()) {
      const purse = this.#purse(at);
      assert.equal(this.core.balanceOf(person.wallet), purse.spendable, 'a wallet differs');
      assert.equal(this.core.balanceOf(person.kept), purse.kept, 'money kept back differs');
    }
  }
}

/** [G-38] */
function accrues(purse: Purse): boolean {
  return purse.requirements !== 'FULL_KYC' || purse.state === 'ACCEPT';
}

function heldOf(sale: Sale): bigint {
  return sale.parts.reduce((sum, part) => sum + (part.card ? 0n : part.amount), 0n);
}

function fail(sale: Sale, code: string): void {
  sale.state = 'failed';
  sale.failure = code;
}

function outcomeOf(attempt: AttemptRow, charge: Charge): ChargeOutcome {
  const reference = `ch-${attempt.id}`;
  if (charge.state === 'declined') return { state: 'declined', reference, code: 'card_declined' };
  assert.ok(charge.state !== 'none');
  const amount = charge.state === 'captured' ? charge.taken : attempt.amount;
  return { state: charge.state, reference, amount, currency: attempt.currency };
}
