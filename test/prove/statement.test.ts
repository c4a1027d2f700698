// The processor's statement against the whole system: what only it shows is learned, discrepancies
// are shown and never guessed, an operator's decision ends a manual review. [M13, M15, M18, U13 to
// U17]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { happen } from '../../src/sandbox/simulators/processor/outside.ts';
import type { ExchangeOperation } from '../../src/sandbox/simulators/processor/protocol.ts';
import { queueScript } from '../../src/sandbox/simulators/store/calls.ts';
import type { OutsideEvent } from '../../src/sandbox/ports/cards.ts';
import { proved, settled } from '../kit/books.ts';
import { moved, openEscrow } from '../kit/escrow.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';

const WITHIN_MS = 30_000;

let platform: Platform;
let workspace = 0;
before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_PROCESSOR_TIMEOUT_MS: '1000' } });
  const rows = await platform.db.query<{ workspace: number
  }>('select min(workspace) as workspace from workspace');
  workspace = rows[0]?.workspace ?? 0;
});
after(() => platform.stop());

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly why: string;
  readonly resource_id: string;
  readonly amount: number;
  readonly statement_amount: number | null;
  readonly age_seconds: number;
  readonly decisions: readonly string[];
}

async function open(): Promise<{ counts: Record<string, number>; items: readonly Item[] }> {
  return platform.api.must(200, 'payments', 'GET', '/v1/reconciliation');
}

function resolve(id: string, body: object, key?: string) {
  const path = `/v1/reconciliation/${id}/resolve`;
  return platform.api.send('payments', 'POST', path, key === undefined ? { body } : { body, key });
}

const one = async <R>(text: string, values: readonly unknown[]): Promise<R | undefined> =>
  (await platform.db.query<R>({ text, values }))[0];

/** Until the one line of a kind under a key has a verdict; gives it as `verdict why`. */
function verdictOf(key: string, kind: string, part = 1): Promise<string> {
  return until(`a verdict on ${kind} ${part}`, async () => {
    const line = await one<{ verdict: string; why: string }>(
      `select verdict, why from statement_line
        where key = $1 and kind = $2 and part = $3 and verdict <> 'waiting'`,
      [key, kind, part],
    );
    return line && `${line.verdict} ${line.why}`;
  });
}

let people = 0;

/** Scripts the next provider call of one kind with a card. */
async function script(method: string, operation: ExchangeOperation, exchange: string) {
  const row = await one<{ processor_token: string }>(
    'select processor_token from payment_method where id = $1',
    [method],
  );
  const token = row?.processor_token ?? '';
  await queueScript(platform.db, 'processor', workspace, [
    { operation, exchange, times: 1, token },
  ]);
}

/** A sale paid by a card alone, with a scripted provider call if one is named. */
async function sold(card: string, operation?: 'authorize' | 'capture', exchange?: string) {
  const { api } = platform;
  people += 1;
  const { account_id } = await api.register(`statement_${people}`);
  const method = await api.attach(account_id, card);
  const sale = api.sale(700, [{ payment_method_id: method }], { account_id });
  const invoice = await api.created(sale);
  if (operation !== undefined && exchange !== undefined) {
    await script(method, operation, exchange);
  }
  await api.pay(invoice);
  const key = await until('the attempt', async () => {
    const row = await one<{ id: string }>('select id from attempt where resource_id = $1', [
      invoice,
    ]);
    return row?.id;
  });
  return { invoice, key };
}

function outside(key: string, event: OutsideEvent): Promise<boolean> {
  return happen(platform.db, workspace, key, event);
}

const parked = (key: string): Promise<Item> =>
  until('the attempt is parked', async () => (await open()).items.find((item) => item.id === key));

test('an ordinary capture is matched by the statement', async () => {
  const { invoice, key } = await sold('visa');
  assert.equal((await platform.api.finished(invoice)).state, 'success');
  assert.equal(await verdictOf(key, 'capture'), 'matched captured');
});

test('a capture that only the statement shows is learned from it [U13]', async () => {
  const { invoice, key } = await sold('visa', 'capture', 'silence_without_notice');
  // Nobody looks by himself: only the line can make it due.
  await until('the silence', async () => {
    const text = `update attempt_job set due = clock_timestamp() + interval '1 hour', lease = null,
      leased_until = null where attempt_id = $1 and tries > 0`;
    return (await platform.db.execute({ text, values: [key] })) === 1 ? true : null;
  });
  assert.equal((await platform.api.finished(invoice, WITHIN_MS)).state, 'success');
  assert.equal(await verdictOf(key, 'capture'), 'matched captured');
});

