// The whole system over HTTP with its cards at the Stripe-shaped server: a sale from the saved card
// to the matched statement and the refund, and twenty ways in which the calls go, each to the end
// that our side must reach. [U1-U20]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { changeDispute, openDispute } from '../kit/stripe/disputes.ts';
import type { Behaviour, Event } from '../kit/stripe/objects.ts';
import { startWithStripe, type Payer, type StripePlatform } from '../kit/stripe/platform.ts';
import type { Call, Fault } from '../kit/stripe/server.ts';
import { ownLine } from '../api/market.ts';

const AMOUNT = 1_250;
const CARD: Behaviour = { type: 'card' };

let system: StripePlatform;
before(async () => {
  system = await startWithStripe();
});
after(() => system?.stop());

interface Deposit {
  readonly deposit_id: string;
  readonly state: string;
  readonly failure_code?: string;
  readonly authentication_url?: string;
}

async function deposit({ account_id, method }: Payer): Promise<{ id: string; key: string }> {
  const body = { account_id, payment_method_id: method, currency: 'USD', amount: AMOUNT };
  const path = '/v1/deposits';
  const { api, db } = system.platform;
  const { deposit_id: id } = await api.must<Deposit>(201, 'invoicing', 'POST', path, { body });
  const text = 'select id from attempt where resource_id = $1';
  const [attempt] = await db.query<{ id: string }>({ text, values: [id] });
  return { id, key: attempt?.id ?? '' };
}

const depositNow = (id: string): Promise<Deposit> =>
  system.platform.api.must(200, 'invoicing', 'GET', `/v1/deposits/${id}`);

function ended(id: string): Promise<Deposit> {
  return until(`the end of ${id}`, async () => {
    const now = await depositNow(id);
    return ['success', 'failed'].includes(now.state) ? now : null;
  });
}

async function stateOf(key: string): Promise<string> {
  const text = 'select state from attempt where id = $1';
  const { db } = system.platform;
  return (await db.query<{ state: string }>({ text, values: [key] }))[0]?.state ?? '';
}

/** Verdicts on the statement's rows of a key, once none waits. */
function verdicts(key: string, rows: number): Promise<string[]> {
  return until(`${rows} verdicts on ${key}`, async () => {
    const text = `select kind || ' ' || verdict || ' ' || coalesce(why, '') as said, verdict
      from statement_line where key = $1 order by line`;
    const found = await system.platform.db.query<{ said: string; verdict: string }>({
      text,
      values: [key],
    });
    const done = found.length === rows && found.every(({ verdict }) => verdict !== 'waiting');
    return done ? found.map(({ said }) => said) : null;
  });
}

/** The statement is read now and not in a minute. */
const readStatement = () =>
  system.platform.db.execute('update statement_cursor set due = clock_timestamp()');

/** How often money was taken and given back under a key at Stripe. */
function effects(key: string): [captures: number, refunds: number] {
  const { transactions, charges, refunds } = system.account;
  const of = (book: ReadonlyMap<string, { readonly metadata: Record<string, string> }>) =>
    transactions.filter(({ source }) => book.get(source)?.metadata.holdfast_key === key).length;
  return [of(charges), of(refunds)];
}

const nameOf = ({ method, route }: Call): string => `${method} ${route.split('/').at(-1)}`;

test('a card is saved, a sale is paid, matched with the statement and refunded', async () => {
  const { platform } = system;
  const { account_id, method } = await system.payer(CARD);
  const line_items = [ownLine(AMOUNT)];
  const body = { account_id, payment_methods: [{ payment_method_id: method }], line_items };
  const { api, db } = platform;
  type Sale = { invoice_id: string; state: string };
  const path = '/v2/invoice';
  const { invoice_id: id } = await api.must<Sale>(201, 'invoicing', 'POST', path, { body });
  await api.must(200, 'invoicing', 'POST', `/v2/invoice/${id}/pay`);
  const sold = await until('the end of the sale', async () => {
    const now = await api.must<Sale>(200, 'invoicing', 'GET', `/v2/invoice/${id}`);
    return now.state === 'processing' ? null : now;
  });
  assert.equal(sold.state, 'success');
  const text = 'select id, processor_reference as pi from attempt where resource_id = $1';
  const [attempt] = await db.query<{ id: string; pi: string }>({ text, values: [id] });
  assert.ok(attempt);
  assert.match(attempt.pi, /^pi_/);
  assert.deepEqual(effects(attempt.id), [1, 0]);
  await readStatement();
  assert.deepEqual(await verdicts(attempt.id, 1), ['capture matched captured']);
  const asked = { body: { invoice_id: id, reason: 'other' } };
  type Refund = { refund_id: string };
  const { refund_id } = await api.must<Refund>(200, 'invoicing', 'POST', '/v2/refund', asked);
  const sent = await until('the refund', async () => {
    const find = `select t.id from transfer t where t.target = $1 and t.state = 'paid'`;
    return (await db.query<{ id: string }>({ text: find, values: [attempt.id] }))[0]?.id;
  });
  assert.ok(refund_id);
  assert.equal(effects(sent)[1], 1);
  await readStatement();
  assert.deepEqual(await verdicts(sent, 1), ['refund matched paid']);
});

