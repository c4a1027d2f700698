// Escrows at the console: where the money is and what comes next, parts and milestones that people
// move, disagreements that they divide, each once, in twos from the limit on, and never their own;
// and what `explain` says of it in plain words. [G-88, G-94 to G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Explanation } from '../../src/product/tell/explain/index.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine, saleLine, type Body } from '../api/market.ts';
import { run } from '../cli/terminal.ts';
import { signedIn, type Browser, type Page } from '../console/kit.ts';
import { proved } from '../kit/books.ts';
import { dataUri, png } from '../kit/sample-files.ts';
import { until } from '../kit/until.ts';

const LIMIT = 10_000;
const DAY_MS = 86_400_000;
const OPENS = { opened_by: 'buyer', reason: 'damaged' };
let platform: Platform;
let market: Market;
let anna: Browser;
let sven: Browser;
let rita: Browser;
const ids: Record<string, string> = {};

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const { db, keys } = platform;
  const services = { db, keys, random: systemRandom, env: 'staging' } as const;
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const made = await createOperator(services, wish, 'operator');
  ids[username] = made.id;
  return signedIn(platform.ready.urls.console, made);
}

before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
  const { url: DATABASE_URL, keyFile: HOLDFAST_KEY_FILE, ready } = platform;
  const limit = ['second-person', ready.integrator, '--currency', 'USD', '--from', `${LIMIT}`];
  const set = await run({ DATABASE_URL, HOLDFAST_KEY_FILE }, 'tenant', ...limit);
  assert.equal(set.code, 0, set.err);
  anna = await operator('anna', ['accountant']);
  sven = await operator('sven', ['supervisor']);
  rita = await operator('rita', ['viewer']);
  await until('the limit is known', async () => {
    return (await anna.get('/money')).text.includes('100.00 USD') || null;
  });
  await platform.api.fund(ready.accounts.buyer.account_id, 500_000);
});
after(() => platform?.stop());

async function says(answer: Promise<Page> | Page, status: number, ...words: string[]) {
  const page = await answer;
  assert.equal(page.status, status, page.text);
  const text = page.text.replaceAll(/\s+/g, ' ');
  for (const word of words) assert.ok(text.includes(word), `${word} is not in ${text}`);
  return page;
}

/** Fills in the form of an act and sends it. */
async function act(who: Browser, id: string, name: string, more: Body = {}): Promise<Page> {
  const path = `/objects/${id}/acts/${name}`;
  const { text } = await says(who.get(path), 200);
  const hidden = [...text.matchAll(/name="(token|seen)"\s+value="([^"]+)"/g)];
  const own = Object.fromEntries(hidden.map(([, field, value]) => [field, value ?? '']));
  return who.post(path, { ...own, reason: 'asked', ...more } as Record<string, string>);
}

interface Held {
  readonly id: string;
  readonly lines: readonly string[];
}

/** A paid escrow of a seller's line and the integrator's. */
async function held(amount: number, own: number, more: Body = {}): Promise<Held> {
  const { seller } = platform.ready.accounts;
  const line_items = [saleLine(seller.wallet_id, amount, { description: 'A table of oak' })];
  const body = market.sale(0, { line_items: [...line_items, ownLine(own)], ...more });
  type Made = { id: string; escrow_invoice_id: string };
  const made = await platform.api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${made.id}/pay`);
  const { line_items: lines } = await market.read(made.escrow_invoice_id);
  return { id: made.id, lines: Object.keys(lines) };
}

interface Escrow {
  readonly status: string;
  readonly held_amount?: number;
  readonly movements?: readonly { kind: string; amount: number; invoice_id: string }[];
}
const read = (id: string): Promise<Escrow> =>
  platform.api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}`);
const explained = (id: string): Promise<Explanation> =>
  platform.api.must(200, 'invoicing', 'GET', `/sandbox/explain/${id}`);
const dispute = (id: string, path = '', body: Body = OPENS): Promise<unknown> =>
  platform.api.must(201, 'invoicing', 'POST', `/v2/escrow/${id}/dispute${path}`, { body });

