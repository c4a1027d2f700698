// Webhooks at the console: a delivery that failed is found, looked at and sent again, once, by the
// people whose task it is, and nobody sees the endpoints of another tenant.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createOperator,
  type OperatorServices,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market } from '../api/market.ts';
import { sends as sendsTo } from '../console/developer.ts';
import { signedIn, type Browser } from '../console/kit.ts';
import { patiently } from '../start/patience.ts';
import { receiver, type Receiver } from '../webhook/scene.ts';

let platform: Platform;
let services: OperatorServices;
let listening: Receiver;
let developer: Browser;
let reader: Browser;
let path = '';
let ill = true;

async function operator(username: string, role: Role): Promise<Browser> {
  const wish = { name: username, username, roles: [role], mustChange: false };
  const made = await createOperator(services, { ...wish, workspaces: 'all' }, 'operator');
  return signedIn(platform.ready.urls.console, made);
}

before(async () => {
  platform = await startPlatform();
  services = { db: platform.db, keys: await fileKeys(platform.keyFile), random: systemRandom };
  listening = await receiver(() => {
    return ill ? { status: 410, body: 'out <b>today</b>' } : { status: 200 };
  });
  developer = await operator('dora', 'developer');
  reader = await operator('rita', 'viewer');
  const body = { url: listening.url, event_names: ['invoice-completed'], description: 'Shop' };
  type Made = { endpoint_id: string };
  const made = await platform.api.must<Made>(201, 'invoicing', 'POST', '/v1/webhook_endpoints', {
    body,
  });
  path = `/webhooks/${made.endpoint_id}`;
  const market = new Market(platform.api);
  await market.sold(market.sale(1_234));
  for (let tries = 0; !/disabled/.test((await reader.get(path)).text); tries += 1) {
    assert.ok(tries < 200, 'the endpoint that answers 410 is disabled');
    await delay(50);
  }
});
after(async () => {
  await listening?.close();
  await platform?.stop();
});

const sends = (browser: Browser, to: string, fields: Record<string, string>) =>
  sendsTo(platform, browser, to, fields);

const eventPath = async (): Promise<string> =>
  /href="(\/webhooks\/[^"]+\/events\/[^"]+)"/.exec((await developer.get(path)).text)?.[1] ?? '';

test('an endpoint shows what was sent, and an event every attempt and its body', async () => {
  const list = await reader.get('/webhooks');
  assert.ok(list.text.includes(`href="${path}"`));
  assert.ok(!list.text.includes('/hook'), 'the path of a receiver may hold a secret');
  const seen = await developer.get(await eventPath());
  assert.equal(seen.status, 200, seen.text);
  assert.match(seen.text, /out &lt;b&gt;today&lt;\/b&gt;/);
  assert.match(seen.text, /410/);
  assert.match(seen.text, /invoice-completed/);
});

test('a disabled endpoint is sent nothing, and says so', async () => {
  const refused = await sends(developer, `${path}/again`, { failed: 'yes' });
  assert.match(refused.text, /WEBHOOK_ENDPOINT_DISABLED/);
  assert.doesNotMatch((await developer.get(path)).text, /Send all failed again/);
});

test('what failed is sent again once it is enabled, with an entry in the audit', async () => {
  ill = false;
  const id = path.split('/').at(-1) ?? '';
  const at = `/v1/webhook_endpoints/${id}`;
  await platform.api.must(200, 'invoicing', 'PATCH', at, { body: { state: 'enabled' } });
  const before = listening.got.length;
  const { text } = await developer.get(path);
  const sequence = /name="sequence"\s+value="(\d+)"/.exec(text)?.[1] ?? '';
  const sent = await sends(developer, `${path}/again`, { sequence });
  assert.deepEqual([sent.status, sent.location], [303, path]);
  const more = (): boolean => listening.got.length > before;
  assert.ok(await patiently(more, () => String(listening.got.length)));
  const known = listening.got.at(-1)?.event.event_id ?? '';
  assert.ok(known !== '' && (await eventPath()).endsWith(known), 'it is the same event');
  const entries = await platform.db.query<{ actor: string }>({
    text: `select actor from audit_entry where act = 'deliveries_repeated' and subject = $1`,
    values: [id],
  });
  assert.equal(entries.length, 1);
  assert.match(entries[0]?.actor ?? '', /^operator:/);
});

test('readers see no bodies and send nothing, and a stranger endpoint is not there', async () => {
  const refused = await reader.post(`${path}/again`, { failed: 'yes' });
  assert.deepEqual([refused.status, (await reader.get(await eventPath())).status], [403, 403]);
  assert.doesNotMatch((await reader.get(path)).text, /Send again<\/button>/);
  const { token } = await platform.tenant();
  const body = { url: 'https://example.com/hook' };
  type Made = { endpoint_id: string };
  const call = { token, body };
  const theirs = await platform.api.must<Made>(
    ...([201, 'invoicing', 'POST', '/v1/webhook_endpoints', call] as const),
  );
  const there = `/webhooks/${theirs.endpoint_id}`;
  assert.equal((await developer.get(there)).status, 404);
  assert.equal((await sends(developer, `${there}/again`, { failed: 'yes' })).status, 404);
  assert.equal((await sends(developer, `${path}/again`, { sequence: '1 or 1' })).status, 404);
});
