// What callers do with invoices and escrows, and the clock with escrows, each with its expected
// result.
import {
  cancelEscrow,
  commitEscrow,
  createEscrow,
  endOverdueEscrow,
  invoiceOf,
  payEscrow,
} from '../../src/product/money/escrow/index.ts';
import {
  createInvoice,
  payInvoice,
  type PreparedInvoice,
} from '../../src/product/money/invoice/index.ts';
import type { Command } from '../../src/engine/index.ts';
import type { Rng } from './rng.ts';
import type { Act, Market, Move } from './market.ts';
import { freshId } from './market-people.ts';
import { requestOf, type Request } from './market-sales.ts';
import { planOf, planned } from './model-plans.ts';
import { OTHER_WORKSPACE, submit, WORKSPACE } from './memory-core.ts';
import { follow, momentsOf, moveAll, type Held } from './model-parts.ts';
import { cancel } from './model-returns.ts';
import {
  done,
  nothing,
  refused,
  warning,
  type Escrow,
  type Expected,
  type Model,
  type Offer,
  type Payable,
} from './model.ts';

/** A mostly valid id; `lost`: an unknown one, in this workspace or the other. */
export function aim(rng: Rng, id: string): { id: string; workspace: number; lost: boolean } {
  const throwing = rng.below(40);
  if (throwing === 0) return { id: freshId(), workspace: WORKSPACE, lost: true };
  if (throwing === 1) return { id, workspace: OTHER_WORKSPACE, lost: true };
  return { id, workspace: WORKSPACE, lost: false };
}

/** What rows must refuse in a creation; null where nothing is wrong with them. */
function refusedByRows(model: Model, { wrongRow, buyer, parts }: Request): string | null {
  if (wrongRow === 'ACCOUNT_NOT_FOUND') return wrongRow;
  if (model.purse(buyer).blocked) return 'ACCOUNT_BLOCKED';
  if (wrongRow !== null && wrongRow !== 'PAYMENT_METHOD_NOT_FOUND') return wrongRow;
  for (const [at, { method }] of parts.entries()) {
    if (at === 0 && wrongRow !== null) return wrongRow;
    if (model.inactive.has(method)) return 'PAYMENT_METHOD_NOT_ACTIVE';
  }
  return null;
}

function sold(wish: Request, prepared: PreparedInvoice, escrow: Escrow | null): Payable {
  const { buyer: payer, total, credits, integrator } = wish;
  const parts = wish.parts
    .map((part, at) => ({ ...part, attempt: prepared.methods[at]?.subitemId ?? '' }))
    .filter((part) => part.amount > 0n);
  const lines = wish.lines.map((line, at) => {
    return { ...line, id: prepared.lines[at]?.lineId ?? '', refunded: 0n, taxBack: 0n };
  });
  const kind = escrow === null ? 'invoice' : 'escrow';
  const open = { state: 'open' as const, failure: null, charges: [], gone: new Map() };
  const who = { kind, id: prepared.invoiceId, payer, total, credits, integrator } as const;
  return { ...who, ...open, parts, lines, escrow, reserve: prepared.reserve };
}

/** What a creation must come to. */
export function creation(
  { model }: Market,
  wish: Request,
  prepared: PreparedInvoice,
  escrow: Escrow | null,
  from?: Offer,
): () => Expected {
  return () => {
    const code = refusedByRows(model, wish);
    if (code !== null) return refused(code);
    model.payables.push({ ...sold(wish, prepared, escrow), ...(from && { from }) });
    return done;
  };
}

const create: Act = {
  name: 'create',
  weight: 10,
  act(market, rng) {
    const wish = requestOf(rng, market.people);
    const prepared = market.prepare(wish);
    if (prepared === null) return null;
    const { workspace, lost } = aim(rng, '');
    const foreign = lost && workspace !== WORKSPACE;
    const expect = creation(market, wish, prepared, null);
    const submitted = submit(createInvoice, prepared, workspace);
    return { ...submitted, expect: foreign ? () => refused('ACCOUNT_NOT_FOUND') : expect };
  },
};

/** An escrow as it begins. */
export function escrowOf(rng: Rng, id: string): Escrow {
  const holdSeconds = rng.of([2, 3_600, 90 * 86_400]);
  const none = { due: null, warned: false, timeLeft: null, course: null, disagreement: null };
  return { id, holdSeconds, state: 'OPEN', ...none };
}

const createHeld: Act = {
  name: 'create an escrow',
  weight: 10,
  act(market, rng) {
    const wish = requestOf(rng, market.people);
    const id = freshId();
    const prepared = market.prepare(wish, invoiceOf(id, 'escrow'));
    if (prepared === null) return null;
    const escrow = escrowOf(rng, id);
    const { holdSeconds } = escrow;
    const plan = rng.once(2) ? planOf(rng, wish, market.core.now, holdSeconds) : null;
    const input = { id, prepared, holdSeconds, integrator: 'laws', ...(plan && { plan }) };
    const created = creation(market, wish, prepared, escrow);
    const expect = (): Expected => {
      const code = plan === null ? null : planned(market.model.now, plan, wish, escrow);
      return code === null ? created() : refused(code);
    };
    return { ...submit(createEscrow, input), expect };
  },
};

/** True where a later one was made of the same authorized invoice. */
function isReplaced(sale: Payable): boolean {
  return sale.from !== undefined && sale.from.latest !== sale;
}

