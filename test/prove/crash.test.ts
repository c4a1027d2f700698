// kill -9 during each kind of processor call: before it is noted, with nothing done, with all done
// but not answered, and with the answer not stored. After the restart each ends as the processor's
// records say, once. [crash points C4 to C10; M5, M12, M13, OP2]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { queueScript } from '../../src/sandbox/simulators/store/calls.ts';
import type { Database } from '../../src/db/index.ts';
import type { Api, Call, Reply } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { moved, openEscrow, type EscrowSeen } from '../kit/escrow.ts';
import { Victim } from '../faults/victim.ts';

const PRICE = 700;
const END_WITHIN_MS = 30_000;
/** Longer than the slow provider call that is cut. */
const TIMEOUT_MS = 2_500;

let base: TestDatabase;
let db: Database;
let victim: Victim;
let api: Api;
before(async () => {
  base = await testDatabase();
  ({ db } = base);
  victim = new Victim({
    DATABASE_URL: base.url,
    HOLDFAST_PROCESSOR_TIMEOUT_MS: String(TIMEOUT_MS),
    HOLDFAST_ESCROW_WAIT_MS: '500',
  });
  api = await victim.start();
  const body = { integrator: true, currency: 'USD', amount: 100_000 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
});
after(async () => {
  await victim?.end();
  await base?.drop();
});

type Operation = 'authorize' | 'capture' | 'remit';

/** A call to the platform that makes it ask the processor. */
interface Case {
  readonly name: string;
  readonly operation: Operation;
  /** What is charged or paid out to. */
  readonly method: string;
  send(api: Api, key: string): Promise<Reply>;
  /** How its state is read, and what that must be. */
  readonly end: readonly [text: string, id: string];
  readonly state: string;
  /** What the processor moved for it in the end. */
  readonly lines: readonly string[];
}

let people = 0;

/** Somebody with money, accepted, who has one card or bank account of his own. */
async function person(test_card: string): Promise<{
  readonly account_id: string;
  readonly wallet: string;
  readonly method: string;
}> {
  people += 1;
  const { account_id, method: wallet } = await api.register(`crash_${people}`);
  await api.setKyc(account_id, { state: 'ACCEPT' });
  return { account_id, wallet, method: await api.attach(account_id, test_card) };
}

function post(one: Api, path: string, more: Call): Promise<Reply> {
  return one.send('invoicing', 'POST', path, more);
}

async function sale(operation: Operation): Promise<Case> {
  const { account_id, method } = await person('visa');
  const id = await api.created(api.sale(PRICE, [{ payment_method_id: method }], { account_id }));
  return {
    name: `sale ${operation}`,
    operation,
    method,
    send: (one, key) => one.pay(id, key),
    end: ['select state from invoice where id::text = $1', id],
    state: 'success',
    lines: ['capture'],
  };
}

const STATE_OF_ESCROW = `select state from escrow where workspace = (select i.workspace
  from invoice i
    where i.id::text = $1) and id::text = (select sale_term(id::text, document, 'escrow')
    from invoice_document where id::text = $1)`;

async function escrow(operation: Operation): Promise<Case> {
  const { account_id, method } = await person('visa');
  const parts = [{ payment_method_id: method }];
  const { id, escrow_invoice_id } = await openEscrow(api, PRICE, parts, { account_id });
  const refunds = operation === 'remit';
  if (refunds) await moved(api, id, 'pay', 'ESCROWED');
  const path = `/v2/escrow/${id}/${refunds ? 'cancel' : 'pay'}`;
  return {
    name: `escrow ${operation}`,
    operation,
    method,
    send: (one, key) => post(one, path, { key }),
    end: [STATE_OF_ESCROW, escrow_invoice_id],
    state: refunds ? 'CANCELLED' : 'ESCROWED',
    lines: refunds ? ['capture', 'refund'] : ['capture'],
  };
}

/** The part that takes the last cent of an escrow goes back to the card. */
async function escrowPart(): Promise<Case> {
  const whole = await escrow('remit');
  const invoice = whole.end[1];
  type Invoice = { line_items: Record<string, unknown> };
  const at = `/v2/invoice/${invoice}`;
  const { line_items } = await api.must<Invoice>(200, 'invoicing', 'GET', at);
  const [line_item_id] = Object.keys(line_items);
  type Found = { id: string };
  const of = `/v2/escrow/by_invoice/${invoice}`;
  const path = `/v2/escrow/${(await api.must<Found>(200, 'invoicing', 'GET', of)).id}`;
  const release = { line_items: [{ line_item_id, amount: 1 }] };
  await api.must(200, 'invoicing', 'POST', `${path}/release`, { body: release });
  const body = { line_items: [{ line_item_id }] };
  return {
    ...whole,
    name: 'escrow part',
    send: (one, key) => post(one, `${path}/return`, { body, key }),
  };
}

async function refund(): Promise<Case> {
  const { method, send, end } = await sale('remit');
  await send(api, `paid-${end[1]}`);
  assert.equal((await api.finished(end[1])).state, 'success');
  const body = { invoice_id: end[1], reason: 'other' };
  return {
    name: 'refund',
    operation: 'remit',
    method,
    send: (one, key) => post(one, '/v2/refund', { body, key }),
    end: ['select state from refund where invoice_id::text = $1', end[1]],
    state: 'REFUND-SUCCESS',
    lines: ['capture', 'refund'],
  };
}

async function payout(): Promise<Case> {
  const { account_id, wallet, method } = await person('paypal');
  await api.fund(account_id, PRICE);
  const ids = { source_payment_method_id: wallet, destination_payment_method_id: method };
  const path = `/v2/${account_id}/payout`;
  const body = { ...ids, amount: PRICE, currency: 'USD' };
  type Made = { payout_status_id: string };
  const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
  const id = made.payout_status_id;
  return {
    name: 'payout',
    operation: 'remit',
    method,
    send: (one, key) => one.send('invoicing', 'PATCH', `${path}/${id}`, { key }),
    end: ['select state from payout where id::text = $1', id],
    state: 'SUCCESS',
    lines: ['payout'],
  };
}

const FIRST_CALLS = [
  () => sale('authorize'),
  () => escrow('authorize'),
  () => escrow('remit'),
  escrowPart,
  refund,
  payout,
];
const ALL_CALLS = [...FIRST_CALLS, () => sale('capture'), () => escrow('capture')];

/** Scripts the next provider call of each case. */
async function script(cases: readonly Case[], exchange: string): Promise<void> {
  const rows = await db.query<{ id: string; workspace: number; token: string }>({
    text: `select id, workspace, processor_token as token from payment_method
      where id = any($1::uuid[])`,
    values: [cases.map(({ method }) => method)],
  });
  for (const { id, workspace, token } of rows) {
    const operation = cases.find(({ method }) => method === id)?.operation ?? 'remit';
    await queueScript(db, 'processor', workspace, [{ operation, exchange, times: 1, token }]);
  }
}

const KEYS = `(select id::text as key, payment_method_id from attempt
  union all select id::text, payment_method_id from transfer) k`;

/** The processor has counted the call of each case. */
function counted(cases: readonly Case[]): Promise<boolean> {
  return each(cases, ({ operation }) => `select from processor_exchange e join ${KEYS}
    on k.key = e.key where k.payment_method_id = $1 and e.operation = '${operation}'`);
}

/** The processor has done what each case asks for. */
function done(cases: readonly Case[]): Promise<boolean> {
  return each(cases, ({ operation }) =>
    operation === 'remit'
      ? `select from processor_transfer p join ${KEYS} on k.key = p.key
          where k.payment_method_id = $1 and p.state = 'paid'`
      : `select from processor_charge p join ${KEYS} on k.key = p.key
          where k.payment_method_id = $1
            and p.state = '${operation === 'capture' ? 'captured' : 'authorized'}'`,
  );
}

async function each(
  cases: readonly Case[],
  text: (one: Case) => string,
): Promise<boolean> {
  for (const one of cases) {
    const rows = await db.query({ text: text(one), values: [one.method] });
    if (rows.length === 0) return false;
  }
  return true;
}

/** True when at least so many of the server's statements wait for a lock. */
async function waiting(count: number): Promise<boolean> {
  const rows = await db.query<{ n: bigint }>(`select count(*) as n from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  return Number(rows[0]?.n) >= count;
}

/** A connection in a transaction; what it locks is free again after the kill. */
type Lock = Awaited<ReturnType<Database['connection']>>;

/** Asks, kills once the point is reached, starts again, and sees everything end. */
async function crash(
  cases: readonly Case[],
  reach: (lock: Lock, ask: () => void) => Promise<void>,
  leases: 'run out' | 'are waited for' = 'run out',
): Promise<void> {
  const key = ({ name, method }: Case): string => `${name} ${method}`;
  const lock = await db.connection();
  await lock.execute('begin');
  let asked: readonly Promise<Reply | null>[] = [];
  try {
    await reach(lock, () => {
      asked = cases.map((one) => one.send(api, key(one)).catch(() => null));
    });
    await victim.kill('server');
  } finally {
    await lock.execute('rollback');
    lock.release();
  }
  const answers = await Promise.all(asked);
  api = await victim.start();
  for (const [at, one] of cases.entries()) {
    const first = answers[at];
    const again = await one.send(api, key(one));
    assert.equal(again.status, 200, `${one.name}: ${again.text} ${victim.faults().join('\n')}`);
    if (!first || (first.payload as EscrowSeen).status === 'OPEN') continue;
    assert.equal(again.text, first.text, one.name);
  }
  if (leases === 'run out') {
    for (const jobs of ['attempt_job', 'transfer_job']) {
      await db.execute(`update ${jobs} set leased_until = clock_timestamp()`);
    }
  }
  await settled(db, END_WITHIN_MS);
  for (const { name, method, end, state, lines } of cases) {
    const [text, id] = end;
    const ends = await db.query<{ state: string }>({ text, values: [id] });
    assert.deepEqual(ends, [{ state }], name);
    const rows = await db.query<{ kind: string }>({
      text: `select s.kind from processor_statement s join ${KEYS} on k.key = s.key
        where k.payment_method_id = $1 order by s.line`,
      values: [method],
    });
    assert.deepEqual(rows.map((row) => row.kind), lines, name);
  }
  await sealed(db);
  await reconciled(db);
  assert.deepEqual(victim.faults(), []);
}

function made(makers: readonly (() => Promise<Case>)[]): Promise<Case[]> {
  return Promise.all(makers.map((make) => make()));
}

test('calls that the processor has not noted, and that are lost with it [C6]', async () => {
  const cases = await made(FIRST_CALLS);
  await crash(cases, async (lock, ask) => {
    await lock.execute('lock table processor_exchange in exclusive mode');
    ask();
    await until('calls that wait', () => waiting(cases.length));
  });
});

test('calls that were received with nothing done, or done and not answered [C7, C8]', async () => {
  const [without, after_] = await Promise.all([made(ALL_CALLS), made(ALL_CALLS)]);
  await script(without, 'timeout_before_effect');
  await script(after_, 'timeout_after_effect');
  await crash([...without, ...after_], async (_, ask) => {
    ask();
    await until('calls that hang', async () => (await counted(without)) && (await done(after_)));
  });
});

test('answers that were received and not stored [C9, C10]', async () => {
  const cases = await made(ALL_CALLS);
  await script(cases, 'slow');
  const reach = async (lock: Lock, ask: () => void): Promise<void> => {
    ask();
    await until('calls that are slow', () => counted(cases));
    for (const table of ['attempt', 'transfer']) {
      await lock.query({
        text: `select from ${table} where payment_method_id = any($1::uuid[]) for update`,
        values: [cases.map(({ method }) => method)],
      });
    }
    await until('answers', async () => (await done(cases)) && (await waiting(1)));
  };
  await crash(cases, reach, 'are waited for');
});
