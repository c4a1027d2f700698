// Browser logins and the way back: in a window opened by a frame, and from a page of its own, which
// still knows afterwards where to send the person.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hook, openBench, type Bench } from '../browser/kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

const DETAILS = { transactionDetails: { transaction_amount: '1250', currency: 'USD' } };

test('from a frame a window opens, returns and closes; the method is there', async () => {
  const visitor = await bench.visitor();
  const redirect = await bench.link('purchase');
  const frame = await visitor.begin({ flow: 'purchase', redirect, flowConfig: DETAILS });
  await hook(frame, 'agree-switch').click();
  await hook(frame, 'agree-accept').click();
  await hook(frame, 'add-paypal').click();
  const opening = visitor.context.waitForEvent('page');
  await hook(frame, 'continue').click();
  const login = await opening;
  assert.equal(new URL(login.url()).origin, bench.platform.ready.urls.processor);
  const gone = login.waitForEvent('close');
  await hook(login, 'login-approve').click();
  await gone;
  await hook(frame, 'select-method').click();
  const result = await visitor.hears('complete');
  assert.equal(result['state'], 'complete', JSON.stringify(result));
  assert.equal(result['event'], 'service.purchase.complete');
});

test('closing the window without a login leaves the flow where it was', async () => {
  const visitor = await bench.visitor();
  const redirect = await bench.link('purchase');
  const frame = await visitor.begin({ flow: 'purchase', redirect, flowConfig: DETAILS });
  await hook(frame, 'add-paypal').click();
  const opening = visitor.context.waitForEvent('page');
  await hook(frame, 'continue').click();
  visitor.expect(/400 \(Bad Request\)/);
  await (await opening).close();
  await frame.getByText('The login was not completed').waitFor();
  assert.deepEqual((await visitor.heard()).complete, []);
});

test('a page of its own leaves and returns, and still knows where it ends', async () => {
  const visitor = await bench.visitor();
  const back = `${bench.shop}/back?order=7`;
  const link = await bench.link('purchase', { mechanism: 'service_hosted' });
  await visitor.page.goto(`${link}?returnUrl=${encodeURIComponent(back)}`);
  await hook(visitor.page, 'continue').click();
  await hook(visitor.page, 'add-paypal').click();
  await hook(visitor.page, 'continue').click();
  await hook(visitor.page, 'login-approve').click();
  await visitor.page.waitForURL(/entry_id=/);
  const done = visitor.page.waitForURL((url) => url.origin === bench.shop);
  await hook(visitor.page, 'select-method').click();
  await done;
  const { searchParams } = new URL(visitor.page.url());
  assert.equal(searchParams.get('order'), '7');
  assert.equal(searchParams.get('state'), 'complete');
});