const pay: Act = {
  name: 'pay',
  weight: 10,
  act({ model }, rng) {
    const invoices = model.payables.filter(({ kind }) => kind !== 'deposit');
    const sale = rng.mostly(invoices, ({ kind, state }) => kind === 'invoice' && state === 'open');
    if (sale === null) return null;
    const givings = model.givings.map(({ id, refund }) => ({ id, ofEscrow: refund === null }));
    const giving = rng.once(30) && givings.length > 0 ? rng.of(givings) : null;
    const { id, workspace, lost } = aim(rng, giving?.id ?? sale.id);
    const expect = (): Expected => {
      if (lost) return refused('INVOICE_NOT_FOUND');
      if (giving?.ofEscrow || (giving === null && sale.kind === 'escrow')) {
        return refused('INVOICE_BELONGS_TO_ESCROW');
      }
      if (giving === null && isReplaced(sale)) return refused('INVOICE_SUPERSEDED');
      if (giving !== null || sale.state !== 'open') return refused('INVOICE_NOT_OPEN');
      model.submit(sale);
      return done;
    };
    return { ...submit(payInvoice, { invoiceId: id }, workspace), expect };
  },
};

export function heldIn(model: Model): Held[] {
  return model.payables.filter((one): one is Held => one.escrow !== null);
}

/** A command of the caller about one escrow. */
export function ofEscrow(
  name: string,
  weight: number,
  command: Command<{ readonly escrowId: string | null; readonly integrator: string }>,
  fits: (held: Held) => boolean,
  expect: (model: Model, held: Held) => Expected,
): Act {
  return {
    name,
    weight,
    act({ model }, rng): Move | null {
      const held = rng.mostly(heldIn(model), fits);
      if (held === null) return null;
      const { id, workspace, lost } = aim(rng, held.escrow.id);
      const input = { escrowId: lost && rng.once(2) ? null : id, integrator: 'laws' };
      return {
        ...submit(command, input, workspace),
        expect: () => (lost ? refused('ESCROW_NOT_FOUND') : expect(model, held)),
      };
    },
  };
}

const payHeld = ofEscrow('pay an escrow', 10, payEscrow, ({ state }) => state === 'open', pays);

function pays(model: Model, held: Held): Expected {
  if (isReplaced(held)) return refused('INVOICE_SUPERSEDED');
  if (held.escrow.state !== 'OPEN') return refused('ESCROW_NOT_OPEN');
  if (held.state !== 'open') return refused('ESCROW_PAYMENT_IN_PROGRESS');
  model.submit(held);
  return done;
}

export const isHeld = ({ escrow }: Held): boolean => escrow.state === 'ESCROWED';

const commit = ofEscrow('commit', 7, commitEscrow, isHeld, (model, held) => {
  const { escrow, total } = held;
  if (escrow.state !== 'ESCROWED') return refused('ESCROW_NOT_ESCROWED');
  if (escrow.timeLeft !== null) return refused('ESCROW_DISPUTED');
  if (escrow.course !== null) {
    moveAll(model, held, 'release');
    return done;
  }
  escrow.state = 'COMMITTED';
  escrow.due = null;
  model.announce('escrow-transaction-update', escrow.id);
  model.announce('invoice-completed', invoiceOf(escrow.id, 'commit'));
  model.systemAccounts.escrow -= total;
  model.paySellers(held);
  return done;
});

const cancelHeld = ofEscrow('cancel', 6, cancelEscrow, isHeld, (model, held) => {
  const { escrow } = held;
  if (escrow.state !== 'ESCROWED') return refused('ESCROW_NOT_ESCROWED');
  if (escrow.timeLeft !== null) return refused('ESCROW_DISPUTED');
  if (escrow.course !== null) moveAll(model, held, 'return');
  else cancel(model, escrow, held, invoiceOf(escrow.id, 'cancel'));
  return done;
});

/** The clock finds an escrow that may be due: it warns once, then gives back. [G-42] */
/** Held, with something that the clock does before the limit. */
function isDated(held: Held): boolean {
  const { course } = held.escrow;
  return isHeld(held) && course !== null && momentsOf(course).length > 1;
}

const overdue: Act = {
  name: 'the clock looks at an escrow',
  weight: 8,
  act(market, rng) {
    const { model, core } = market;
    const held = rng.mostly(heldIn(model), rng.once(3) ? isHeld : isDated);
    if (held === null) return null;
    const { escrow } = held;
    if (escrow.due !== null && !rng.once(3)) {
      market.pass(Math.max(0, Math.ceil((escrow.due - core.now) / 1_000)));
    }
    const { id, workspace, lost } = aim(rng, escrow.id);
    const expect = (): Expected => {
      if (lost) return refused('ESCROW_NOT_FOUND');
      if (escrow.due === null || escrow.due > model.now) return nothing;
      if (escrow.course !== null) follow(model, held);
      else if (escrow.warned) {
        cancel(model, escrow, held, invoiceOf(escrow.id, 'cancel'));
      } else {
        escrow.warned = true;
        escrow.due = model.now + warning(escrow) * 1_000;
        model.announce('escrow-expiring', escrow.id);
      }
      return done;
    };
    return { ...submit(endOverdueEscrow, { escrowId: id }, workspace), expect };
  },
};

export const saleActs = [create, pay];
export const escrowActs = [createHeld, payHeld, commit, cancelHeld, overdue];
/** What makes escrows go by the clock. */
export const clockActs = [createHeld, payHeld, overdue];
