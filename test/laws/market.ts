// A market in memory: people with a wallet, cards and a bank account who trade through the real
// decisions, beside a model of where their money must be. Runs steps, alone or several in one
// transaction, and compares code and model after each.
import assert from 'node:assert/strict';
import { authorizedInvoiceTable, prepareInvoice } from '../../src/product/money/invoice/index.ts';
import type { PreparedInvoice } from '../../src/product/money/invoice/index.ts';
import {
  paymentMethodTable,
  type AttemptAnswer,
  type TransferAnswer,
} from '../../src/product/money/wallet/index.ts';
import type { ReserveTerms } from '../../src/product/context.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { Book } from './book.ts';
import { Rng } from './rng.ts';
import { fixture, freshId, FUNDS, type Person } from './market-people.ts';
import type { Request } from './market-sales.ts';
import { MemoryCore, WORKSPACE, type Outcome, type Submitted } from './memory-core.ts';
import { checkStates } from './market-states.ts';
import { Model, type Expected, type Offer } from './model.ts';

/** One command with the model's prediction, which is made when the command is decided. */
export interface Move extends Submitted {
  expect(): Expected;
}

/** One thing that can happen. Gives null where there is nothing to do it with. */
export interface Act {
  readonly name: string;
  readonly weight: number;
  /** How many of a list may share a transaction. */
  readonly alone?: true;
  /** Only where anybody may speak for the processor. */
  readonly lying?: true;
  act(market: Market, rng: Rng): Move | null;
}

/** An answer on its way to us. */
export type Mail =
  ({ readonly kind: 'charge' } & AttemptAnswer) | ({ readonly kind: 'sent' } & TransferAnswer);

/** What was done, in order, so that it can be done again elsewhere. */
export type Done =
  | { readonly kind: 'command'; readonly submitted: Submitted; readonly said: string }
  | { readonly kind: 'pass'; readonly seconds: number }
  | { readonly kind: 'fold' }
  | { readonly kind: 'offer'; readonly id: string; readonly account: string; readonly made: number }
  | { readonly kind: 'switch'; readonly method: string; readonly state: string };

const start = fixture();

/** How often something came about, by its name. */
export type RefundedAmounts = Map<string, number>;

export function count(refundedAmounts: RefundedAmounts, name: string): void {
  refundedAmounts.set(name, (refundedAmounts.get(name) ?? 0) + 1);
}

export class Market {
  readonly core = new MemoryCore(start.core);
  readonly people: readonly Person[] = start.people;
  readonly model: Model;
  readonly book: Book;
  readonly lying: boolean;
  /** What of new sales is in reserve; null: nothing. */
  readonly reserve: ReserveTerms | null;
  /** Answers of the processor, oldest first; the late ones did not come when they were given. */
  readonly mail: Mail[] = [];
  readonly late: Mail[] = [];
  readonly done: Done[] = [];
  readonly #trace: string[] | null;
  readonly #refusals: RefundedAmounts;

  constructor(seed: number, lying: boolean, trace: string[] | null, refusals: RefundedAmounts) {
    this.model = new Model(this.people.length, FUNDS);
    this.book = new Book(new Rng(seed ^ 0x5bd1e995));
    this.lying = lying;
    const rng = new Rng(seed ^ 0x2545f491);
    const terms = { percent: rng.of([1, 10, 33, 100]), days: rng.of([1, 30, 180]) };
    this.reserve = rng.once(2) ? terms : null;
    this.#trace = trace;
    this.#refusals = refusals;
  }

  /** What every market begins with, and how it came about. */
  static readonly before = start.core;
  static readonly opening: readonly Submitted[] = start.opening;

  /** Lets time go by. */
  pass(seconds: number): void {
    this.core.pass(seconds);
    this.done.push({ kind: 'pass', seconds });
  }

  /** Has the integrator's credits count, as the worker does. */
  fold(): void {
    this.core.fold();
    this.model.folded = this.model.systemAccounts.integrator_share;
    this.done.push({ kind: 'fold' });
  }

  /** Sets a method active or not: no command does that yet. */
  switch(method: string, on: boolean): void {
    const row = this.core.get(paymentMethodTable, method);
    const state = on ? 'ACTIVE' : 'INACTIVE';
    if (row !== null) this.core.force(paymentMethodTable, { ...row, pm_state: state });
    if (on) this.model.inactive.delete(method);
    else this.model.inactive.add(method);
    this.done.push({ kind: 'switch', method, state });
  }

  /** Authorizes an invoice of somebody's, which no command does. */
  offer(account: string, made: number): Offer {
    const offer = { id: freshId(), latest: null, made };
    const row = { workspace: WORKSPACE, id: offer.id, latest_invoice_id: null, made };
    this.core.force(authorizedInvoiceTable, row);
    this.model.offers.push(offer);
    this.done.push({ kind: 'offer', id: offer.id, account, made });
    return offer;
  }

  /** Does moves in one transaction, and compares code and model. */
  run(moves: readonly Move[]): void {
    const { core, model } = this;
    const writes = core.writes;
    const outcomes = core.batch(moves);
    model.now = core.now;
    let changed = false;
    for (const at of core.order) {
      const move = moves[at] as Move;
      const expected = move.expect();
      changed ||= expected.is === 'done';
      this.#trace?.push(`${move.command.name} ${show(move.input)}: ${show(expected)}`);
      this.done.push({ kind: 'command', submitted: move, said: saidOf(outcomes[at] as Outcome) });
      this.#judge(move, outcomes[at] as Outcome, expected);
    }
    if (!changed) assert.equal(core.writes, writes, 'what was refused has changed something');
    checkStates(this);
  }

  #judge({ command, workspace }: Move, outcome: Outcome, expected: Expected): void {
    const { name } = command;
    if (expected.is === 'fault') {
      assert.equal(outcome.kind, 'fault', `${name} takes what names nothing`);
      return;
    }
    if (outcome.kind === 'fault') throw outcome.error;
    if (expected.is === 'refused') {
      assert.deepEqual(outcome, { kind: 'refusal', code: expected.code }, name);
      count(this.#refusals, `${name} ${expected.code}`);
      return;
    }
    if (outcome.kind !== 'answer')
      assert.fail(`${name} says ${outcome.code} in workspace ${workspace}`);
    if (!('payload' in expected)) return;
    assert.deepEqual(outcome.answer.payload, expected.payload, name);
  }

  /** Checks a body as the interface would; null where it is refused, as it must be then. */
  prepare(wish: Request, invoiceId = freshId()): PreparedInvoice | null {
    try {
      const prepared = prepareInvoice(wish.body, freshId, invoiceId);
      assert.equal(wish.wrongBody, null, 'a wrong body was taken');
      return { ...prepared, reserve: this.reserve ?? undefined };
    } catch (error) {
      assert.ok(error instanceof Refusal, String(error));
      assert.equal(error.spec.code, wish.wrongBody);
      count(this.#refusals, `prepare ${error.spec.code}`);
      return null;
    }
  }
}

/** An outcome in a word. */
function saidOf(outcome: Outcome): string {
  if (outcome.kind === 'refusal') return outcome.code;
  return outcome.kind === 'answer' ? String(outcome.answer.status) : 'fault';
}

/** Short enough to read: ids without their zeros, of a prepared invoice its body. */
function show(value: unknown): string {
  const text = JSON.stringify(value, (key, one: unknown) => {
    if (key === 'lines' || key === 'methods') return undefined;
    return typeof one === 'bigint' ? `${one}n` : one;
  });
  return text.replaceAll(/00000000-0000-7000-8000-0*/g, '#');
}
