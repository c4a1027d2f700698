// The books over random histories that span a year's end: balances at past moments are those that
// were read then, statements add up and follow on each other, and what sellers are reported to have
// earned is what the ledger credited them for their sales. [G-99]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../src/core/ids.ts';
import type { Instant } from '../../src/core/time.ts';
import type { MonthlyStatement, TrialBalance } from '../../src/product/money/books/reports.ts';
import type { SellerTotalsPage } from '../../src/product/money/books/seller-totals.ts';
import { openBench, type Bench } from '../kit/domain-bench.ts';

const SEED = 20_261_123;
const ACTS = 90;
const DAY = 86_400;

/** A seeded generator of integers below `sides`. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** What was read at a moment. */
interface Seen {
  readonly at: Instant;
  readonly trial: readonly { kind: string; currency: string; amount: bigint }[];
  readonly wallets: ReadonlyMap<string, string>;
}

const roll = dice(SEED);
let bench: Bench;
let buyers: string[];
let sellers: string[];
const paid: { invoice: string; line: string; amount: number }[] = [];
const seen: Seen[] = [];

before(async () => {
  bench = await openBench(['USD', 'EUR']);
  // The history spans a year's end on whatever day it is played.
  await bench.db.execute({
    text: `update workspace set clock_offset = make_timestamptz(
        date_part('year', now())::int + 1, 11, 15, 12, 0, 0, 'UTC') - now() where workspace = $1`,
    values: [bench.home.workspace],
  });
  const people = (n: number) => Promise.all(Array.from({ length: n }, () => bench.newAccount()));
  [buyers, sellers] = [await people(2), await people(3)];
  for (const account_id of buyers) {
    const body = { account_id, currency: 'USD', amount: 1_000_000 };
    await bench.must('sandboxDeposit', { body });
  }
  await bench.must('sandboxDeposit', {
    body: { integrator: true, currency: 'USD', amount: 100_000 },
  });
  // Before anybody waits: the first month is then that of the first act.
  await look();
  const acts = [sell, sell, escrow, refund, refundLine, wait];
  for (let act = 0; act < ACTS; act += 1) {
    await acts[roll(acts.length)]?.();
    if (roll(4) === 0) await look();
  }
  await look();
});
after(() => bench.close());

async function walletMethod(account: string): Promise<string> {
  const [row] = await bench.db.query<{ payment_method_id: string }>({
    text: `select payment_method_id from wallet where account_id = $1 and currency = 'USD'`,
    values: [uuidOfWireId('acct', account)],
  });
  return row?.payment_method_id ?? '';
}

/** A sale of up to three lines, each to one seller and with a fee, or of the integrator's. */
async function saleBody(): Promise<{ readonly body: object; readonly account_id: string }> {
  const account_id = buyers[roll(buyers.length)] ?? '';
  const line_items = Array.from({ length: 1 + roll(3) }, () => {
    const [amount, fee_amount] = [1 + roll(5_000), roll(300)];
    const common = { amount: amount + fee_amount, currency: 'USD' };
    if (roll(5) === 0) return { ...common, transaction_type: 'user_to_integrator' };
    const destination_account_id = sellers[roll(sellers.length)];
    const fee = fee_amount === 0 ? {} : { fee_amount, fee_description: 'fee' };
    const recipients = [{ amount, destination_account_id, ...fee }];
    return { ...common, transaction_type: 'user_to_user', recipients };
  });
  const payment_methods = [{ payment_method_id: await walletMethod(account_id) }];
  return { account_id, body: { account_id, payment_methods, line_items } };
}

async function sell(): Promise<void> {
  const { body } = await saleBody();
  const { invoice_id } = await bench.must<{ invoice_id: string }>('createInvoice', { body });
  await bench.must('payInvoice', { params: { invoice_id } });
  await remember(invoice_id);
}

