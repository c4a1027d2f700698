// What held money must add up to after every step, from the rows and entries alone: what the ledger
// holds is what open escrows hold, and what was released, returned and is held of each line item is
// what was paid for it. [G-94]
import assert from 'node:assert/strict';
import { courseOf, sumOf, takenOf, type Course } from '../../src/product/money/escrow/course.ts';
import { escrowTable } from '../../src/product/money/escrow/index.ts';
import { invoiceDocumentTable, saleTermsOf } from '../../src/product/money/invoice/index.ts';
import { systemAccountId } from '../../src/ledger/index.ts';
import type { Market } from './market.ts';
import { CURRENCY, WORKSPACE } from './memory-core.ts';
import { leftOf, sum, type Held } from './model-parts.ts';

const ACCOUNT = systemAccountId(WORKSPACE, 'escrow', CURRENCY);

/** Entries that were read, and their sum on the account of held money. */
const read = new WeakMap<Market, { entries: number; sum: bigint }>();

/** Minor units that the ledger holds for escrows. */
function heldInLedger(market: Market): bigint {
  const { postings } = market.core;
  const before = read.get(market) ?? { entries: 0, sum: 0n };
  const news = postings.slice(before.entries).filter(({ account_id }) => account_id === ACCOUNT);
  const now = before.sum + sum(news.map(({ amount }) => amount));
  read.set(market, { entries: postings.length, sum: now });
  return now;
}

/** Fails on the first cent that is held by nobody, or twice. */
export function checkEscrows(market: Market): void {
  let open = 0n;
  for (const payable of market.model.payables) {
    if (payable.escrow !== null) open += heldOf(market, payable as Held);
  }
  const held = heldInLedger(market);
  assert.equal(held, open, 'the ledger holds what open escrows hold');
  assert.equal(held, market.model.systemAccounts.escrow, 'and what the model does');
}

/** Minor units that an escrow holds. */
function heldOf({ core }: Market, held: Held): bigint {
  const row = core.get(escrowTable, held.escrow.id);
  assert.ok(row !== null, 'an escrow');
  const taken = BigInt(takenOf(row));
  const isHeld = row.state === 'ESCROWED';
  const course = courseOf(row);
  if (course === null) return isHeld ? held.total - taken : 0n;
  const gone = held.lines.map((_, at) => goneOf(course, at));
  const [left, paid] = [leftOf(held), held.lines.map(({ amount }) => amount)];
  if (isHeld) {
    assert.deepEqual(gone.map((one, at) => one + (left[at] ?? 0n)), paid, 'each line item whole');
  }
  for (const [at, one] of gone.entries()) assert.ok(one <= (paid[at] ?? 0n), 'more than was paid');
  const moved = sum(gone);
  if (['COMMITTED', 'CANCELLED'].includes(row.state)) {
    assert.equal(moved + taken, held.total, 'an end leaves nothing');
  }
  checkInvoices(core, held, course, row.state);
  return isHeld ? held.total - moved - taken : 0n;
}

function goneOf({ parts }: Course, place: number): bigint {
  const sums = parts.flatMap(({ lines }) => lines.filter(([at]) => at === place));
  return sum(sums.map(([, amount]) => BigInt(amount)));
}

/** Each part has an invoice of its own, whose id follows from the escrow's as it always did. */
function checkInvoices(core: Market['core'], held: Held, course: Course, state: string): void {
  for (const [n, { on, lines }] of course.parts.entries()) {
    const ends = state !== 'ESCROWED' && n === course.parts.length - 1;
    const id = partInvoice(held.escrow.id, ends ? (state === 'COMMITTED' ? 2 : 3) : null, n);
    const document = core.get(invoiceDocumentTable, id);
    assert.ok(document !== null, `part ${n} has no invoice`);
    const { total, kind } = saleTermsOf(document);
    assert.equal(total, sumOf(lines), 'the invoice of a part');
    assert.equal(kind, on === 'return' ? 'cancel' : 'commit');
  }
}

/** The rule, told once more: stored data rests on it. */
export function partInvoice(escrowId: string, ending: number | null, part: number): string {
  const digits = BigInt(`0x${escrowId.replaceAll('-', '')}`);
  const bits = ending === null ? (BigInt(part + 1) << 32n) ^ 4n : BigInt(ending);
  const text = (digits ^ bits).toString(16).padStart(32, '0');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
