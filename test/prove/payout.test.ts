// Payouts in a real browser: identity first, a price before the press, one request however often it
// is pressed, cancelled from the list, and refusals that say what to do; to an IBAN where the
// seller's country has one. [G-43, G-76, G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { arrive, fillIn, newcomer, type Place } from '../browser/person.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

interface Payout {
  readonly payout_status_id: string;
  readonly status: string;
  readonly amount: number;
}

/** A fresh account with money, a bank account, and an identity unless told. */
async function earner(
  flow: string,
  { cents = 8_000, kyc = 'ACCEPT', bank = true, country = 'US' } = {},
) {
  const { api } = bench.platform;
  const made = await newcomer(bench, flow, {}, country);
  if (kyc !== '') await api.setKyc(made.account_id, { state: kyc });
  if (cents > 0) await api.fund(made.account_id, cents);
  const id = bank ? await api.attach(made.account_id, 'bank') : '';
  return { ...made, bank: id };
}

function payoutsOf(account: string): Promise<readonly Payout[]> {
  return bench.platform.api.must(200, 'invoicing', 'GET', `/v2/${account}/payouts`);
}

test('identity first, then a payout with its price, asked for once', async () => {
  const visitor = await bench.visitor();
  const { account_id, redirect, bank } = await earner('payout', { kyc: '' });
  const frame = await visitor.begin({ flow: 'payout', redirect });
  await arrive(frame, 'screen-kyc-country');
  assert.match((await hook(frame, 'screen-kyc-country').textContent()) ?? '', /your identity/);
  await fillIn(frame);
  await hook(frame, 'kyc-submit').click();
  await hook(frame, 'continue').click();
  await hook(frame, 'screen-payout').waitFor();
  await everybodyCanUse(visitor.page);
  await hook(frame, 'payout-next').click();
  assert.equal(await hook(frame, 'amount').getAttribute('aria-invalid'), 'true');
  await hook(frame, 'amount').fill('80.01');
  assert.match((await hook(frame, 'screen-payout').textContent()) ?? '', /You have USD 80\.00/);
  await hook(frame, 'amount').fill('25');
  await hook(frame, 'price').waitFor();
  await hook(frame, 'amount').press('Enter');
  await hook(frame, 'screen-payout-confirm').waitFor();
  await everybodyCanUse(visitor.page);
  assert.equal(await hook(frame, 'payout').textContent(), 'Pay out USD 24.75');
  await hook(frame, 'payout').dblclick();
  await hook(frame, 'screen-payout-requested').waitFor();
  await everybodyCanUse(visitor.page);
  await hook(frame, 'done').click();
  const { state, id, pm_state, payout_status_id } = await visitor.hears('complete');
  assert.deepEqual([state, id, pm_state], ['complete', bank, 'ACTIVE']);
  const made = await payoutsOf(account_id);
  assert.deepEqual(made.map((one) => [one.payout_status_id, one.amount]), [
    [payout_status_id, 2_500],
  ]);
});

test('everything by one press; a pending payout is cancelled', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { account_id, redirect, bank } = await earner('payout-full');
  const frame = await visitor.begin({
    flow: 'payout-full',
    redirect,
    theme: { backgroundColor: '#14161c', primaryColor: '#8b7bff' },
    dir: 'rtl',
  });
  await arrive(frame, 'screen-payout');
  assert.equal(await hook(frame, 'pending-payouts').count(), 0);
  await hook(frame, 'amount-all').click();
  assert.equal(await hook(frame, 'amount').inputValue(), '80.00');
  await hook(frame, 'price').waitFor();
  await everybodyCanUse(visitor.page);
  await hook(frame, `method-${bank}`).check();
  await hook(frame, 'payout-next').click();
  await hook(frame, 'payout').click();
  await hook(frame, 'done').click();
  await visitor.hears('complete');
  const again = await bench.link('payout-full', { account_id });
  const frame2 = await visitor.begin({ flow: 'payout-full', redirect: again });
  await arrive(frame2, 'screen-payout');
  await hook(frame2, 'payout-empty').waitFor();
  await everybodyCanUse(visitor.page);
  await hook(frame2, 'payout-cancel').click();
  await hook(frame2, 'payout-cancel-dialog-confirm').click();
  await hook(frame2, 'balance').waitFor();
  assert.match((await hook(frame2, 'pending-payouts').textContent()) ?? '', /in your balance/);
  const [made] = await payoutsOf(account_id);
  assert.equal(made?.status, 'SUPPORT-REJECTED');
});

test('a fixed amount, no balance shown, and a bank account that is added here', async () => {
  const visitor = await bench.visitor();
  const { redirect } = await earner('payout-full', { bank: false });
  const frame = await visitor.begin({
    flow: 'payout-full',
    redirect,
    flowConfig: { fixedAmount: 1_000, currency: 'USD', hideWalletBalance: true },
  });
  await arrive(frame, 'screen-payout');
  assert.equal(await hook(frame, 'balance').count(), 0);
  assert.match((await hook(frame, 'amount').textContent()) ?? '', /10\.00/);
  await hook(frame, 'payout-next').click();
  assert.match((await hook(frame, 'methods').textContent()) ?? '', /add one/);
  await hook(frame, 'add-bank').click();
  const form = frame.frameLocator('[data-test="entry-frame"] iframe');
  await form.locator('[data-test="hint"]').first().click();
  await form.locator('[data-test="bank-save"]').click();
  await hook(frame, 'price').waitFor();
  await hook(frame, 'payout-next').click();
  assert.equal(await hook(frame, 'payout').textContent(), 'Pay out USD 9.90');
  await hook(frame, 'back').click();
  await hook(frame, 'cancel').click();
  assert.equal((await visitor.hears('complete'))['state'], 'cancel');
});

