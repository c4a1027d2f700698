// Each law on rows that are written here and stand in for the tables: where it holds it finds
// nothing, and each way to break it is found, by the id of what is broken.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { bookProofs } from '../../src/catalogue.ts';

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

const COLUMNS: Readonly<Record<string, string>> = {
  posting: `workspace int, resource_id text, version int, account_id text, currency text,
    amount bigint, account_version int, balance_after bigint`,
  balance: 'workspace int, id text, amount bigint, version int',
  history: `workspace int, resource_id text, version int, machine text, from_state text, event text,
    to_state text, at timestamptz`,
  machine_move: 'machine text, from_state text, event text, to_state text',
  invoice: 'workspace int, id text, state text, version int',
  invoice_document: 'workspace int, id text, document text',
  attempt: 'workspace int, id text, resource_id text, state text, version int',
  event: 'workspace int, sequence int, name text, resource_id text, resource_version int',
  outbox: 'workspace int, name text, resource_id text, resource_version int',
  seal: 'workspace int, sequence int',
  ledger_account: 'workspace int, id text, kind text',
  transfer: `workspace int, id text, resource_id text, currency text, amount bigint, state text,
    version int`,
  integrator_balance: 'workspace int, id text, amount bigint',
  integrator_credit: 'workspace int, account_id text, amount bigint',
};

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base.drop());

/** What the law finds broken when these are all rows there are. */
async function broken(law: string, tables: Tables): Promise<string[]> {
  const proof = bookProofs.find(({ name }) => name === law);
  assert.ok(proof, `there is no law ${law}`);
  const names = Object.keys(COLUMNS);
  const standIns = names.map(
    (name, at) =>
      `${name} as (select * from jsonb_to_recordset($${at + 1}::jsonb) as x(${COLUMNS[name]}))`,
  );
  const rows = await base.db.query<{ what: string }>({
    text: `with ${standIns.join(', ')} select what from (${proof.text}) b order by what`,
    values: names.map((name) => JSON.stringify(tables[name] ?? [])),
  });
  return rows.map(({ what }) => what);
}

/** True for columns that name something; a copy of a row names something else. */
const NAMES = new Set(['id', 'resource_id', 'account_id']);

/** The law holds for these rows, and beside the same ones of other resources and workspaces. */
async function holds(law: string, tables: Tables): Promise<void> {
  assert.deepEqual(await broken(law, tables), [], law);
  const beside = Object.entries(tables).map(([name, rows]) => {
    const elsewhere = rows.map((row) => ({ ...row, workspace: Number(row['workspace']) + 10 }));
    const named = rows.filter((row) => Object.keys(row).some((column) => NAMES.has(column)));
    const others = named.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          NAMES.has(column) ? `${String(value)}-other` : value,
        ]),
      ),
    );
    const all = name === 'machine_move' ? rows : [...rows, ...elsewhere, ...others];
    return [name, all] as const;
  });
  assert.deepEqual(await broken(law, Object.fromEntries(beside)), [], `${law} beside others`);
}