test('declined by the answer, captured by the record: reviewed, given back [U14]', async () => {
  const { invoice, key } = await sold('visa', 'authorize', 'captured_but_denied');
  assert.equal((await platform.api.finished(invoice)).state, 'failed');
  const item = await parked(key);
  assert.deepEqual(
    [item.kind, item.why, item.resource_id, item.amount, item.decisions],
    ['parked_charge', 'contradicted', invoice, 700, ['give_back', 'accept']],
  );
  const late = await resolve(key, { decision: 'accept' });
  assert.deepEqual([late.status, late.codes], [400, ['PARKED_TOO_LATE']]);
  const wrong = await resolve(key, { decision: 'retry' });
  assert.deepEqual([wrong.status, wrong.codes], [400, ['DECISION_NOT_POSSIBLE']]);
  const first = await resolve(key, { decision: 'give_back' }, 'give it back');
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(first.payload, { id: key, kind: 'parked_charge', state: 'reversing' });
  const again = await resolve(key, { decision: 'give_back' }, 'give it back');
  assert.equal(again.text, first.text);
  const other = await resolve(key, { decision: 'give_back' });
  assert.deepEqual([other.status, other.codes], [400, ['ITEM_NOT_OPEN']]);
  assert.equal(await verdictOf(key, 'refund'), 'matched reversed');
  assert.equal((await platform.api.read(invoice)).state, 'failed');
});

for (const exchange of ['one_less', 'other_currency']) {
  test(`${exchange}: in manual review, no credit, given back by decision [U15, U16]`, async () => {
    const { seller } = platform.api.ready.accounts;
    const before = await platform.api.money(seller.account_id);
    const { invoice, key } = await sold('visa', 'capture', exchange);
    await parked(key);
    assert.equal(await verdictOf(key, 'capture'), 'matched parked');
    const item = await parked(key);
    assert.equal(item.statement_amount, exchange === 'one_less' ? 699 : 700);
    assert.equal((await platform.api.read(invoice)).state, 'processing');
    const accepted = await resolve(key, { decision: 'accept' });
    assert.deepEqual([accepted.status, accepted.codes], [400, ['PARKED_NOT_AS_AGREED']]);
    assert.equal((await resolve(key, { decision: 'give_back' })).status, 200);
    const seen = await platform.api.finished(invoice);
    assert.deepEqual([seen.state, seen.failure_code], ['failed', 'amount_mismatch']);
    assert.equal(await verdictOf(key, 'refund'), 'matched reversed');
    assert.deepEqual(await platform.api.money(seller.account_id), before);
  });
}

test('in manual review though nothing is wrong: accepted after checking the record', async () => {
  const { invoice, key } = await sold('bank');
  await until('pending', () =>
    one(`select from processor_charge where key = $1 and state = 'pending'`, [key]),
  );
  // As after a contradiction that has cleared up: nothing but a person moves it on.
  await platform.db.transaction(async (tx) => {
    await tx.execute({
      text: `insert into step (workspace, resource_id, version, machine, from_state, event,
        to_state,
          at, actor)
        select workspace, id, version + 1, 'attempt', state, 'mismatched', 'parked', updated, 'test'
        from attempt where id = $1`,
      values: [key],
    });
    await tx.execute({ text: 'delete from attempt_job where attempt_id = $1', values: [key] });
    await tx.execute({
      text: `update attempt set state = 'parked', version = version + 1 where id = $1`,
      values: [key],
    });
  });
  const early = await resolve(key, { decision: 'accept' });
  assert.deepEqual([early.status, early.codes], [400, ['PARKED_NOT_AS_AGREED']]);
  assert.equal(await outside(key, 'settle'), true);
  const accepted = await resolve(key, { decision: 'accept' });
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal((await platform.api.finished(invoice)).state, 'success');
  assert.match(await verdictOf(key, 'capture'), /^matched /);
});

test('captured twice under one key: one success, the second goes back [U17]', async () => {
  const { invoice, key } = await sold('visa', 'capture', 'captured_twice');
  assert.equal((await platform.api.finished(invoice)).state, 'success');
  assert.equal(await verdictOf(key, 'capture', 2), 'difference double_capture');
  const ended = await until('the second is given back', () =>
    one<{ state: string; key: string }>(
      `select d.state, r.id as key from difference d
        join statement_line l on l.id = d.id and l.key = $1
        join transfer r on r.resource_id = d.id and r.state = 'paid'
        where d.state = 'explained'`,
      [key],
    ),
  );
  assert.equal(await verdictOf(ended.key, 'refund'), 'matched paid');
  await proved(platform.db);
});

