// What is done at a sandbox before its dump is written: the stories of the demo, every event that
// `holdfast trigger` knows, and what neither of them comes by.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../../scripts/demo/platform.ts';
import { STORIES } from '../../scripts/demo/stories.ts';
import { EVENT_RECIPES } from '../../src/cli/event-recipes.ts';
import { speak } from '../cli/terminal.ts';
import { Api, type Ready } from '../kit/api.ts';
import { authorize, buyerOf, makeOf } from '../kit/checkout.ts';

/** Plays everything; `folder` is for files on the way. */
export async function walk(platform: Platform, folder: string): Promise<void> {
  const ready = platform.ready as unknown as Ready;
  const api = await Api.open(ready);
  for (const play of Object.values(STORIES)) {
    for await (const step of play(platform)) assert.ok(step.title);
    // Of the first story alone: later the rows are many.
    if (play === STORIES.sale) await post(api, '/sandbox/snapshots', {});
  }
  await playTriggers(ready);
  await playBuyer(api);
  await playOperator(platform, ready, folder);
  await leavePending(api);
}

function post<T>(api: Api, path: string, body: object): Promise<T> {
  return api.must(201, 'invoicing', 'POST', path, { body });
}

async function playTriggers(ready: Ready): Promise<void> {
  const hosts = Object.entries(ready.urls).map(([host, url]) => [
    `HOLDFAST_URL_${host.toUpperCase()}`,
    url,
  ]);
  const env = {
    ...(Object.fromEntries(hosts) as Record<string, string>),
    HOLDFAST_URL: ready.urls.invoicing,
    HOLDFAST_CLIENT_ID: ready.client.client_id,
    HOLDFAST_CLIENT_SECRET: ready.client.client_secret,
  };
  for (const name of Object.keys(EVENT_RECIPES)) {
    const { code, err } = await speak(env, 'trigger', '--json', name);
    assert.deepEqual([code, err], [0, ''], name);
  }
}

/** A buyer in a flow, who agrees to the terms and pays what was authorized. */
async function playBuyer(api: Api): Promise<void> {
  const { buyer } = api.ready.accounts;
  const authorized = await authorize(api, api.sale(900, [], { account_id: buyer.account_id }));
  const session = await buyerOf(api, authorized);
  const methods = [{ payment_method_id: buyer.wallet_payment_method_id }];
  const made = await makeOf(session, 'invoice', authorized.authorized_invoice_id, methods);
  assert.equal(made.status, 201, made.text);
}

async function playOperator(platform: Platform, ready: Ready, folder: string): Promise<void> {
  const list = join(folder, 'watched.txt');
  writeFileSync(list, 'Wanda Watched;1970-01-01\n');
  await platform.holdfast('watch-list', 'load', list, '--integrator', ready.integrator);
  const account = ready.accounts.seller.account_id;
  await platform.holdfast('person', 'hold', account, '--reason', 'court_order');
}

/** What is under way when the sandbox ends: scripts, payments without an answer, receivers. */
async function leavePending(api: Api): Promise<void> {
  const { account_id, card_payment_method_id: card } = api.ready.accounts.buyer;
  await post(api, '/sandbox/receivers', { events: ['invoice-completed'] });
  for (const scenario of ['declined_but_captured', 'captured_twice', 'settles_late']) {
    const on = { scenario, payment_method_id: card };
    await post(api, '/sandbox/scenarios', on);
    const body = api.sale(700, [{ payment_method_id: card }], { account_id });
    await api.pay(await api.created(body));
  }
  const script = { counterparty: 'vendor', exchange: 'honest', times: 1 };
  await post(api, '/sandbox/scripts', script);
}
