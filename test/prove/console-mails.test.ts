// Captured mails at the console: for developers of the tenant alone, and framed so that nothing a
// mail holds runs, loads or leads the console away.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from '../console/developer.ts';
import type { Browser } from '../console/kit.ts';
import { Market } from '../api/market.ts';
import { until } from '../kit/until.ts';

let desk: Desk;
let dora: Browser;
let path = '';
before(async () => {
  desk = await Desk.open();
  dora = await desk.hire('dora', 'developer');
  const { api, ready } = desk.platform;
  const { account_id } = ready.accounts.buyer;
  const email = { address: 'zoe@people.example', requires_verification: false };
  await api.must(200, 'accounts', 'PUT', `/user-info/${account_id}`, { body: { email } });
  const market = new Market(api);
  const [line] = market.sale(700)['line_items'] as object[];
  const lamp = { ...line, description: '<img src=x onerror=alert(1)>' };
  await market.sold({ ...market.sale(700), line_items: [lamp] });
});
after(async () => desk?.platform.stop());

test('a developer finds a mail by address, and opens it', async () => {
  const { text } = await until('the list', async () => {
    const page = await dora.get('/developers/mails');
    return page.text.includes('zoe@people.example') && page;
  });
  path = /href="(\/developers\/mails\/[\w-]{36})"/.exec(text)?.[1] ?? '';
  assert.match(text, /badge[^>]*>sandbox/);
  assert.match((await dora.get('/developers/mails?to=zoe@people.example')).text, /Your receipt/);
  const other = await dora.get('/developers/mails?to=yan@people.example');
  assert.match(other.text, /Nobody was mailed/);
  assert.match((await dora.get('/developers')).text, /href="\/developers\/mails"/);
  const page = await dora.get(path);
  assert.match(page.text, /Total: USD 7\.00/);
  assert.match(page.text, /&lt;img src=x onerror=alert\(1\)&gt;: USD 7\.00/);
  assert.doesNotMatch(page.text, /<img src=x/);
  assert.match(page.text, /<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
});

test('the HTML part is framed by the console alone, without scripts and files', async () => {
  const framed = await dora.get(`${path}/html`);
  const policy = framed.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'.*frame-ancestors 'self'; sandbox allow-popups/);
  assert.doesNotMatch(policy, /allow-scripts|allow-same-origin|script-src/);
  assert.match(framed.text, /<base target="_blank">/);
  assert.match(framed.text, /&lt;img src=x/);
  const policyOf = async (at: string) =>
    (await dora.get(at)).headers.get('content-security-policy') ?? '';
  assert.match(await policyOf(path), /frame-src 'self'/);
  assert.doesNotMatch(await policyOf('/developers'), /frame-src/);
});

test('nobody else reads them: another role, another tenant, an id of nothing', async () => {
  const vera = await desk.hire('vera', 'viewer');
  for (const one of ['/developers/mails', path, `${path}/html`]) {
    assert.equal((await vera.get(one)).status, 403, one);
  }
  const { workspace } = await desk.platform.tenant();
  const theo = await desk.hire('theo', 'developer', [workspace]);
  assert.doesNotMatch((await theo.get('/developers/mails')).text, /people\.example/);
  assert.equal((await theo.get(path)).status, 404);
  for (const one of ['no', '019a0000-0000-7000-8000-000000000000']) {
    assert.equal((await dora.get(`/developers/mails/${one}`)).status, 404);
  }
});