async function remember(invoice: string): Promise<void> {
  const [row] = await bench.db.query<{ line: string; amount: number }>({
    text: `select l ->> 'id' as line, (l ->> 'amount')::int as amount from invoice_document,
      json_array_elements(sale_terms(id::text, document) -> 'lines') l where id = $1 limit 1`,
    values: [invoice],
  });
  paid.push({ invoice, line: row?.line ?? '', amount: row?.amount ?? 0 });
}

async function escrow(): Promise<void> {
  const { body } = await saleBody();
  type Escrow = { readonly id: string; readonly escrow_invoice_id: string };
  const { id, escrow_invoice_id } = await bench.must<Escrow>('createEscrow', { body });
  const params = { escrow_id: id };
  await bench.must('payEscrow', { params });
  if (roll(3) === 0) await look();
  const end = roll(4);
  if (end === 0) await bench.must('cancelEscrow', { params });
  if (end < 2) return;
  await bench.must('commitEscrow', { params });
  await remember(escrow_invoice_id);
}

/** What is left of a sale; refused where nothing is. */
async function refund(): Promise<void> {
  const { invoice } = paid[roll(paid.length)] ?? {};
  if (invoice === undefined) return;
  await bench.call('refundInvoice', { body: { invoice_id: invoice, reason: 'other' } });
}

async function refundLine(): Promise<void> {
  const { line, amount = 0 } = paid[roll(paid.length)] ?? {};
  if (line === undefined) return;
  const body = { line_item_id: line, amount: 1 + roll(amount), reason: 'other' };
  await bench.call('refundLineItem', { body });
}

async function wait(): Promise<void> {
  await bench.db.execute({
    text: `update workspace set clock_offset = clock_offset + make_interval(secs => $2)
      where workspace = $1`,
    values: [bench.home.workspace, roll(9 * DAY)],
  });
}

/** Reads what the balances are now, without the books. */
async function look(): Promise<void> {
  const { workspace } = bench.home;
  const [now] = await bench.db.query<{ at: Instant }>({
    text: 'select workspace_now($1) as at',
    values: [workspace],
  });
  const trial = await bench.db.query<Seen['trial'][number]>({
    text: `select a.kind, a.currency, sum(p.amount)::int8 as amount from posting p
      join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      where p.workspace = $1 group by a.kind, a.currency having sum(p.amount) <> 0`,
    values: [workspace],
  });
  const rows = await bench.db.query<{ account_id: string; amount: bigint }>({
    text: `select w.account_id, b.amount from wallet w
      join balance b on b.workspace = w.workspace and b.id = w.id
      where w.workspace = $1 and w.currency = 'USD' and w.account_id is not null`,
    values: [workspace],
  });
  const wallets = new Map(rows.map(({ account_id, amount }) => [account_id, String(amount)]));
  seen.push({ at: now?.at ?? '', trial, wallets });
  // The next act is later.
  await bench.db.query('select pg_sleep(0.001)');
}

test('the trial balance of a past moment is what the ledger held then, and is even', async () => {
  assert.ok(seen.length > 15, String(seen.length));
  for (const { at, trial } of seen) {
    const { currencies } = await bench.must<TrialBalance>('getTrialBalance', { query: { at } });
    const told = currencies.flatMap(({ currency, accounts }) => {
      return accounts.map(({ kind, debit, credit }) => `${currency} ${kind} ${credit - debit}`);
    });
    const held = trial.map(({ currency, kind, amount }) => `${currency} ${kind} ${amount}`);
    assert.deepEqual(told.toSorted(), held.toSorted(), at);
    for (const { total } of currencies) assert.equal(total.debit, total.credit, at);
  }
});

test("an account's balance at a past moment is what its wallet held then", async () => {
  for (const { at, wallets } of seen) {
    for (const account_id of [...buyers, ...sellers]) {
      type Told = { balances: { currency: string; wallet: number }[] };
      const call = { params: { account_id }, query: { at } };
      const { balances } = await bench.must<Told>('getBalancesAt', call);
      const told = balances.find(({ currency }) => currency === 'USD')?.wallet ?? 0;
      assert.equal(String(told), wallets.get(uuidOfWireId('acct', account_id) ?? ''), at);
    }
  }
});

