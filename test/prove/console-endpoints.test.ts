// Webhook endpoints by the developers' forms: made once with a secret that is seen once, changed,
// rotated, tested; and a delivery whose shown signature and copied command hold at a receiver.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac, hash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { verifyWebhook } from '../../client/webhooks.ts';
import { Market } from '../api/market.ts';
import { Desk, plain, sends as sendsTo, shownFor } from '../console/developer.ts';
import type { Browser } from '../console/kit.ts';
import { patiently } from '../start/patience.ts';
import { receiver, type Receiver } from '../webhook/scene.ts';

const run = promisify(execFile);

let desk: Desk;
let dora: Browser;
let listening: Receiver;
let other: Receiver;
let folder = '';
let path = '';
let secret = '';

const sends = (browser: Browser, to: string, fields: Record<string, string> = {}) =>
  sendsTo(desk.platform, browser, to, fields);

before(async () => {
  desk = await Desk.open();
  dora = await desk.hire('dora', 'developer');
  folder = mkdtempSync(join(tmpdir(), 'delivery-'));
  listening = await receiver(() => ({ status: 200 }));
  other = await receiver(() => ({ status: 200 }));
});
after(async () => {
  await Promise.all([listening?.close(), other?.close()]);
  rmSync(folder, { recursive: true, force: true });
  await desk?.platform.stop();
});

const STEPS = ['1. webhook-id', '2. webhook-timestamp'] as const;
const EVENTS = { 'event_invoice-completed': 'on' } as const;

/** The `pre` after a heading, as people read it. */
const preOf = (text: string, heading: string): string => {
  const after = text.slice(text.search(new RegExp(`${heading}</h[23]>`)));
  return plain(/<pre[^>]*>([\s\S]*?)<\/pre>/.exec(after)?.[1] ?? '');
};

test('an endpoint is made once, with a secret that is shown once', async () => {
  const wrong = { url: 'https://u:p@example.com/', description: 'Shop', signing: 'v1', ...EVENTS };
  const refused = await sends(dora, '/webhooks/new', wrong);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /user name or password[\s\S]*value="https:\/\/u:p@example\.com\/"/);
  const form = { ...wrong, once: randomUUID(), url: listening.url };
  const first = await sends(dora, '/webhooks/new', form);
  const answers = [first, await sends(dora, '/webhooks/new', form)];
  assert.deepEqual(answers.map(({ status }) => status), [200, 409]);
  secret = shownFor(answers[0]?.text ?? '', 'Signing secret');
  assert.match(secret, /^whsec_/);
  path = /href="(\/webhooks\/[\w-]{36})"/.exec(answers[0]?.text ?? '')?.[1] ?? '';
  const list = (await dora.get('/webhooks')).text;
  assert.equal(list.match(/>Shop</g)?.length, 1);
  const seen = [list, (await dora.get(path)).text, (await dora.get(`${path}/change`)).text];
  assert.ok(!seen.join(answers[1]?.text).includes(secret));
  assert.deepEqual(await desk.keeps(secret), []);
  assert.deepEqual(await desk.acts(path.slice(10)), ['endpoint_created']);
});

test('a test event reaches that endpoint alone, signed, and is no event', async () => {
  await sends(dora, '/webhooks/new', { url: other.url, description: 'Other', signing: 'v1' });
  const last = async () => {
    const call = { body: undefined } as const;
    const at = '/v1/events?limit=1000';
    const { events } = await desk.platform.api.must<{ events: { event_id: string }[] }>(
      ...([200, 'invoicing', 'GET', at, call] as const),
    );
    return events.map(({ event_id }) => event_id);
  };
  const before = await last();
  const form = { once: randomUUID(), name: 'payout-completed' };
  const sent = await sends(dora, `${path}/test`, form);
  assert.equal(sent.status, 200, sent.text);
  assert.match(sent.text, /answered 200/);
  assert.equal((await sends(dora, `${path}/test`, form)).status, 303, 'sent once');
  assert.deepEqual([listening.got.length, other.got.length], [1, 0]);
  const [got] = listening.got;
  assert.ok(got);
  const event = await verifyWebhook({ secret, headers: got.headers, body: got.body });
  assert.equal(event.event_name, 'payout-completed');
  assert.equal((event as { test?: boolean }).test, true);
  assert.equal(event.sequence, 0);
  assert.match(got.headers.authorization ?? '', /^Bearer /);
  assert.deepEqual(await last(), before);
  assert.deepEqual((await desk.acts(path.slice(10))).at(-1), 'test_event_sent');
  assert.equal((await sends(dora, `${path}/test`, { name: 'no-event' })).status, 404);
});

