// Bank transfers at the console: who may record, allocate and confirm, that it takes two people
// from the limit on, and that a payer is shown for a logged reason only.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { signedIn, type Browser, type Page } from './kit.ts';

const LARGE = 1_000_000;
let platform: Platform;
let vic: Browser;
let ruth: Browser;
let sven: Browser;

async function operator(username: string, roles: readonly Role[]): Promise<Browser> {
  const { db, keys } = platform;
  const services = { db, keys, random: systemRandom, env: 'staging' } as const;
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const access = await createOperator(services, wish, 'operator');
  return signedIn((platform.ready.urls as Record<string, string>)['console'] ?? '', access);
}

before(async () => {
  platform = await startPlatform();
  vic = await operator('vic', ['viewer']);
  ruth = await operator('ruth', ['reviewer']);
  sven = await operator('sven', ['supervisor']);
});
after(() => platform?.stop());

async function arrived(amount: number): Promise<string> {
  const body = { currency: 'USD', amount, remittance_text: 'rent' };
  type Made = { transfer_id: string };
  const { transfer_id } = await platform.api.must<Made>(
    ...([201, 'invoicing', 'POST', '/sandbox/bank_transfers', { body }] as const),
  );
  return `/transfers/${transfer_id}`;
}

async function versionOf(path: string): Promise<{ version: string }> {
  const { text } = await ruth.get(path);
  return { version: /name="version"\s+value="(\d+)"/.exec(text)?.[1] ?? '' };
}

async function says(answer: Promise<Page>, status: number, ...words: string[]): Promise<Page> {
  const page = await answer;
  assert.equal(page.status, status, page.text);
  for (const word of words) assert.ok(page.text.includes(word), `${word} is not in ${page.text}`);
  return page;
}

const recorded = (bank_reference: string, amount = '12.50') => ({
  ...{ currency: 'USD', amount, bank_reference, value_date: '2026-11-20' },
  wallet: platform.ready.accounts.buyer.account_id,
});

test('an open transfer is listed and given to a wallet', async () => {
  const path = await arrived(400);
  await says(ruth.get('/transfers'), 200, 'it names no reference', path);
  await says(ruth.get('/'), 200, 'Bank transfers to allocate');
  const wish = { wallet: platform.ready.accounts.buyer.account_id, ...(await versionOf(path)) };
  await says(vic.post(`${path}/allocate`, wish), 403);
  const nobody = { ...wish, wallet: 'no' };
  const form = { referer: ruth.base + path };
  const back = `href="${path}">Back to the form`;
  await says(ruth.post(`${path}/allocate`, nobody, form), 400, 'BANK_WALLET_NOT_FOUND', back);
  await says(ruth.post(`${path}/allocate`, wish), 303);
  await says(ruth.get(path), 200, 'The wallet was credited', 'credited');
  await says(ruth.post(`${path}/allocate`, wish), 409, 'BANK_TRANSFER_CHANGED');
  await says(ruth.get('/transfers/nothing'), 404);
});

test('a large one needs a second person, who is another one', async () => {
  const path = await arrived(LARGE);
  const wish = { wallet: platform.ready.accounts.buyer.account_id };
  await says(sven.post(`${path}/allocate`, { ...wish, ...(await versionOf(path)) }), 303);
  const seen = await says(vic.get(path), 200, 'Another person must confirm');
  assert.ok(!seen.text.includes('name="word"'));
  const word = { word: 'confirm', version: '2' };
  await says(ruth.post(`${path}/second`, word), 403);
  await says(sven.post(`${path}/second`, word), 403, 'BANK_SAME_PERSON');
  const ines = await operator('ines', ['supervisor']);
  await says(ines.post(`${path}/second`, { ...word, version: '1' }), 409);
  await says(ines.post(`${path}/second`, word), 303);
  await says(ines.get(path), 200, 'credited');
});

test('a transfer is recorded by hand once for each bank reference', async () => {
  await says(vic.post('/transfers', recorded('HAND-1')), 403);
  const { location } = await says(ruth.post('/transfers', recorded('HAND-1')), 303);
  await says(ruth.get(location ?? ''), 200, 'Recorded: the wallet was credited', '12.50 USD');
  await says(ruth.post('/transfers', recorded('HAND-1')), 409, 'BANK_REFERENCE_USED');
  for (const wrong of [
    recorded('HAND-2', '12.505'),
    recorded('HAND-2', '-1'),
    recorded(' '),
    { ...recorded('HAND-2'), value_date: '2026-02-30' },
  ]) {
    await says(ruth.post('/transfers', wrong), 400, 'INVALID_FIELD');
  }
  const large = await says(ruth.post('/transfers', recorded('HAND-3', '10000.00')), 303);
  const path = large.location ?? '';
  await says(ruth.get(path), 200, 'a second person must confirm');
  await says(sven.post(`${path}/second`, { word: 'reject', version: '1' }), 303);
  await says(sven.get(path), 200, 'rejected');
});

test('a row that may be a recorded transfer is settled with it', async () => {
  await says(ruth.post('/transfers', recorded('HAND-4', '77.00')), 303);
  const path = await arrived(7_700);
  const [now] = await platform.db.query<{ id: string; day: string }>(
    `select id, to_char(clock_timestamp(), 'YYYY-MM-DD') as day from incoming_transfer
      where bank_reference = 'HAND-4'`,
  );
  const page = await ruth.get(path);
  assert.ok(page.text.includes('Known already'), page.text);
  const wish = { known: now?.id ?? '', ...(await versionOf(path)) };
  await says(ruth.post(`${path}/same`, wish), 303);
  await says(ruth.get(path), 200, 'nothing is booked twice', 'duplicate');
});

test('a transfer to send back shows its reference, and may be kept', async () => {
  const path = await arrived(300);
  await says(ruth.post(`${path}/back`, { word: 'back', ...(await versionOf(path)) }), 303);
  const { text } = await says(ruth.get(path), 200, 'with this reference');
  assert.match(text, /<strong>RF\d\d( \d{4}){4}<\/strong>/);
  await says(ruth.post(`${path}/back`, { word: 'keep', ...(await versionOf(path)) }), 303);
  await says(ruth.get(path), 200, 'unallocated');
});

test('who paid is masked, and shown for a reason that is logged', async () => {
  const path = await arrived(200);
  const masked = await ruth.get(path);
  assert.ok(!masked.text.includes('Sandbox Payer'));
  await says(ruth.post(`${path}/payer`, { reason: 'curiosity' }), 400);
  await says(vic.post(`${path}/payer`, { reason: 'review' }), 403);
  await says(ruth.post(`${path}/payer`, { reason: 'review' }), 200, 'Sandbox Payer', 'rent');
  const rows = await platform.db.query({
    text: `select from audit_entry where act = 'bank_payer_opened' and subject = $1`,
    values: [path.split('/').at(-1)],
  });
  assert.equal(rows.length, 1);
});