test('a refused refund that must go out: sent again or accepted by decision', async () => {
  const { api } = platform;
  const { account_id } = await api.register('statement_cancel');
  const method = await api.attach(account_id, 'refund_declined');
  const escrow = await openEscrow(api, 700, [{ payment_method_id: method }], { account_id });
  await moved(api, escrow.id, 'pay', 'ESCROWED');
  const { cancel_invoice_id } = await moved(api, escrow.id, 'cancel', 'CANCELLED');
  const waiting = (after: string | null): Promise<Item> =>
    until('the refund is parked', async () =>
      (await open()).items.find(
        (item) => item.resource_id === cancel_invoice_id && item.id !== after,
      ),
    );
  const first = await waiting(null);
  assert.deepEqual([first.kind, first.why], ['parked_remittance', 'refused']);
  assert.deepEqual(first.decisions, ['retry', 'accept']);
  const again = await resolve(first.id, { decision: 'retry' }, 'once more');
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(again.payload, { id: first.id, kind: 'parked_remittance', state: 'replaced' });
  assert.equal((await resolve(first.id, { decision: 'retry' }, 'once more')).text, again.text);
  const second = await waiting(first.id);
  assert.equal((await api.read(cancel_invoice_id)).state, 'processing');
  await proved(platform.db);
  const accepted = await resolve(second.id, { decision: 'accept' });
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal((await api.finished(cancel_invoice_id)).state, 'success');
  await proved(platform.db);
});

test('a cancelled escrow whose charge was charged back: nobody loses money', async () => {
  const { api, db } = platform;
  const { account_id } = await api.register('statement_taken');
  const method = await api.attach(account_id, 'refund_declined');
  const held = async (): Promise<bigint> =>
    (await one<{ n: bigint }>(
      `select coalesce(sum(p.amount), 0)::int8 as n from posting p join ledger_account a
        on a.id = p.account_id where a.kind in ('integrator_share', 'reversals')`,
      [],
    ))?.n ?? 0n;
  const before = await held();
  const escrow = await openEscrow(api, 700, [{ payment_method_id: method }], { account_id });
  await moved(api, escrow.id, 'pay', 'ESCROWED');
  const charge = await one<{ id: string }>('select id from attempt where resource_id = $1', [
    escrow.escrow_invoice_id,
  ]);
  const key = charge?.id ?? '';
  const { cancel_invoice_id } = await moved(api, escrow.id, 'cancel', 'CANCELLED');
  const item = await until('the refund is parked', async () =>
    (await open()).items.find((each) => each.resource_id === cancel_invoice_id),
  );
  assert.deepEqual([item.kind, item.why], ['parked_remittance', 'refused']);
  assert.equal(await outside(key, 'chargeback'), true);
  assert.equal(await verdictOf(key, 'chargeback'), 'matched reversal');
  assert.equal(await held(), before - 700n, 'nothing is held any more: the integrator bears it');
  const disputed = async (...decisions: string[]): Promise<void> => {
    for (const decision of decisions) {
      const { status, codes } = await resolve(item.id, { decision });
      assert.deepEqual([status, codes], [400, ['PARKED_DISPUTED']], decision);
    }
  };
  await disputed('accept', 'retry');
  assert.equal(await outside(key, 'dispute_lost'), true);
  assert.equal(await verdictOf(key, 'dispute_lost'), 'matched dispute');
  await disputed('retry');
  assert.equal((await resolve(item.id, { decision: 'accept' })).status, 200);
  assert.equal((await api.finished(cancel_invoice_id)).state, 'success');
  assert.equal(await held(), before, 'the buyer has the money once, and nobody lost any');
  await proved(db);
});