test('parts and milestones are moved, with their invoices and entries, and told', async () => {
  const soon = new Date(Date.now() + 20 * DAY_MS).toISOString().replace('Z', '000Z');
  const milestones = [{ name: 'Drawing', amount: 1_000 }, { name: 'Wood', amount: 2_000 }];
  const dated = milestones.map((one, n) => (n === 0 ? one : { ...one, release_at: soon }));
  const { id, lines: [line = '', own = ''] } = await held(5_000, 1_000, { milestones: dated });
  const limit = 'End of the holding period';
  await says(rita.get(`/objects/${id}`), 200, 'Held', '60.00 USD', 'Drawing', 'pending', limit);
  await says(anna.get(`/objects/${id}`), 200, 'Release a part', 'Return a part', 'milestone');
  await says(act(anna, id, 'release_milestone', { milestone: 'Drawing' }), 303);
  await says(act(anna, id, 'release_part', { line, amount: '5.00' }), 303);
  await says(act(anna, id, 'return_part', { line: own, amount: '2.50' }), 303);
  const { movements = [], held_amount } = await read(id);
  assert.deepEqual(movements.map(({ kind, amount }) => [kind, amount]), [
    ...[['release', 1_000], ['release', 500], ['return', 250]],
  ]);
  assert.equal(held_amount, 4_250);
  const words = ['42.50 USD', 'released to the sellers: Drawing', 'returned to the buyer'];
  const { text } = await says(rita.get(`/objects/${id}`), 200, ...words, 'escrow: USD -2.50');
  for (const { invoice_id } of movements) assert.ok(text.includes(`/objects/${invoice_id}`));
  const told = await explained(id);
  const day = soon.slice(0, 10);
  assert.ok(told.now.startsWith('Now: escrow ESCROWED (of USD 60.00: USD 15.00 released to the '
    + 'sellers, USD 2.50 returned to the buyer, USD 42.50 held); next: USD 20.00 for the milestone '
    + `"Wood" is released to the sellers at ${day}`), told.now);
  assert.match(told.now, /if nobody does anything; USD 22\.50 is returned to the buyer at .*limit/);
  assert.ok(told.timeline.some((one) => one.kind === 'transition'
    && one.facts['amount'] === 'USD 10.00' && one.facts['milestone'] === 'Drawing'));
  await says(act(anna, id, 'cancel_escrow'), 303);
  assert.equal((await read(id)).status, 'CANCELLED');
  const ended = await says(rita.get(`/objects/${id}`), 200, 'cancelled', 'Returned', '45.00 USD');
  assert.ok(!ended.text.includes(limit), 'nothing is still to come');
});

test('nobody moves more than is held, nor a part without a second person', async () => {
  const { id, lines: [line = '', own = ''] } = await held(20_000, 500);
  await says(act(anna, id, 'return_part', { line: own, amount: '5.01' }), 400, 'PART_TOO_LARGE');
  for (const wrong of [{ amount: '0' }, { amount: '' }, { line: 'x' }]) {
    const wish = { line, amount: '1.00', ...wrong };
    await says(act(anna, id, 'release_part', wish), 400, 'INVALID_FIELD');
  }
  await says(act(anna, id, 'release_part', { line, amount: '60.00' }), 303);
  // Parts of one escrow count together.
  const { location } = await says(act(anna, id, 'release_part', { line, amount: '60.00' }), 303);
  assert.match(location ?? '', /^\/money\//);
  assert.equal((await read(id)).held_amount, 14_500);
  await says(anna.post(`${location}/second`, { word: 'confirm' }), 403);
  await says(sven.get(location ?? ''), 200, 'A table of oak', '60.00 USD');
  await says(sven.post(`${location}/second`, { word: 'confirm' }), 303);
  assert.equal((await read(id)).held_amount, 8_500);
  await says(rita.get(`/objects/${id}/acts/release_part`), 403);
});

test('a disagreement is read, divided by two, and ends in the lists', async () => {
  const { id } = await held(9_000, 1_000);
  await dispute(id);
  const { buyer, seller } = platform.ready.accounts;
  const text = 'Ada wrote: the <b>leg</b> is broken.';
  await dispute(id, '/statements', { account_id: buyer.account_id, text });
  const file = dataUri('image/png', png(2, 2));
  await dispute(id, '/statements', { account_id: seller.account_id, file });
  await dispute(id, '/proposal', {
    ...{ account_id: seller.account_id, to_sellers: 9_000, to_buyer: 1_000, to_integrator: 0 },
  });
  await says(rita.get('/'), 200, 'Disagreements to decide', '/lists/open_disagreements');
  await says(rita.get('/lists/open_disagreements'), 200, `/objects/${id}`, 'none');
  const page = await says(sven.get(`/objects/${id}`), 200, 'Disagreement', 'the buyer: damaged',
    ...['Proposed by the seller', '90.00 USD to the sellers', 'a person decides'],
    'disagreement: open -&gt; open on propose (to_sellers USD 90.00',
    'divide what is held, which ends the disagreement');
  assert.doesNotMatch(page.text, /Ada|\/acts\/release/);
  const [words = '', picture = ''] = [...page.text.matchAll(/href="(\/escrows\/[^"]+)"/g)].map(
    ([, address]) => address ?? '',
  );
  await says(rita.get(words), 403);
  await says(sven.get(words), 200, 'the &lt;b&gt;leg&lt;/b&gt; is broken');
  assert.equal((await sven.get(picture)).headers.get('content-type'), 'image/png');
  await says(sven.get(words.replace(/[^/]+$/, id)), 404);
  const [logged] = await platform.db.query<{ count: number }>(`select count(*)::int4 as count
    from audit_entry where act = 'evidence_opened' and actor = 'operator:${ids['sven']}'`);
  assert.equal(logged?.count, 2);
  const split = { to_sellers: '60.00', to_buyer: '35.00', to_integrator: '5.01' };
  await says(act(anna, id, 'divide', split), 400, 'DISAGREEMENT_SPLIT_WRONG');
  await says(act(anna, id, 'divide', { ...split, to_buyer: '-1' }), 400, 'INVALID_FIELD');
  const right = { ...split, to_integrator: '5.00' };
  const { location } = await says(act(anna, id, 'divide', right), 303);
  await says(sven.get(location ?? ''), 200, 'To the sellers', '60.00 USD', '35.00 USD');
  assert.equal((await read(id)).status, 'ESCROWED');
  await says(sven.post(`${location}/second`, { word: 'confirm' }), 303);
  await says(rita.get(`/objects/${id}`), 200, 'Settled by tenant', '35.00 USD to the buyer',
    ...['to you alone', 'disagreement: open -&gt; resolved on resolve (to_sellers USD 60.00']);
  const list = await says(rita.get('/lists/open_disagreements'), 200);
  assert.ok(!list.text.includes(id));
  const [step] = await platform.db.query<{ actor: string }>(`select actor from step
    where machine = 'disagreement' and event = 'resolve' order by at desc limit 1`);
  assert.equal(step?.actor, `operator:${ids['anna']}`);
  const told = await explained(id);
  assert.match(told.now, /USD 60\.00 released to the sellers, .*, USD 5\.00 kept/);
});