test('whoever comes back from Stripe is told to go on in the window before', async () => {
  const answer = await fetch(`${system.platform.ready.urls.widget}/ui/v1/returned`);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /You can close this window/);
  assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
});

test('a webhook is taken as Stripe signs it, and a forged one is refused', async () => {
  const payer = await system.payer({ ...CARD, challenged: true });
  const { id, key } = await deposit(payer);
  const { authentication_url: url } = await until('the link', async () => {
    const now = await depositNow(id);
    return now.authentication_url ? now : null;
  });
  const events: Event[] = [];
  system.account.listen((event) => events.push(event));
  const confirmed = await fetch(url ?? '', { method: 'POST', body: '{"decision":"confirm"}' });
  assert.equal(confirmed.status, 200);
  system.account.listen(() => {});
  const [event] = events;
  assert.ok(event);
  assert.equal(await system.notify(event, 'whsec_ofsomebodyelse'), 401);
  assert.equal(await system.notify(event), 200);
  assert.equal(await system.notify(event), 200);
  assert.equal((await ended(id)).state, 'success');
  assert.deepEqual(effects(key), [1, 0]);
});

/** Submits evidence and waits until Stripe has it. */
async function answered(reference: string): Promise<void> {
  const { api, db } = system.platform;
  const find = { text: 'select id from dispute where reference = $1', values: [reference] };
  const [row] = await db.query<{ id: string }>(find);
  const path = `/v1/disputes/${row?.id}`;
  const body = { kind: 'product_description', text: 'A lamp.' };
  await api.must(201, 'invoicing', 'POST', `${path}/evidence`, { body });
  await api.must(200, 'invoicing', 'POST', `${path}/submit`, { body: {} });
  await until('the evidence to be submitted', async () =>
    system.account.disputes.get(reference)?.status === 'under_review' ? true : null,
  );
}

test('a chargeback opens a dispute with its deadline, and winning it closes it', async () => {
  const { id, key } = await deposit(await system.payer(CARD));
  await ended(id);
  const intent = [...system.account.intents.values()].find(
    ({ metadata }) => metadata.holdfast_key === key,
  );
  const dispute = openDispute(system.account, intent?.id ?? '', 'fraudulent');
  await readStatement();
  const told = await verdicts(key, 2);
  assert.deepEqual(told, ['capture matched captured', 'chargeback matched reversal']);
  await answered(dispute.id);
  assert.equal(dispute.evidence['product_description'], 'A lamp.');
  changeDispute(system.account, dispute, 'won');
  await readStatement();
  const text = `select state, reason, due_by is not null as due from dispute where reference = $1`;
  const won = await until('the dispute to be won', async () => {
    const { db } = system.platform;
    const rows = await db.query<{ state: string }>({ text, values: [dispute.id] });
    return rows[0]?.state === 'won' ? rows[0] : null;
  });
  assert.deepEqual(won, { state: 'won', reason: 'fraudulent', due: true });
});

interface Script {
  readonly name: string;
  readonly does?: Behaviour;
  readonly faults?: (call: Call, nth: number) => Fault | null;
  /** Webhooks of Stripe: absent: none come. */
  readonly hears?: (event: Event) => Promise<unknown>;
  /** While it waits. */
  readonly meanwhile?: (key: string) => Promise<void> | void;
  readonly before?: () => void;
  readonly state: 'success' | 'failed' | 'requested';
  readonly code?: string;
  readonly attempt: string;
  readonly effects: readonly [captures: number, refunds: number];
}

const first = (name: string, fault: Fault) => (call: Call, nth: number) =>
  nameOf(call) === name && nth === 1 ? fault : null;
const twice = async (event: Event) => {
  await system.notify(event);
  await system.notify(event);
};
const DONE = { state: 'success', attempt: 'captured', effects: [1, 0] } as const;
const LOST = { state: 'failed', attempt: 'declined', effects: [0, 0] } as const;
const DEBIT: Behaviour = { type: 'us_bank_account' };
const intentOf = (key: string, status: string) =>
  until(`an intent that is ${status}`, async () => {
    const all = [...system.account.intents.values()];
    return all.find((one) => one.metadata.holdfast_key === key && one.status === status);
  });
const pending = (key: string) => intentOf(key, 'processing');
const wasSent = (name: string): boolean =>
  system.server.calls.some((call) => nameOf(call) === name);

