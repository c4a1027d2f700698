// What both sides, the tenant and the clock do with disagreements, each with its expected result.
// [G-96]
import { uuidOfWireId } from '../../src/core/ids.ts';
import {
  addStatement,
  answerProposal,
  disagreementOf,
  openDisagreement,
  proposeSplit,
  resolveDisagreement,
  watchDisagreement,
} from '../../src/product/money/disagreement/index.ts';
import type { SplitWish } from '../../src/product/money/disagreement/split.ts';
import { invoiceOf } from '../../src/product/money/escrow/index.ts';
import { invoiceDocumentTable, saleTermsOf } from '../../src/product/money/invoice/index.ts';
import { aim, heldIn, isHeld } from './acts-sales.ts';
import type { Act, Market } from './market.ts';
import { freshId } from './market-people.ts';
import { submit } from './memory-core.ts';
import {
  disagree,
  divided,
  settle,
  shut,
  watchIt,
  type Split,
  type Sums,
} from './model-disagreements.ts';
import { leftOf, sum, type Held } from './model-parts.ts';
import { done, refused, type Expected } from './model.ts';
import type { Rng } from './rng.ts';

const DAYS = 10;

function isOpen({ escrow }: Held): boolean {
  return escrow.disagreement?.state === 'open';
}

/** Sums of an amount, mostly of all of it. */
function sumsOf(rng: Rng, total: number): Sums {
  const sellers = rng.once(4) ? total : rng.below(total + 1);
  const buyer = rng.once(3) ? total - sellers : rng.below(total - sellers + 1);
  const rest = total - sellers - buyer;
  const wrong = rng.once(12) ? (rest > 0 && rng.once(2) ? -1 : 1) : 0;
  return [BigInt(sellers), BigInt(buyer), BigInt(rest + wrong)];
}

/** A split, mostly of all that is held: of the whole, or by line item. */
function splitOf(rng: Rng, held: Held): Split {
  const left = leftOf(held);
  if (!rng.once(3)) return { whole: sumsOf(rng, Number(sum(left))) };
  const lines = [...left.entries()].flatMap(([at, one]) => {
    if (one === 0n && rng.once(2)) return [];
    const sums = sumsOf(rng, Number(one));
    const wrong = rng.once(30) ? [[-1, sums] as const] : [];
    return [[at, sums] as const, ...(rng.once(30) ? [[at, sums] as const] : wrong)];
  });
  return { lines: lines.length > 0 ? lines : [[-1, [0n, 0n, 0n]]] };
}

function inWords([sellers, buyer, integrator]: Sums) {
  return {
    to_sellers: Number(sellers),
    to_buyer: Number(buyer),
    to_integrator: Number(integrator),
  };
}

function wishOf(split: Split, { lines }: Held): SplitWish {
  if ('whole' in split) return inWords(split.whole);
  const line_items = split.lines.map(([at, sums]) => {
    return { line_item_id: lines[at]?.id ?? freshId(), ...inWords(sums) };
  });
  return { line_items };
}

/** The wire ids of buyer and sellers. */
function sidesOf({ core }: Market, { escrow }: Held): { buyer: string; sellers: string[] } {
  const document = core.get(invoiceDocumentTable, invoiceOf(escrow.id, 'escrow'));
  if (document === null) return { buyer: '', sellers: [] };
  const { account_id: buyer, lines } = saleTermsOf(document);
  const paid = lines.flatMap(({ recipients }) => recipients.map((one) => one.account_id));
  return { buyer, sellers: [...new Set(paid)] };
}

/** An account of one side, and whether it is the buyer's; null where nobody sells. */
function sideOf(market: Market, rng: Rng, held: Held) {
  const { buyer, sellers } = sidesOf(market, held);
  const account = rng.once(2) || sellers.length === 0 ? buyer : rng.of(sellers);
  return { account, buyers: account === buyer };
}

/** An act about one escrow; `expect` is asked unless the id is lost. */
function about(
  name: string,
  weight: number,
  mostly: (held: Held) => boolean,
  make: (market: Market, rng: Rng, held: Held, escrowId: string, workspace: number) => {
    readonly submitted: ReturnType<typeof submit>;
    readonly expect: () => Expected;
  },
): Act {
  return {
    name,
    weight,
    act(market, rng) {
      const held = rng.mostly(heldIn(market.model), mostly);
      if (held === null) return null;
      const { id, workspace, lost } = aim(rng, held.escrow.id);
      const { submitted, expect } = make(market, rng, held, id, workspace);
      return { ...submitted, expect: () => (lost ? refused('ESCROW_NOT_FOUND') : expect()) };
    },
  };
}

