// The vendor's own page in a real browser: it opens in a window of its own, and the page in which
// the form was shows the result once the person is back. No script of the vendor runs on ours.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { arrive, fillIn, newcomer } from '../browser/person.ts';
import { submission } from '../kit/identity.ts';
import { connectStripeIdentity, type StripeIdentity } from '../kit/stripe/identity-platform.ts';

let bench: Bench;
let stripe: StripeIdentity;
before(async () => {
  bench = await openBench();
  stripe = await connectStripeIdentity(bench.platform);
});
after(async () => {
  await bench.stop();
  await stripe.server.close();
});

/** The process follows within seconds; until then the simulator answers. */
async function followed(): Promise<void> {
  const { api } = bench.platform;
  while (stripe.server.calls.length === 0) {
    const { account_id } = await api.register(`early ${crypto.randomUUID()}`);
    const wish = { body: { account_id, return_token: true } };
    type Given = { token: { access_token: string } };
    const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
    const call = { body: submission(), token: token.access_token };
    await api.must(200, 'pii', 'POST', '/v2/kyc', call);
    await delay(500);
  }
}

test('from the form to the vendor in another window, and back to the acceptance', async () => {
  await followed();
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  // The stand-in has no page to show; and who is back may find that the vendor has decided.
  visitor.expect(/\/start\/vs_|favicon\.ico|\/kyc\/vendor_page/);
  const { redirect } = await newcomer(bench, 'kyc', { mechanism: 'service_hosted' });
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-kyc-country');
  await fillIn(page);
  await hook(page, 'kyc-submit').click();
  await hook(page, 'screen-kyc-vendor').waitFor();
  await everybodyCanUse(page);
  const coming = page.waitForEvent('popup');
  await hook(page, 'kyc-vendor-go').click();
  const window = await coming;
  await window.waitForURL(`${stripe.server.url}/start/**`);
  assert.equal(new URL(page.url()).origin, new URL(redirect).origin, 'ours stays where it was');
  const key = [...stripe.book.sessions.values()].at(-1)?.client_reference_id ?? '';
  const shows = { first_name: 'ZOE', last_name: 'EXAMPLE', dob: '1990-02-28' };
  stripe.book.visit(key, { status: 'verified', shows });
  await window.close();
  assert.equal(await stripe.notify(stripe.events.at(-1) ?? {}), 200);
  await hook(page, 'screen-kyc-accepted').waitFor();
  await hook(page, 'continue').click();
  await hook(page, 'screen-end').waitFor();
});