test('a disagreement is divided by line item, by one person below the limit', async () => {
  const { id, lines: [line = '', own = ''] } = await held(3_000, 1_000);
  await dispute(id);
  const split = {
    [`to_sellers:${line}`]: '20.00',
    [`to_buyer:${line}`]: '10.00',
    [`to_integrator:${own}`]: '10',
  };
  const wrong = { ...split, [`to_buyer:${own}`]: '1.00' };
  await says(act(anna, id, 'divide_lines', wrong), 400, 'DISAGREEMENT_SPLIT_WRONG');
  await says(act(anna, id, 'divide_lines', split), 303);
  const { movements = [] } = await read(id);
  assert.deepEqual(movements.map(({ kind, amount }) => [kind, amount]), [
    ...[['release', 2_000], ['keep', 1_000], ['return', 1_000]],
  ]);
});

test('nobody decides a case of their own account, as first or second', async () => {
  const ines = await operator('ines', ['supervisor']);
  const { id } = await held(12_000, 500);
  await dispute(id);
  await platform.db.execute({
    text: `insert into operator_account (workspace, id, operator_id, account_id, created)
      select workspace, gen_random_uuid(), $1, account_id, now() from disagreement
      where state = 'open' and held = 12500`,
    values: [ids['ines'] ?? ''],
  });
  const split = { to_sellers: '125.00' };
  await says(act(ines, id, 'divide', split), 403, 'MONEY_ACT_OWN_CASE');
  const { location } = await says(act(anna, id, 'divide', split), 303);
  await says(ines.post(`${location}/second`, { word: 'confirm' }), 403, 'MONEY_ACT_OWN_CASE');
  await says(sven.post(`${location}/second`, { word: 'reject' }), 303);
  assert.equal((await read(id)).status, 'ESCROWED');
});

test('the dates of escrows are listed, what comes soonest first', async () => {
  const at = (days: number): string =>
    new Date(Date.now() + days * DAY_MS).toISOString().replace('Z', '000Z');
  const late = await held(700, 100, { release_at: at(60) });
  const soon = await held(700, 100, { return_at: at(2) });
  const { text } = await says(rita.get('/lists/escrow_dates'), 200, 'Return at', 'Release at');
  const places = [soon.id, late.id].map((id) => text.indexOf(id));
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  const week = at(7).slice(0, 10);
  const near = await says(rita.get(`/lists/escrow_dates?due_before=${week}`), 200, soon.id);
  assert.ok(!near.text.includes(late.id));
  const told = await explained(soon.id);
  assert.match(told.now, /next: USD 8\.00 is returned to the buyer at [\d :-]+ if nobody does/);
  await proved(platform.db);
});