test('every table of a resource with states has its law', async () => {
  const rows = await base.db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public'
        and column_name in ('workspace', 'id', 'state', 'version', 'updated')
      group by table_name having count(*) = 5 order by table_name`,
  );
  const law = (name: string): string => `${name}_state_is_last_step`;
  const laws = new Set(bookProofs.map(({ name }) => name));
  assert.ok(rows.length > 10, String(rows.length));
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !laws.has(law(name))),
    [],
  );
});

const line = (more: Row): Row => {
  const where = { workspace: 1, resource_id: 'r', version: 1, account_id: 'a', currency: 'USD' };
  return { ...where, account_version: null, balance_after: null, ...more };
};

test('entries and books sum to zero in each currency', async () => {
  const good = [line({ amount: 5 }), line({ amount: -5 }), line({ amount: 0, currency: 'EUR' })];
  for (const law of ['entries_balance', 'books_balance']) {
    await holds(law, { posting: good });
    const euros = [...good, line({ amount: 1, currency: 'EUR' })];
    assert.equal((await broken(law, { posting: euros })).length, 1);
    const workspaces = [...good, line({ amount: 1 }), line({ amount: -1, workspace: 2 })];
    assert.equal((await broken(law, { posting: workspaces })).length, 2);
  }
  const moved = [line({ amount: 5 }), line({ amount: -5, version: 2 })];
  assert.deepEqual(await broken('entries_balance', { posting: moved }), ['r v1', 'r v2']);
  await holds('books_balance', { posting: moved });
});

test('a balance is the sum of its entries and counts them; none is below zero', async () => {
  const chain = (amount: number, account_version: number, balance_after: number, more: Row = {}) =>
    line({ amount, account_version, balance_after, ...more });
  const posting = [chain(5, 1, 5), chain(-2, 2, 3), line({ amount: -3 })];
  const balance = (more: Row): Row => ({ workspace: 1, id: 'a', amount: 3, version: 2, ...more });
  const of = (more: Row) => ({ posting, balance: [balance(more)] });
  const law = 'balances_are_sums';
  await holds(law, of({}));
  for (const wrong of [{ amount: 4 }, { amount: 2 }, { version: 3 }, { version: 1 }, { id: 'b' }]) {
    assert.equal((await broken(law, of(wrong))).length, 1, JSON.stringify(wrong));
  }
  assert.deepEqual(await broken(law, of({ workspace: 2 })), ['a'], 'another tenant has no entries');
  const untouched = { balance: [balance({ id: 'z', amount: 0, version: 0 })] };
  await holds(law, untouched);
  const below = { posting: [chain(-1, 1, -1)], balance: [balance({ amount: -1, version: 1 })] };
  assert.deepEqual(await broken(law, below), ['a']);
  const whole = 'chains_are_whole';
  await holds(whole, { posting });
  const other = chain(7, 1, 7, { account_id: 'b' });
  await holds(whole, { posting: [...posting, other] });
  assert.deepEqual(await broken(whole, { posting: [chain(5, 1, 5), chain(-2, 2, 4)] }), ['a']);
  assert.deepEqual(await broken(whole, { posting: [chain(5, 1, 5), chain(-2, 3, 3)] }), ['a']);
  assert.deepEqual(await broken(whole, { posting: [chain(5, 1, 6)] }), ['a']);
});

const [EARLY, LATE] = ['2026-06-01T00:00:00Z', '2026-06-02T00:00:00Z'];
const step = (version: number, from_state: string, to_state: string, more: Row = {}): Row => {
  const what = { resource_id: 'r', machine: 'invoice', event: 'go', at: EARLY };
  return { workspace: 1, version, from_state, to_state, ...what, ...more };
};

test('a history starts at the creation, follows itself and moves along its lifecycle', async () => {
  const good = [
    step(1, '', 'open'),
    step(2, 'open', 'done'),
    step(1, '', 'open', { workspace: 2 }),
  ];
  const law = 'steps_follow';
  await holds(law, { history: good });
  assert.deepEqual(await broken(law, { history: [step(1, 'open', 'done')] }), ['r']);
  assert.deepEqual(await broken(law, { history: [step(2, '', 'open')] }), ['r']);
  const torn = [step(1, '', 'open'), step(2, 'held', 'done')];
  assert.deepEqual(await broken(law, { history: torn }), ['r']);
  const back = [step(1, '', 'open', { at: LATE }), step(2, 'open', 'done')];
  assert.deepEqual(await broken(law, { history: back }), ['r']);
  const move = { machine: 'invoice', from_state: '', event: 'go', to_state: 'open' };
  const tables = { history: [step(1, '', 'open')], machine_move: [move] };
  await holds('steps_are_legal', tables);
  for (const [column, other] of Object.entries({ ...move, from_state: 'x' })) {
    const machine_move = [{ ...move, [column]: `${other}?` }];
    assert.deepEqual(await broken('steps_are_legal', { ...tables, machine_move }), ['r'], column);
  }
});

test('the state of a resource is that of its last step', async () => {
  const law = 'invoice_state_is_last_step';
  const steps = [step(1, '', 'open'), step(2, 'open', 'success')];
  const row = { workspace: 1, id: 'r', state: 'success', version: 2 };
  const of = (more: Row, list = steps) =>
    broken(law, { invoice: [{ ...row, ...more }], history: list });
  await holds(law, { invoice: [row], history: steps });
  const wrong = [{ state: 'open' }, { version: 1 }, { version: 3 }, { id: 'q' }, { workspace: 2 }];
  for (const more of [...wrong, { state: 'open', version: 1 }]) {
    assert.equal((await of(more)).length, 1, JSON.stringify(more));
  }
  const others = [step(3, '', 'x', { workspace: 2 }), step(3, '', 'x', { resource_id: 'q' })];
  assert.deepEqual(await of({}, [...steps, ...others]), []);
});

test('a successful invoice credits its total once, any other keeps nothing', async () => {
  const law = 'success_is_paid_once';
  const invoice = (state: string) => [{ workspace: 1, id: 'r', state, version: 1 }];
  const document = (kind?: string) => [
    { workspace: 1, id: 'r', document: JSON.stringify({ total: 5, ...(kind && { kind }) }) },
  ];
  const posting = [line({ amount: 5 }), line({ amount: -5 })];
  const paid = { posting, history: [step(1, '', 'success')] };
  const of = (state: string, more: Tables = {}, kind?: string) =>
    broken(law, { invoice: invoice(state), invoice_document: document(kind), ...paid, ...more });
  const sold = { invoice: invoice('success'), invoice_document: document() };
  await holds(law, { ...sold, ...paid });
  assert.deepEqual(await of('failed'), ['r']);
  assert.deepEqual(await of('failed', { history: [] }), []);
  assert.deepEqual(await of('success', { history: [] }), ['r']);
  assert.deepEqual(await of('success', { posting: [line({ amount: 4 })] }), ['r']);
  for (const kind of ['cancel', 'refund']) assert.deepEqual(await of('failed', {}, kind), []);
  for (const off of [
    { machine: 'payout' },
    { version: 2 },
    { workspace: 2 },
    { resource_id: 'q' },
  ]) {
    const list = [step(1, '', 'success', off)];
    assert.deepEqual(await of('success', { history: list }), ['r'], JSON.stringify(off));
  }
});

test('captures, held money and announcements fit the state of their invoice', async () => {
  const invoice = (state: string) => [{ workspace: 1, id: 'r', state, version: 1 }];
  const attempt = (state: string) => [
    { workspace: 1, id: 't', resource_id: 'r', state, version: 1 },
  ];
  for (const [of, charge, found] of [
    ['success', 'captured', []],
    ['success', 'declined', ['r']],
    ['failed', 'captured', ['r']],
    ['failed', 'declined', []],
    ['processing', 'captured', []],
  ] as const) {
    const tables = { invoice: invoice(of), attempt: attempt(charge) };
    assert.deepEqual(await broken('captures_match', tables), found, `${of} ${charge}`);
    if (found.length === 0) await holds('captures_match', tables);
  }
  const account = (kind: string) => [{ workspace: 1, id: 'a', kind }];
  const posting = [line({ amount: 5 })];
  for (const [of, kind, found] of [
    ['processing', 'holding', []],
    ['success', 'holding', ['r']],
    ['success', 'wallet', []],
  ] as const) {
    const tables = { invoice: invoice(of), ledger_account: account(kind), posting };
    assert.deepEqual(await broken('holding_is_open_work', tables), found, `${of} ${kind}`);
    if (found.length === 0) await holds('holding_is_open_work', tables);
  }
  const told = { workspace: 1, name: 'invoice-completed', resource_id: 'r', resource_version: 2 };
  const law = 'finished_invoices_are_announced';
  const sealed = { ...told, sequence: 1 };
  for (const state of ['success', 'failed']) {
    const of = (more: Tables) => broken(law, { invoice: invoice(state), ...more });
    await holds(law, { invoice: invoice(state), event: [sealed] });
    await holds(law, { invoice: invoice(state), outbox: [told] });
    assert.deepEqual(await of({}), ['r']);
    assert.deepEqual(await of({ event: [sealed], outbox: [told] }), ['r']);
    assert.deepEqual(await of({ outbox: [{ ...told, name: 'other' }] }), ['r']);
    assert.deepEqual(await of({ event: [{ ...sealed, workspace: 2 }] }), ['r']);
  }
  await holds(law, { invoice: invoice('open') });
});

test('the stream of events of each workspace counts 1, 2, 3 up to its seal', async () => {
  const of = (sequences: number[], sealed: number) =>
    broken('events_have_no_gap', {
      event: sequences.map((sequence) => ({ workspace: 1, sequence })),
      seal: [
        { workspace: 1, sequence: sealed },
        { workspace: 2, sequence: 9 },
      ],
    });
  assert.deepEqual(await of([1, 2, 3], 3), []);
  for (const [list, sealed] of [
    [[1, 3], 3],
    [[2, 3], 3],
    [[1, 2], 3],
    [[1, 1, 2], 2],
  ] as const) {
    assert.deepEqual(await of([...list], sealed), ['1'], JSON.stringify(list));
  }
});

test('money on its way back, and what the integrator holds, is what the books say', async () => {
  const law = 'pending_refunds_are_open';
  const way = { workspace: 1, id: 'm', resource_id: 'r', currency: 'USD', amount: 5 };
  const tables = {
    posting: [line({ amount: 5 })],
    ledger_account: [{ workspace: 1, id: 'a', kind: 'refund_pending' }],
    transfer: [{ ...way, state: 'sending' }],
    invoice: [{ workspace: 1, id: 'r', state: 'processing', version: 1 }],
  };
  await holds(law, tables);
  const change = (name: keyof typeof tables, more: Row): Tables => {
    return { ...tables, [name]: [{ ...tables[name][0], ...more }] };
  };
  for (const wrong of [
    change('posting', { amount: 4 }),
    change('ledger_account', { kind: 'wallet' }),
    change('transfer', { state: 'replaced' }),
    change('invoice', { state: 'success' }),
  ]) {
    assert.deepEqual(await broken(law, wrong), ['1 USD']);
  }
  assert.equal((await broken(law, change('transfer', { currency: 'EUR' }))).length, 2);
  const held = 'integrator_balance_is_its_postings';
  const of = (amount: number, credits: number[]) =>
    broken(held, {
      integrator_balance: [{ workspace: 1, id: 'a', amount }],
      integrator_credit: credits.map((one) => ({ workspace: 1, account_id: 'a', amount: one })),
      posting: [line({ amount: 5 }), line({ amount: 9, account_version: 1 })],
    });
  await holds(held, {
    integrator_balance: [{ workspace: 1, id: 'a', amount: 3 }],
    integrator_credit: [{ workspace: 1, account_id: 'a', amount: 2 }],
    posting: [line({ amount: 5 })],
  });
  assert.deepEqual(await of(5, []), []);
  assert.deepEqual(await of(2, [1, 2]), []);
  assert.deepEqual(await of(5, [1]), ['a']);
  assert.deepEqual(await of(4, []), ['a']);
  const returned = 'returns_give_back_their_total';
  const back = (kind: string, amount: number, version = 1): Promise<string[]> =>
    broken(returned, given(kind, amount, version));
  const given = (kind: string, amount: number, version: number): Tables => {
    return {
      invoice: [{ workspace: 1, id: 'r', state: 'success', version: 1 }],
      invoice_document: [{ workspace: 1, id: 'r', document: JSON.stringify({ kind, total: 5 }) }],
      posting: [line({ amount, version }), line({ amount: -amount, version })],
    };
  };
  for (const kind of ['cancel', 'refund']) {
    await holds(returned, given(kind, 5, 1));
    assert.deepEqual(await back(kind, 4), ['r']);
    assert.deepEqual(await back(kind, 5, 2), ['r']);
  }
  assert.deepEqual(await back('sale', 4), []);
});