/** The page of a delivery that reached the receiver. */
async function delivered(): Promise<{ at: string; got: Receiver['got'][number] }> {
  const before = listening.got.length;
  const market = new Market(desk.platform.api);
  await market.sold(market.sale(1_234, { description: "It's Ada's <b>" }));
  const more = (): boolean => listening.got.length > before;
  assert.ok(await patiently(more, () => 'a delivery'));
  const got = listening.got.at(-1) as Receiver['got'][number];
  const at = `${path}/events/${got.event.event_id}`;
  for (let tries = 0; !/badge-good/.test((await dora.get(at)).text); tries += 1) {
    assert.ok(tries < 200, 'the outcome is there');
    await delay(50);
  }
  return { at, got };
}

test('what the steps of a page give is the signature that was sent', async () => {
  const { at, got } = await delivered();
  const { text } = await dora.get(at);
  assert.match(text, /the last attempt/);
  const [id, timestamp] = STEPS.map((one) => shownFor(text, one));
  const { text: bytes } = await dora.get(`${at}/body`);
  assert.equal(bytes, got.body, 'the bytes that came');
  const content = `${id}.${timestamp}.${bytes}`;
  assert.equal(shownFor(text, 'Its SHA-256'), hash('sha256', content));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mine = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  assert.equal(shownFor(text, '6. webhook-signature'), mine);
  const { headers } = got;
  const sent = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((one) => headers[one]);
  assert.deepEqual(sent, [id, timestamp, mine]);
  assert.ok(!text.includes(secret));
  writeFileSync(join(folder, 'body.json'), bytes);
  const env = { ...process.env, WEBHOOK_SECRET: secret, ID: id, TIMESTAMP: timestamp };
  const script = preOf(text, 'With openssl');
  const { stdout } = await run('sh', ['-c', script], { cwd: folder, env });
  assert.equal(`v1,${stdout.trim()}`, mine, script);
  const past = Number(timestamp) - 60;
  const asked = (await dora.get(`${at}?timestamp=${past}`)).text;
  assert.equal(shownFor(asked, '2. webhook-timestamp'), String(past));
  const future = (await dora.get(`${at}?timestamp=${Number(timestamp) + 86_400}`)).text;
  assert.equal(shownFor(future, '2. webhook-timestamp'), timestamp, 'nothing ahead is signed');
});

test('the copied command delivers to a handler, which our client verifies', async () => {
  const { at, got } = await delivered();
  const own = await receiver(() => ({ status: 204 }));
  const command = preOf((await dora.get(at)).text, 'Copy as a test');
  const env = { ...process.env, HANDLER: own.url };
  const { stdout } = await run('sh', ['-c', command], { env });
  await own.close();
  assert.match(stdout, /204/);
  const [copied] = own.got;
  assert.equal(copied?.body, got.body);
  const event = await verifyWebhook({ secret, headers: copied?.headers ?? {}, body: got.body });
  assert.equal(event.event_id, got.event.event_id);
  const kept = JSON.parse((await dora.get(`${at}/test`)).text) as {
    headers: Record<string, string>;
    body: string;
  };
  const again = await verifyWebhook({ secret, ...kept, toleranceSeconds: Infinity });
  assert.equal(again.event_id, got.event.event_id);
});

test('after a rotation both secrets sign, and the new one is shown once', async () => {
  const form = { once: randomUUID(), overlap: 'day' };
  const { text } = await sends(dora, `${path}/rotate`, form);
  const next = shownFor(text, 'Signing secret');
  assert.equal((await sends(dora, `${path}/rotate`, form)).status, 409);
  await sends(dora, `${path}/rotate`, { overlap: 'day' });
  assert.match((await dora.get(path)).text, /previous rotation still overlaps/);
  const { at, got } = await delivered();
  const { headers, body } = got;
  for (const one of [secret, next]) await verifyWebhook({ secret: one, headers, body });
  const shown = shownFor((await dora.get(at)).text, '6. webhook-signature');
  assert.equal(shown, headers['webhook-signature']);
  assert.deepEqual(await desk.keeps(next), []);
});