test('a capture that the processor does not give back is shown until it does', async () => {
  const { api, db } = platform;
  const { account_id } = await api.register('statement_kept');
  const kept = await api.attach(account_id, 'refund_declined');
  const bank = await api.attach(account_id, 'bank');
  const methods = [
    { payment_method_id: kept, amount: 300 },
    { payment_method_id: bank, amount: 0 },
  ];
  const invoice = await api.created(api.sale(700, methods, { account_id }));
  await api.pay(invoice);
  const keyIn = (method: string, state: string): Promise<string> =>
    until(`one ${state}`, async () => {
      const text = `select id from attempt
        where resource_id = $1 and payment_method_id = $2 and state = $3`;
      return (await one<{ id: string }>(text, [invoice, method, state]))?.id;
    });
  const key = await keyIn(kept, 'captured');
  const lost = await keyIn(bank, 'capturing');
  await until('the bank says no', async () => (await outside(lost, 'fail')) || null);
  assert.equal((await api.finished(invoice)).state, 'failed');
  const item = await parked(key);
  assert.deepEqual([item.kind, item.why, item.amount], ['parked_charge', 'refused', 300]);
  assert.match(await verdictOf(key, 'capture'), /^matched /);
  const late = await resolve(key, { decision: 'accept' });
  assert.deepEqual([late.status, late.codes], [400, ['PARKED_TOO_LATE']]);
  const again = await resolve(key, { decision: 'give_back' });
  assert.deepEqual(again.payload, { id: key, kind: 'parked_charge', state: 'reversing' });
  await settled(db, WITHIN_MS);
  await parked(key);
  await script(kept, 'reverse', 'honest');
  assert.equal((await resolve(key, { decision: 'give_back' })).status, 200);
  assert.equal(await verdictOf(key, 'refund'), 'matched reversed');
  await proved(db);
});

test('a returned bank debit and a dispute: success stays, with entries beside it', async () => {
  for (const [card, event] of [
    ['bank_settled', 'return'],
    ['visa', 'chargeback'],
  ] as const) {
    const { invoice, key } = await sold(card);
    assert.equal((await platform.api.finished(invoice)).state, 'success');
    const before = await platform.api.send('invoicing', 'GET', `/v2/invoice/${invoice}`);
    assert.equal(await outside(key, event), true);
    assert.equal(await verdictOf(key, event), 'matched reversal');
    const now = await platform.api.send('invoicing', 'GET', `/v2/invoice/${invoice}`);
    assert.equal(now.text, before.text, 'byte for byte');
  }
});

test('a statement row under an unknown key is shown until an operator explains it', async () => {
  await platform.db.execute({
    text: `insert into processor_statement (workspace, key, reference, kind, amount, currency)
      values ($1, 'nobody', 'ch_nobody', 'capture', 55, 'USD')`,
    values: [workspace],
  });
  const item = await until('the difference', async () =>
    (await open()).items.find((one_item) => one_item.why === 'unknown_key'),
  );
  assert.deepEqual([item.kind, item.amount, item.decisions], ['difference', 55, ['explained']]);
  const bare = await resolve(item.id, { decision: 'explained' });
  assert.deepEqual([bare.status, bare.codes], [400, ['NOTE_REQUIRED']]);
  const note = 'a till of ours used the wrong key';
  const told = await resolve(item.id, { decision: 'explained', note });
  assert.equal(told.status, 200, told.text);
  const step = await one<{ actor: string; detail: string }>(
    `select actor, detail from history where resource_id = $1 and to_state = 'explained'`,
    [item.id],
  );
  assert.match(step?.actor ?? '', /^client:/);
  assert.deepEqual(JSON.parse(step?.detail ?? ''), { note });
});

test('the webhooks of all this were accepted, each once', async () => {
  await until('the last notice', async () => {
    const left = await one('select from processor_notice where remaining > 0', []);
    return left === undefined ? true : null;
  });
  const seen = await one<{ n: bigint }>('select count(*) as n from processor_notice_seen', []);
  assert.ok((seen?.n ?? 0n) >= 8n, String(seen?.n));
});

test('in the end nothing is open, every row has its verdict, and every law holds', async () => {
  await settled(platform.db, WITHIN_MS);
  await until('the last verdict', async () => {
    const waiting = await one(`select from statement_line where verdict = 'waiting'`, []);
    return waiting === undefined ? true : null;
  });
  const short = (await open()).items;
  assert.deepEqual([...new Set(short.map(({ kind }) => kind))], ['waiting_reversal']);
  const amount = short.reduce((sum, item) => sum + item.amount, 0);
  const body = { integrator: true, currency: 'USD', amount };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
  const { counts } = await until('the reversals are covered', async () => {
    const now = await open();
    return now.items.length === 0 ? now : null;
  });
  assert.ok(Object.values(counts).every((count) => count === 0));
  await proved(platform.db);
});
