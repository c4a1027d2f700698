// Disputes at the console: the list by deadline, evidence by text and file, submitting it, and the
// look at what it says, which is logged. [G-93]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { makeDispute } from '../api/fixtures.ts';
import { png } from '../kit/sample-files.ts';
import { signedIn, type Browser } from './kit.ts';

let platform: Platform;
let viewer: Browser;
let reviewer: Browser;
let dispute: string;
let base: string;

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const { db, keys } = platform;
  const services = { db, keys, random: systemRandom, env: 'staging' } as const;
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  return signedIn(base, await createOperator(services, wish, 'operator'));
}

before(async () => {
  platform = await startPlatform();
  base = (platform.ready.urls as Record<string, string>)['console'] ?? '';
  const { account_id } = platform.ready.accounts.buyer;
  const { api } = platform;
  const body = { account_id, test_card: 'visa' };
  type Card = { payment_method_id: string };
  const path = '/sandbox/payment_methods';
  const { payment_method_id } = await api.must<Card>(201, 'invoicing', 'POST', path, { body });
  dispute = await makeDispute(api, undefined, [account_id, payment_method_id]);
  viewer = await operator('vera', ['viewer']);
  reviewer = await operator('ruth', ['reviewer']);
});
after(() => platform?.stop());

/** Sends a form with a file. */
async function upload(type: string, bytes: Buffer): Promise<number> {
  const form = new FormData();
  form.set('csrf', await reviewer.csrf());
  form.set('kind', 'receipt');
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'Ada Specimen.png');
  const answer = await fetch(`${base}/disputes/${dispute}/evidence`, {
    method: 'POST',
    body: form,
    headers: { cookie: reviewer.cookie, origin: base },
    redirect: 'manual',
  });
  return answer.status;
}

test('evidence is a text or a file, looked at with an entry, and submitted once', async () => {
  const page = `/disputes/${dispute}`;
  const listed = await viewer.get('/disputes');
  assert.match(listed.text, new RegExp(`${page}".*due in 14 d`, 's'));
  const seen = await viewer.get(page);
  assert.equal(seen.status, 200);
  assert.doesNotMatch(seen.text, /<textarea/);
  assert.equal((await viewer.post(`${page}/evidence`, { kind: 'other', text: 'x' })).status, 403);
  const said = { kind: 'customer_communication', text: 'Ada <b>wrote</b>' };
  assert.equal((await reviewer.post(`${page}/evidence`, said)).status, 303);
  assert.equal((await reviewer.post(`${page}/evidence`, { ...said, kind: 'x' })).status, 400);
  assert.equal(await upload('image/png', png(2, 2)), 303);
  assert.equal(await upload('image/png', Buffer.from('no picture')), 400);
  const { text } = await reviewer.get(page);
  assert.doesNotMatch(text, /Ada/);
  assert.match(text, /receipt\.png/);
  const [words = '', file = ''] = [...text.matchAll(/href="([^"]+\/evidence\/[^"]+)"/g)].map(
    ([, address]) => address ?? '',
  );
  assert.equal((await viewer.get(words)).status, 403);
  assert.match((await reviewer.get(words)).text, /Ada &lt;b&gt;wrote/);
  const picture = await reviewer.get(file);
  assert.equal(picture.headers.get('content-type'), 'image/png');
  const entries = await platform.db.query<{ act: string }>(
    `select act from audit_entry where act = 'evidence_opened' and actor like 'operator:%'`,
  );
  assert.equal(entries.length, 2);
  const sent = await Promise.all([1, 2].map(() => reviewer.post(`${page}/submit`)));
  assert.deepEqual(sent.map(({ status }) => status).toSorted(), [303, 400]);
  assert.doesNotMatch((await reviewer.get(page)).text, /<textarea/);
});

test('a form of another site, or too large a file, adds nothing', async () => {
  const form = new FormData();
  form.set('csrf', await reviewer.csrf());
  const headers = { cookie: reviewer.cookie, origin: 'https://evil.example' };
  const path = `${base}/disputes/${dispute}/evidence`;
  const foreign = await fetch(path, { method: 'POST', body: form, headers });
  assert.equal(foreign.status, 403);
  assert.equal(await upload('image/png', Buffer.alloc(5_000_000)).catch(() => 413), 413);
});