test('money or an identity lost meanwhile is explained in words', async () => {
  const { api } = bench.platform;
  const visitor = await bench.visitor();
  visitor.expect(/status of 400/);
  const { account_id, redirect, bank } = await earner('payout', { cents: 2_000 });
  const frame = await visitor.begin({
    flow: 'payout',
    redirect,
    flowConfig: { section: { label: null }, selectButton: { label: 'Choose' } },
  });
  await arrive(frame, 'screen-payout');
  await hook(frame, 'amount-all').click();
  await hook(frame, 'price').waitFor();
  assert.equal(await hook(frame, 'payout-next').textContent(), 'Choose');
  await hook(frame, 'payout-next').click();
  await api.must(201, 'invoicing', 'POST', `/v2/${account_id}/payout`, {
    body: {
      source_payment_method_id: await walletOf(account_id),
      destination_payment_method_id: bank,
      amount: 1_500,
      currency: 'USD',
    },
  });
  await hook(frame, 'payout').click();
  await hook(frame, 'problem').waitFor();
  assert.match((await hook(frame, 'problem').textContent()) ?? '', /balance is lower now/);
  await api.setKyc(account_id, { state: 'DENY' });
  await hook(frame, 'payout').click();
  await hook(frame, 'screen-kyc-failed').waitFor();
  await everybodyCanUse(visitor.page);
});

async function walletOf(account: string): Promise<string> {
  type Method = { id: string; provider: string; processing_currency: string };
  const path = `/v1/${account}/payment_methods`;
  const methods = await bench.platform.api.must<Method[]>(200, 'payments', 'GET', path);
  const isDollars = (one: Method) => one.provider === 'wallet' && one.processing_currency === 'USD';
  return methods.find(isDollars)?.id ?? '';
}

/** What the list of methods offers to add. */
async function adds(place: Place): Promise<string[]> {
  const rows = await place.locator('[data-test^="add-"]').all();
  return Promise.all(rows.map(async (row) => (await row.getAttribute('data-test')) ?? ''));
}

test('where nothing reaches a country, the page says so and what to do', async () => {
  const visitor = await bench.visitor();
  const { redirect } = await earner('payout', { bank: false, country: 'BR' });
  await visitor.page.route('**/payout_ways?**', (route) =>
    route.fulfill({ json: { status: 'Success', payload: { country: 'BR', ways: [] } } }),
  );
  const frame = await visitor.begin({ flow: 'payout', redirect });
  await arrive(frame, 'screen-payout');
  const said = (await hook(frame, 'no-way').textContent()) ?? '';
  assert.match(said, /No bank account in Brazil can be added here.*Ask the shop/);
  assert.deepEqual(await adds(frame), []);
  await everybodyCanUse(visitor.page);
});

test('a seller whom the processor pays gives the account on its page, and comes back', async () => {
  const visitor = await bench.visitor();
  const { redirect } = await earner('payout', { bank: false, country: 'DE' });
  let finished = false;
  const answer = (payload: unknown) => ({ json: { status: 'Success', payload } });
  const { page, context } = visitor;
  // Of a tenant whose processor keeps accounts of sellers; the simulator's does not.
  await page.route('**/payout_ways?**', (route) =>
    route.fulfill(answer({ country: 'DE', ways: ['payee'] })),
  );
  await page.route('**/v1/payee/link', (route) =>
    route.fulfill(answer({ url: `${bench.shop}/payee` })),
  );
  await page.route('**/payment_methods**', async (route) => {
    const { payload } = (await (await route.fetch()).json()) as { payload: object[] };
    const made = { ...payload[0], id: crypto.randomUUID(), provider: 'payee' };
    await route.fulfill(answer(finished ? [...payload, made] : payload));
  });
  const frame = await visitor.begin({ flow: 'payout', redirect });
  await arrive(frame, 'screen-payout');
  await hook(frame, 'add-payee').waitFor();
  assert.deepEqual(await adds(frame), ['add-payee']);
  await hook(frame, 'add-payee').click();
  await hook(frame, 'screen-add-payee').waitFor();
  await everybodyCanUse(page);
  const leave = async (): Promise<void> => {
    const opening = context.waitForEvent('page');
    await hook(frame, 'continue').click();
    const away = await opening;
    await away.waitForURL(`${bench.shop}/payee`);
    await away.close();
  };
  await leave();
  await hook(frame, 'problem').waitFor();
  await everybodyCanUse(page);
  finished = true;
  await leave();
  await hook(frame, 'amount').fill('25');
  await hook(frame, 'payout-next').waitFor();
  assert.equal(await frame.getByRole('radio').count(), 1);
});