/** The months from the first act to the last. */
function monthsSeen(): string[] {
  const [first = '', last = ''] = [seen[0]?.at.slice(0, 7), seen.at(-1)?.at.slice(0, 7)];
  const months = [first];
  while ((months.at(-1) ?? '') < last) {
    const [year = 0, month = 0] = (months.at(-1) ?? '').split('-').map(Number);
    const next = month === 12 ? [year + 1, 1] : [year, month + 1];
    months.push(`${next[0]}-${String(next[1]).padStart(2, '0')}`);
  }
  return months;
}

test('statements add up, follow on each other, and end at the balances', async () => {
  const months = monthsSeen();
  assert.ok(months.length > 2 && months.some((one) => one.endsWith('-01')), months.join());
  for (const account_id of [null, ...buyers, ...sellers]) {
    const closings = new Map<string, number>();
    for (const month of months) {
      const statement = await bench.must<MonthlyStatement>(
        account_id === null ? 'getStatement' : 'getAccountStatement',
        { params: account_id === null ? {} : { account_id }, query: { month } },
      );
      for (const { kind, currency, opening, movements, closing } of statement.accounts) {
        const key = `${currency} ${kind}`;
        assert.equal(opening, closings.get(key) ?? 0, `${month} ${key}`);
        const moved = movements.reduce((sum, { debit, credit }) => sum + credit - debit, 0);
        assert.equal(opening + moved, closing, `${month} ${key}`);
        closings.set(key, closing);
      }
    }
    if (account_id === null) {
      const held = seen.at(-1)?.trial.map((one) => [`${one.currency} ${one.kind}`, one.amount]);
      const ends = [...closings].filter(([, amount]) => amount !== 0);
      assert.deepEqual(new Map(ends.map(([key, n]) => [key, BigInt(n)])), new Map(held as never));
    }
  }
});

test('what sellers earned in a year is what the ledger credited for their sales', async () => {
  const years = [...new Set(monthsSeen().map((month) => Number(month.slice(0, 4))))];
  assert.equal(years.length, 2);
  let refunds = 0;
  for (const year of years) {
    const told = new Map<string, number>();
    let after: string | undefined;
    do {
      const query = { year: String(year), limit: '2', ...(after && { after }) };
      const page = await bench.must<SellerTotalsPage>('listSellerTotals', { query });
      for (const { account_id, gross, fees, quarters, months, ...all } of page.sellers) {
        told.set(account_id, gross - fees);
        refunds += all.refunds;
        for (const parts of [quarters, months]) {
          for (const column of ['sales', 'gross', 'fees', 'refunds'] as const) {
            const sum = parts.reduce((total, part) => total + part[column], 0);
            assert.equal(sum, { gross, fees, ...all }[column], `${year} ${column}`);
          }
        }
      }
      after = page.next;
    } while (after !== '');
    const rows = await bench.db.query<{ account_id: string; credited: bigint }>({
      text: `select w.account_id, sum(p.amount)::int8 as credited from posting p
        join wallet w on w.workspace = p.workspace and p.account_id in (w.id, w.kept_back_id)
        join history s on s.workspace = p.workspace and s.resource_id = p.resource_id
          and s.version = p.version
        where p.workspace = $1 and w.account_id is not null and p.amount > 0
          and s.machine = 'invoice'
          and s.event in ('payment_succeeded', 'commit') and extract(year from s.at) = $2
        group by w.account_id`,
      values: [bench.home.workspace, year],
    });
    assert.equal(told.size, rows.length, String(year));
    for (const [account_id, net] of told) {
      const row = rows.find((one) => one.account_id === uuidOfWireId('acct', account_id));
      assert.equal(BigInt(net), row?.credited, `${year} ${account_id}`);
    }
  }
  assert.ok(refunds > 0, 'some sales were refunded');
});
