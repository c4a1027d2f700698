// Sellers' accounts at Stripe: opened once whatever goes wrong, read as they are, and told about by
// webhooks that only say whom to ask about. [EV6, G-91]
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { newUuid } from '../../core/ids.ts';
import type { PayeeOutcome } from '../payees/port.ts';
import type { Account } from '../../../test/kit/stripe/account.ts';
import {
  connectTo,
  secretOf,
  stripeBench,
  WEBHOOK_SECRET,
  type StripeBench,
} from '../../../test/kit/stripe/bench.ts';
import { changeSeller, closeSeller } from '../../../test/kit/stripe/connect.ts';
import type { Event } from '../../../test/kit/stripe/objects.ts';
import { FAULTS, type Call } from '../../../test/kit/stripe/server.ts';

const [HERE, THERE] = [7, 8];
const BACK = { returnUrl: 'http://127.0.0.1/done', refreshUrl: 'http://127.0.0.1/again' };
let bench: StripeBench;
let account: Account;
let hasty: ReturnType<typeof connectTo>;
before(async () => {
  bench = await stripeBench();
  account = bench.server.account(secretOf(HERE));
  hasty = connectTo(bench.server, HERE, 400);
});
after(async () => {
  await hasty.close();
  await bench.close();
});

const order = (country = '') => ({ workspace: HERE, key: newUuid(), country });

/** The reference of an open account. */
function referenceOf(outcome: PayeeOutcome): string {
  assert.ok(outcome.state === 'open', outcome.state);
  return outcome.reference;
}

test('an account is opened once, and takes payouts when nothing is due', async () => {
  const { payees } = hasty;
  const one = order('FI');
  const opened = await payees.open(one);
  const reference = referenceOf(opened);
  assert.deepEqual(await payees.open(one), opened);
  assert.ok(opened.state === 'open' && !opened.payable && opened.due.length > 0);
  assert.equal(account.sellers.get(reference)?.country, 'FI');
  const page = await payees.page(HERE, reference, BACK);
  assert.match(page?.url ?? '', /\/setup\//);
  changeSeller(account, reference, []);
  const ready = { state: 'open', reference, payable: true, due: [] };
  assert.deepEqual(await payees.retrieve(HERE, reference), ready);
  const seller = changeSeller(account, reference, ['individual.id_number']);
  const due = { ...ready, payable: false, due: ['individual.id_number'] };
  assert.deepEqual(await payees.retrieve(HERE, reference), due);
  changeSeller(account, reference, []);
  seller.requirements = { currently_due: [], disabled_reason: 'rejected.fraud' };
  assert.deepEqual(await payees.retrieve(HERE, reference), { ...ready, payable: false });
});

test("an account that is closed, and another platform's, is closed", async () => {
  const reference = referenceOf(await hasty.payees.open(order()));
  const other = connectTo(bench.server, THERE);
  assert.deepEqual(await other.payees.retrieve(THERE, reference), { state: 'closed' });
  assert.equal(await other.payees.page(THERE, reference, BACK), null);
  await other.close();
  closeSeller(account, reference);
  assert.deepEqual(await hasty.payees.retrieve(HERE, reference), { state: 'closed' });
});

test('a country that Stripe does not serve is refused', async () => {
  assert.deepEqual(await hasty.payees.open(order('Finland')), { state: 'refused' });
});

const nameOf = ({ method, route }: Call): string => `${method} ${route}`;
for (const fault of FAULTS.filter((one) => one !== 'wrong_mode')) {
  test(`${fault} while one is opened and read: there is one all the same`, async () => {
    const { payees } = hasty;
    const asked = order();
    const once = (name: string): void =>
      bench.server.misbehave((call, nth) => (nameOf(call) === name && nth === 1 ? fault : null));
    once('POST /v1/accounts');
    let outcome = await payees.open(asked);
    for (let tries = 0; tries < 3 && outcome.state !== 'open'; tries += 1) {
      assert.equal(outcome.state, 'unknown');
      outcome = await payees.open(asked);
    }
    const reference = referenceOf(outcome);
    const made = [...account.sellers.values()].filter(
      ({ metadata }) => metadata.holdfast_key === asked.key,
    );
    assert.equal(made.length, 1);
    once('GET /v1/accounts/:id');
    // A closed connection is tried once more by Stripe's package.
    const told = (await payees.retrieve(HERE, reference)).state;
    assert.equal(told, fault.startsWith('reset') ? 'open' : 'unknown');
    once('POST /v1/account_links');
    const page = await payees.page(HERE, reference, BACK);
    assert.equal(page !== null, fault.startsWith('reset'));
    bench.server.misbehave(() => null);
  });
}

test('a webhook about a seller names the account, whatever else it says', () => {
  const heard: Event[] = [];
  account.listen((event) => heard.push(event));
  const seller = [...account.sellers.keys()][0] ?? '';
  changeSeller(account, seller, []);
  account.tell('payout.failed', { id: 'po_1', metadata: { holdfast_key: 'k' } }, {}, seller);
  account.listen(() => {});
  for (const event of heard) {
    const body = Buffer.from(JSON.stringify(event));
    const time = Math.floor(Date.now() / 1_000);
    const mark = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex');
    const headers = { 'stripe-signature': `t=${time},v1=${mark}` };
    const notice = { workspace: HERE, id: event.id, key: seller, about: 'payee' };
    assert.deepEqual(hasty.processor.readNotice({ headers, body }, HERE), notice);
    const forged = { headers: { 'stripe-signature': `t=${time},v1=00` }, body };
    assert.equal(hasty.processor.readNotice(forged, HERE), null);
  }
  assert.equal(heard.length, 2);
});