test('with a public key the shown openssl command verifies what was sent', async () => {
  const form = { url: listening.url, description: 'Key', signing: 'v1a', ...EVENTS };
  const made = await sends(dora, '/webhooks/new', form);
  assert.equal(made.status, 303, 'no secret is shown');
  const before = path;
  path = made.location ?? '';
  await dora.post(`${before}/disable`);
  const { at, got } = await delivered();
  const { text } = await dora.get(at);
  const key = /<code>(whpk_[^<]+)</.exec(text)?.[1] ?? '';
  const shown = shownFor(text, '6. webhook-signature');
  assert.equal(shown, got.headers['webhook-signature']);
  const [id, timestamp] = STEPS.map((one) => shownFor(text, one));
  writeFileSync(join(folder, 'body.json'), got.body);
  const of = { PUBLIC_KEY: key, SIGNATURE: shown.slice(4), ID: id, TIMESTAMP: timestamp };
  const env = { ...process.env, ...of };
  const script = preOf(text, 'With openssl');
  const { stdout } = await run('sh', ['-c', script], { cwd: folder, env });
  assert.match(stdout, /Verified Successfully/);
  await dora.post(`${path}/disable`);
  path = before;
  await dora.post(`${path}/enable`);
});

test('a change is saved, and not from a page of before', async () => {
  const { text } = await dora.get(`${path}/change`);
  const seen = plain(/name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '');
  const form = { seen, url: listening.url, description: 'Shop of today' };
  assert.deepEqual((await dora.post(`${path}/change`, form)).location, path);
  const after = (await dora.get(path)).text;
  assert.match(after, /Shop of today/);
  await dora.post(`${path}/change`, { ...form, description: 'An old page' });
  assert.match((await dora.get(`${path}/change`)).text, /Shop of today/);
  const bad = { ...form, seen: plain(/name="seen" value="([^"]+)"/.exec(
    (await dora.get(`${path}/change`)).text)?.[1] ?? ''), url: 'https://u:p@example.com/' };
  const refused = await dora.post(`${path}/change`, bad);
  assert.deepEqual([refused.status, /user name or password/.test(refused.text)], [400, true]);
});

test('ticked deliveries and a range are sent again, once for each form', async () => {
  const { text } = await dora.get(path);
  const numbers = [...text.matchAll(/name="tick_(\d+)"/g)].map(([, number]) => Number(number));
  assert.ok(numbers.length >= 3, text);
  const before = listening.got.length;
  const [newest = 0, second = 0] = numbers;
  const form = { once: randomUUID(), [`tick_${newest}`]: 'on', [`tick_${second}`]: 'on' };
  await sends(dora, `${path}/again`, form);
  assert.match((await dora.get(path)).text, /2 deliveries are sent again/);
  assert.ok(await patiently(() => listening.got.length === before + 2, () => 'two more'));
  await sends(dora, `${path}/again`, form);
  const range = { from: String(numbers.at(-1)), to: String(newest) };
  await sends(dora, `${path}/again`, range);
  const all = before + 2 + numbers.length;
  assert.ok(await patiently(() => listening.got.length >= all, () => String(listening.got.length)));
  assert.equal(listening.got.length, all, 'the form that was sent twice sent nothing more');
  const wrong = await sends(dora, `${path}/again`, { from: '9', to: '1' });
  assert.match(wrong.text, /REPLAY_AMBIGUOUS/);
  const long = await sends(dora, `${path}/again`, { from: '1', to: '20000' });
  assert.match(long.text, /REPLAY_RANGE_TOO_LARGE/);
  await sends(dora, `${path}/again`);
  assert.match((await dora.get(path)).text, /Nothing is ticked/);
});

test('readers have no forms, and an endpoint of another tenant is not there', async () => {
  const reader = await desk.hire('rita', 'viewer');
  const page = (await reader.get(path)).text;
  assert.doesNotMatch(page, /\/rotate|\/test"|\/change|tick_/);
  const { token } = await desk.platform.tenant();
  const body = { url: 'https://example.com/hook' };
  const theirs = await desk.platform.api.must<{ endpoint_id: string }>(
    ...([201, 'invoicing', 'POST', '/v1/webhook_endpoints', { token, body }] as const),
  );
  for (const act of ['change', 'rotate', 'test', 'disable', 'enable', 'again']) {
    const at = `/webhooks/${theirs.endpoint_id}/${act}`;
    assert.equal((await sends(reader, `${path}/${act}`)).status, 403, act);
    const answer = await sends(dora, at, { name: 'payout-completed', failed: 'yes' });
    assert.equal(answer.status, 404, act);
  }
});
