// One-time links and user tokens under an Idempotency-Key: one effect and the same answer, whose
// secrets are stored encrypted and deleted when they expire. [G-44]
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { forgetSecrets } from '../../src/product/idempotent/index.ts';
import { SCOPE_NAMES } from '../../src/product/access/oauth/index.ts';
import { turn } from '../kit/generations.ts';
import { startOAuth } from './oauth-kit.ts';
import type { OAuthKit } from './oauth-kit.ts';

let kit: OAuthKit;
let token = '';
let count = 0;
before(async () => {
  kit = await startOAuth();
  token = await tokenOf(kit.client.client_id);
});
after(() => kit.stop());

async function tokenOf(clientId: string): Promise<string> {
  const client = await kit.tokens.watch.client(clientId);
  assert.ok(client);
  const wish = { client, kind: 'client', accountId: null, scopes: SCOPE_NAMES } as const;
  return (await kit.tokens.issue({ ...wish, seconds: 600 })).token;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly payload: {
    readonly redirect: string;
    readonly nonce_auth_id: string;
    readonly token: { readonly access_token: string; readonly refresh_token: string };
  };
  readonly code: string;
}

async function authorize(key: string, more: object = {}, bearer = token): Promise<Answered> {
  const answer = await fetch(`${kit.auth}/authorize/user`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${bearer}`,
      'idempotency-key': key,
    },
    body: JSON.stringify({ account_id: kit.account, ...more }),
  });
  const text = await answer.text();
  const { payload, codes } = JSON.parse(text) as { payload: never; codes: string[] };
  return { status: answer.status, text, payload, code: codes[0] ?? '' };
}

const fresh = (): string => `key-${(count += 1)}`;

async function rowsOf(table: string): Promise<number> {
  const rows = await kit.services.db.query<{ n: number }>(
    `select count(*)::int as n from ${table}`,
  );
  return rows[0]?.n ?? -1;
}

/** Everything that the tables of kept answers hold, as one text. */
async function kept(): Promise<string> {
  const rows = await kit.services.db.query(
    `select row_to_json(i)::text as t from idempotency i
      union all select row_to_json(k)::text from kept_secret k`,
  );
  return JSON.stringify(rows);
}

test('a link: the same key gives the same one, and makes no second', async () => {
  const key = fresh();
  const first = await authorize(key);
  assert.equal(first.status, 200, first.text);
  const links = await rowsOf('link');
  const again = await authorize(key);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(await rowsOf('link'), links);
  const nonce = first.payload.redirect.split('/').at(-1) as string;
  const found = await kit.services.db.query({
    text: 'select 1 from link where nonce_hash = $1 and id = $2',
    values: [hash('sha256', nonce), first.payload.nonce_auth_id],
  });
  assert.equal(found.length, 1, 'the answer names the link that was made');
  const all = await kept();
  assert.ok(all.includes(first.payload.nonce_auth_id));
  assert.ok(!all.includes(nonce), 'the nonce is nowhere in clear');
});

test('a user token: the same pair again, none of it in clear', async () => {
  const key = fresh();
  const first = await authorize(key, { return_token: true });
  assert.equal(first.status, 200, first.text);
  const families = await rowsOf('refresh_token');
  assert.equal((await authorize(key, { return_token: true })).text, first.text);
  assert.equal(await rowsOf('refresh_token'), families);
  const { access_token, refresh_token } = first.payload.token;
  assert.ok(await kit.tokens.verify(access_token));
  const all = await kept();
  for (const secret of [access_token, refresh_token]) {
    assert.ok(secret.length > 20);
    assert.ok(!all.includes(secret));
  }
});

test('another body under the key is 422; a refusal leaves the key free', async () => {
  const key = fresh();
  const unknown = await authorize(key, { account_id: kit.blockedAccount });
  assert.deepEqual([unknown.status, unknown.code], [403, 'ACCOUNT_BLOCKED']);
  assert.equal((await authorize(key)).status, 200);
  for (const more of [
    { flow: 'kyc' },
    { return_token: true },
    { account_id: kit.blockedAccount },
    { account_id: kit.strangersAccount },
  ]) {
    const other = await authorize(key, more);
    assert.deepEqual([other.status, other.code], [422, 'IDEMPOTENCY_KEY_REUSED'], other.text);
  }
});

test('many concurrent requests under one key are one, with few connections', async () => {
  for (const more of [{}, { return_token: true }]) {
    const [links, families] = [await rowsOf('link'), await rowsOf('refresh_token')];
    const key = fresh();
    const all = await Promise.all(Array.from({ length: 24 }, () => authorize(key, more)));
    assert.deepEqual([...new Set(all.map((one) => one.status))], [200]);
    assert.equal(new Set(all.map((one) => one.text)).size, 1);
    const made = (await rowsOf('link')) - links + (await rowsOf('refresh_token')) - families;
    assert.equal(made, 1);
  }
});

test('without a key nothing is kept, and each call makes its own', async () => {
  const before = [await rowsOf('idempotency'), await rowsOf('kept_secret')];
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ account_id: kit.account });
  const ask = async (): Promise<string> =>
    (await fetch(`${kit.auth}/authorize/user`, { method: 'POST', headers, body })).text();
  assert.notEqual(await ask(), await ask());
  assert.deepEqual([await rowsOf('idempotency'), await rowsOf('kept_secret')], before);
});

test('once a secret has expired the answer is the same without it', async () => {
  const key = fresh();
  const first = await authorize(key, { return_token: true, token_expiration_seconds: 5 });
  const { access_token, refresh_token } = first.payload.token;
  await kit.services.db.execute(
    "update kept_secret set expires = clock_timestamp() where place = 'token.access_token'",
  );
  const later = await authorize(key, { return_token: true, token_expiration_seconds: 5 });
  assert.equal(later.text, first.text.replace(access_token, ''));
  assert.equal(later.payload.token.refresh_token, refresh_token);
});

test('a key is known for two generations; expired secrets are deleted, others kept', async () => {
  const { db } = kit.services;
  await forgetSecrets(db);
  const [old, young] = [fresh(), fresh()];
  const first = await authorize(old);
  await turn(db, 'idempotency');
  const second = await authorize(young);
  assert.equal((await authorize(old)).text, first.text, 'of the past');
  assert.equal((await authorize(old, { flow: 'kyc' })).code, 'IDEMPOTENCY_KEY_REUSED');
  const secrets = await rowsOf('kept_secret');
  await db.execute(`update kept_secret set expires = clock_timestamp()
    where (workspace, scope) in (select workspace, scope from idempotency_past
      order by created desc limit 1)`);
  for (const gone of [1, 0]) assert.equal(await forgetSecrets(db), gone);
  assert.equal(await rowsOf('kept_secret'), secrets - 1);
  await turn(db, 'idempotency');
  assert.equal((await authorize(young)).text, second.text);
  const again = await authorize(old);
  assert.equal(again.status, 200);
  assert.notEqual(again.text, first.text, 'its key is free again');
});