const tenant = { account: null, session: false } as const;

const open = about('open a disagreement', 5, isHeld, ({ model }, rng, held, escrowId, at) => {
  const outcome = rng.of(['buyer', 'sellers', 'none'] as const);
  const openedBy = rng.of(['buyer', 'seller', 'tenant'] as const);
  const input = { ...tenant, escrowId, openedBy, reason: 'other', days: DAYS, outcome } as const;
  return {
    submitted: submit(openDisagreement, input, at),
    expect: () => disagree(model, held, DAYS, outcome),
  };
});

const state = about('state something', 3, isOpen, (market, rng, held, escrowId, at) => {
  const { account } = sideOf(market, rng, held);
  const person = uuidOfWireId('acct', account) ?? held.id;
  const said = { id: freshId(), person, mime: null, size: 10 };
  const input = { ...said, escrowId, account, session: rng.once(2) };
  const expect = (): Expected => {
    const no = shut(held.escrow);
    const { disagreement } = held.escrow;
    if (no !== null || disagreement === null) return no ?? done;
    if (disagreement.pieces >= 20) return refused('DISAGREEMENT_TOO_MUCH_EVIDENCE');
    disagreement.pieces += 1;
    market.model.announce('disagreement-stated', disagreementOf(held.escrow.id));
    return done;
  };
  return { submitted: submit(addStatement, input, at), expect };
});

const propose = about('propose a split', 4, isOpen, (market, rng, held, escrowId, at) => {
  const { account, buyers } = sideOf(market, rng, held);
  const [id, split] = [freshId(), splitOf(rng, held)];
  const input = { id, wish: wishOf(split, held), escrowId, account, session: false };
  const expect = (): Expected => {
    const { disagreement } = held.escrow;
    const no = shut(held.escrow);
    if (no !== null || disagreement === null) return no ?? done;
    const sellers = new Set(held.credits.map(({ seller }) => seller));
    if (sellers.size > 1) return refused('DISAGREEMENT_SEVERAL_SELLERS');
    const division = divided(held, split, true);
    if (typeof division === 'string') return refused(division);
    disagreement.proposal = { id, buyers, split };
    market.model.announce('disagreement-proposed', disagreementOf(held.escrow.id));
    return done;
  };
  return { submitted: submit(proposeSplit, input, at), expect };
});

const isProposed = ({ escrow }: Held): boolean => (escrow.disagreement?.proposal ?? null) !== null;

const answer = about('answer a proposal', 6, isProposed, (market, rng, held, escrowId, at) => {
  const { account, buyers } = sideOf(market, rng, held);
  const before = held.escrow.disagreement?.proposal?.id ?? freshId();
  const proposal = rng.once(12) ? freshId() : before;
  const accepts = !rng.once(3);
  const input = { escrowId, account, session: false, proposal, accepts };
  const expect = (): Expected => {
    const { disagreement } = held.escrow;
    const no = shut(held.escrow);
    if (no !== null || disagreement === null) return no ?? done;
    const { proposal: on } = disagreement;
    if (on?.id !== proposal) return refused('DISAGREEMENT_NO_PROPOSAL');
    if (on.buyers === buyers) return refused('DISAGREEMENT_OWN_PROPOSAL');
    if (accepts) return settle(market.model, held, on.split, true);
    disagreement.proposal = null;
    market.model.announce('disagreement-proposed', disagreementOf(held.escrow.id));
    return done;
  };
  return { submitted: submit(answerProposal, input, at), expect };
});

const resolve = about('resolve a disagreement', 3, isOpen, ({ model }, rng, held, escrowId, at) => {
  const split = splitOf(rng, held);
  const input = { ...tenant, escrowId, wish: wishOf(split, held) };
  const expect = (): Expected => {
    return shut(held.escrow) ?? settle(model, held, split);
  };
  return { submitted: submit(resolveDisagreement, input, at), expect };
});

/** The clock looks at one that may be due. */
const watch: Act = {
  name: 'the clock looks at a disagreement',
  weight: 3,
  act(market, rng) {
    const { model, core } = market;
    const held = rng.mostly(heldIn(model), isOpen);
    if (held === null) return null;
    const due = held.escrow.disagreement?.due ?? null;
    if (due !== null && !rng.once(3)) {
      market.pass(Math.max(0, Math.ceil((due - core.now) / 1_000)));
    }
    const input = { id: disagreementOf(held.escrow.id) };
    return { ...submit(watchDisagreement, input), expect: () => watchIt(model, held) };
  },
};

export const disagreementActs = [open, state, propose, answer, resolve, watch];