const SCRIPTS: readonly Script[] = [
  { name: 'U1 captured', ...DONE },
  {
    name: 'U2 declined',
    does: { ...CARD, declines: 'insufficient_funds' },
    code: 'insufficient_funds',
    ...LOST,
  },
  { name: 'U3 nothing happened', faults: first('POST capture', 'reset_before'), ...DONE },
  { name: 'U4 timeout, captured', faults: first('POST capture', 'silent'), ...DONE },
  {
    name: 'U5 timeout, declined',
    does: { ...CARD, declines: 'do_not_honor' },
    faults: first('POST confirm', 'silent'),
    code: 'card_declined',
    ...LOST,
  },
  {
    name: 'U6 looks go unanswered too',
    faults: (call, nth) =>
      nameOf(call) === 'POST capture'
        ? 'silent'
        : call.method === 'GET' && nth < 4
          ? 'error_before'
          : null,
    ...DONE,
  },
  { name: 'U7 the first call lands late', faults: first('POST confirm', 'late'), ...DONE },
  {
    name: 'U8 500 before effect',
    faults: first('POST payment_intents', 'error_before'),
    ...DONE,
  },
  { name: 'U9 500 after effect', faults: first('POST capture', 'error_after'), ...DONE },
  {
    name: 'U10 too busy',
    faults: (call, nth) => (nameOf(call) === 'POST payment_intents' && nth < 3 ? 'busy' : null),
    ...DONE,
  },
  { name: 'U11 webhooks at once, twice', hears: twice, ...DONE },
  {
    name: 'U12 webhooks in another order',
    async meanwhile(key) {
      const { id } = await intentOf(key, 'succeeded');
      const events = system.account.events.filter(({ data }) => 'id' in data.object
        && data.object.id === id);
      assert.ok(events.length > 1);
      for (const event of events.toReversed()) await twice(event);
    },
    ...DONE,
  },
  {
    name: 'U13 only the statement shows it',
    faults: (call) =>
      nameOf(call) === 'POST capture'
        ? 'silent'
        : nameOf(call) === 'GET :id' && wasSent('POST capture')
          ? 'busy'
          : null,
    async meanwhile(key) {
      await until('the capture', async () => (effects(key)[0] === 1 ? true : null));
      system.server.misbehave(() => null);
      await readStatement();
    },
    ...DONE,
  },
  {
    name: 'U14 declined, and captured all the same',
    does: { ...CARD, declines: 'do_not_honor' },
    async meanwhile(key) {
      const { id } = await intentOf(key, 'requires_payment_method');
      await until('the decline', async () => ((await stateOf(key)) === 'declined' ? true : null));
      system.account.contradict(id);
      await system.notify(system.account.events.at(-1) as Event);
    },
    code: 'card_declined',
    ...{ state: 'failed', attempt: 'parked', effects: [1, 0] },
  },
  {
    name: 'U15 one cent less',
    before: () => void (system.account.wrong = { amount: AMOUNT - 1 }),
    ...{ state: 'requested', attempt: 'parked', effects: [1, 0] },
  },
  {
    name: 'U16 another currency',
    before: () => void (system.account.wrong = { currency: 'eur' }),
    ...{ state: 'requested', attempt: 'parked', effects: [1, 0] },
  },
  {
    name: 'U18 a bank debit settles later',
    does: DEBIT,
    async meanwhile(key) {
      system.account.settle((await pending(key)).id, true);
      const { events } = system.account;
      await system.notify(events.at(-1) as Event);
    },
    ...DONE,
  },
  {
    name: 'a bank debit fails later',
    does: DEBIT,
    async meanwhile(key) {
      system.account.settle((await pending(key)).id, false);
      await system.notify(system.account.events.at(-1) as Event);
    },
    code: 'insufficient_funds',
    ...LOST,
  },
];

for (const script of SCRIPTS) {
  test(script.name, async () => {
    const { server, account } = system;
    const payer = await system.payer(script.does ?? CARD);
    script.before?.();
    server.misbehave(script.faults ?? (() => null));
    account.listen((event) => void script.hears?.(event));
    const { id, key } = await deposit(payer);
    try {
      await script.meanwhile?.(key);
      await until(`${script.attempt} of ${key}`, async () =>
        (await stateOf(key)) === script.attempt ? true : null,
      );
    } finally {
      server.misbehave(() => null);
      account.listen(() => {});
    }
    const now = await depositNow(id);
    assert.deepEqual([now.state, now.failure_code ?? ''], [script.state, script.code ?? '']);
    assert.deepEqual(effects(key), script.effects);
  });
}

test('U19 a settled bank debit that comes back stays paid and is booked as returned', async () => {
  const { id, key } = await deposit(await system.payer(DEBIT));
  const intent = await pending(key);
  system.account.settle(intent.id, true);
  await system.notify(system.account.events.at(-1) as Event);
  assert.equal((await ended(id)).state, 'success');
  openDispute(system.account, intent.id, 'insufficient_funds');
  await readStatement();
  const told = await verdicts(key, 2);
  assert.deepEqual(told, ['capture matched captured', 'return matched reversal']);
  assert.equal((await depositNow(id)).state, 'success');
});

test('U17 money that Stripe booked twice is credited once and shown to a person', async () => {
  const payer = await system.payer(CARD);
  system.account.wrong = { twice: true };
  const { id, key } = await deposit(payer);
  assert.equal((await ended(id)).state, 'success');
  await readStatement();
  const told = await verdicts(key, 2);
  assert.deepEqual(told, ['capture matched captured', 'capture difference repeated']);
});
