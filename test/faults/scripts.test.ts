// The processor's bad days, scripted: answers that are lost, late, broken, busy or about other
// money. Each payment ends as the processor's book says; where the book is at odds with the
// order, nobody is credited and the payment waits for a person. [M8, M13, campaign U]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { queueScript } from '../../src/adapters/sandbox-processor/script.ts';
import type { ChargeOperation } from '../../src/adapters/sandbox-processor/protocol.ts';
import { proved, reconciled, sealed } from '../kit/books.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';

interface Trouble {
  readonly operation: ChargeOperation;
  readonly exchange: string;
  readonly times?: number;
}

/** Troubles after which the payment must end in success with exactly one capture. */
const PASSING: readonly (readonly Trouble[])[] = [
  [{ operation: 'authorize', exchange: 'fault_before_effect' }],
  [{ operation: 'authorize', exchange: 'fault_after_effect' }],
  [{ operation: 'authorize', exchange: 'garbled_after_effect' }],
  [{ operation: 'authorize', exchange: 'busy', times: 2 }],
  [{ operation: 'capture', exchange: 'fault_before_effect' }],
  [{ operation: 'capture', exchange: 'fault_after_effect' }],
  [{ operation: 'capture', exchange: 'garbled_after_effect' }],
  [{ operation: 'capture', exchange: 'busy', times: 2 }],
  [
    { operation: 'authorize', exchange: 'timeout_after_effect' },
    { operation: 'look', exchange: 'timeout_after_effect' },
  ],
  [
    { operation: 'capture', exchange: 'timeout_after_effect' },
    { operation: 'look', exchange: 'garbled_after_effect' },
    { operation: 'look', exchange: 'busy' },
  ],
  // The first call lands long after a later one under the same key has done everything.
  [{ operation: 'authorize', exchange: 'late_effect' }],
  [{ operation: 'capture', exchange: 'late_effect' }],
];

/** After these our order and the processor's book disagree about the money. */
const AT_ODDS: readonly Trouble[] = [
  { operation: 'capture', exchange: 'one_less' },
  { operation: 'capture', exchange: 'other_currency' },
];

const END_WITHIN_MS = 30_000;
const LATE_MS = 16_000;
const PRICE = 500;

let platform: Platform;
before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_PROCESSOR_TIMEOUT_MS: '1000' } });
});
after(() => platform.stop());

/** Sells to a fresh buyer whose card meets the troubles; gives the invoice. */
async function sellWith(troubles: readonly Trouble[], name: string): Promise<string> {
  const { api, db } = platform;
  const { account_id } = await api.register(name);
  const card = await api.attach(account_id, 'visa');
  const rows = await db.query<{ world: number; token: string }>({
    text: 'select world, processor_token as token from payment_method where id = $1',
    values: [card],
  });
  const { world = 0, token = '' } = rows[0] ?? {};
  for (const { operation, exchange, times = 1 } of troubles) {
    await queueScript(db, world, { operation, exchange, times, token });
  }
  const body = api.sale(PRICE, [{ payment_method_id: card }], { account_id });
  const id = await api.created(body);
  assert.equal((await api.pay(id)).status, 200);
  return id;
}

async function linesOf(invoice: string): Promise<string[]> {
  const rows = await platform.db.query<{ line: string }>({
    text: `select s.kind || ' ' || s.amount || ' ' || s.currency as line from processor_statement s
      join attempt a on a.id::text = s.key where a.resource_id = $1 order by s.line`,
    values: [invoice],
  });
  return rows.map((row) => row.line);
}

test('lost, broken, busy and late answers: success, captured once and for all', async () => {
  const started = Date.now();
  const ends = PASSING.map(async (troubles, at) => {
    const id = await sellWith(troubles, `passing-${at}`);
    const seen = await platform.api.finished(id, END_WITHIN_MS);
    assert.equal(seen.state, 'success', JSON.stringify(troubles));
    return id;
  });
  const ids = await Promise.all(ends);
  const left = LATE_MS - (Date.now() - started);
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  for (const id of ids) assert.deepEqual(await linesOf(id), [`capture ${PRICE} USD`]);
  await sealed(platform.db);
  await reconciled(platform.db);
});

test('another amount or currency than ordered: parked, and nobody is credited', async () => {
  const { api, db } = platform;
  const { seller } = api.ready.accounts;
  const before = await api.money(seller.account_id);
  for (const [at, trouble] of AT_ODDS.entries()) {
    const id = await sellWith([trouble], `odds-${at}`);
    const deadline = Date.now() + END_WITHIN_MS;
    for (;;) {
      const rows = await db.query<{ state: string; jobs: bigint }>({
        text: `select state, (select count(*) from attempt_job j where j.attempt_id = a.id) as jobs
          from attempt a where resource_id = $1`,
        values: [id],
      });
      if (rows[0]?.state === 'parked' && rows[0].jobs === 0n) break;
      assert.ok(Date.now() < deadline, `not parked but ${rows[0]?.state}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    assert.equal((await api.read(id)).state, 'processing');
  }
  assert.deepEqual(await api.money(seller.account_id), before);
  await proved(db);
});
