// The auth host's endpoints: how credentials may be sent, what each error says, refresh token
// families, and user authorization. [G-10, G-14]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  forgetExpired,
  rotateSecret,
  SCOPE_NAMES,
  USER_SCOPES,
} from '../../src/product/access/oauth/index.ts';
import { postForm, postJson, startOAuth } from './oauth-kit.ts';
import type { Members, OAuthKit } from './oauth-kit.ts';

let kit: OAuthKit;
let url = '';
before(async () => {
  kit = await startOAuth();
  url = `${kit.auth}/token`;
});
after(() => kit.stop());

const GRANT = { grant_type: 'client_credentials' };

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

function assertError(answer: { status: number; body: Members }, status: number, error: string) {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body['error'], error);
  assert.equal(answer.body['error_description'], answer.body['payload']?.['error']);
  assert.equal(answer.body['status'], 'Failure');
  assert.equal((answer.body['codes'] as unknown as string[]).length, 1);
}

test('form, JSON and Basic lead to the same answer, in both shapes', async () => {
  const { client_id: id, client_secret: secret } = kit.client;
  const answers = [
    await postForm(url, { ...GRANT, ...kit.client }),
    await postJson(url, { ...GRANT, ...kit.client }),
    await postForm(url, GRANT, basic(id, secret)),
    await postForm(url, { ...GRANT, client_id: id }, basic(id, secret)),
    await postForm(url, { ...GRANT, client_id: '', scope: '' }, basic(id, secret)),
    await postForm(url, { ...GRANT, ...kit.client, audience: 'ignored' }),
  ];
  for (const { status, headers, body } of answers) {
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('content-type'), 'application/json');
    const { access_token, token_type, expires_in, scope, payload, ...rest } = body;
    assert.deepEqual(rest, { status: 'Success', message: [], codes: [] });
    assert.deepEqual(payload, { access_token, token_type, expires_in, scope });
    assert.equal(token_type, 'Bearer');
    assert.equal(expires_in as unknown, 3600);
    assert.equal(scope, SCOPE_NAMES.join(' '));
  }
});

test('scopes are separated by spaces or commas; foreign ones are invalid_scope', async () => {
  const ask = (scope: string) => postForm(url, { ...GRANT, ...kit.client, scope });
  for (const text of [
    'read_kycs write_kycs',
    'read_kycs,write_kycs',
    ' read_kycs, write_kycs,read_kycs',
  ]) {
    assert.equal((await ask(text)).body['scope'], 'read_kycs write_kycs', text);
  }
  assert.equal((await ask(' , ')).body['scope'], SCOPE_NAMES.join(' '));
  for (const text of ['admin', 'read_kycs admin', 'READ_KYCS', 'read_kycs\tx', 'read_', '*']) {
    assertError(await ask(text), 400, 'invalid_scope');
  }
});

test('all wrong credentials are invalid_client', async () => {
  const { client_id: id, client_secret: secret } = kit.client;
  const texts = new Set<string>();
  const tries = [
    { ...GRANT, client_id: id, client_secret: 'x' },
    { ...GRANT, client_id: id, client_secret: kit.stranger.client_secret },
    { ...GRANT, client_id: kit.stranger.client_id, client_secret: secret },
    { ...GRANT, client_id: '019b76da-a800-7000-8000-000000000000', client_secret: secret },
    { ...GRANT, client_id: id.toUpperCase(), client_secret: secret },
    { ...GRANT, client_id: "' or 1=1 --", client_secret: secret },
    { ...GRANT, client_id: id },
    { ...GRANT, client_secret: secret },
    { ...GRANT },
  ];
  for (const form of tries) {
    const answer = await postForm(url, form as Record<string, string>);
    assertError(answer, 401, 'invalid_client');
    assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="holdfast"');
    texts.add(JSON.stringify(answer.body));
  }
  const headers = [
    basic(id, 'x'),
    basic(id, ''),
    basic('', secret),
    { authorization: 'Basic' },
    { authorization: 'Basic !!!' },
    { authorization: `Basic ${Buffer.from('nocolon').toString('base64')}` },
    { authorization: `Basic ${Buffer.from(`${id}:%zz`).toString('base64')}` },
    { authorization: `Bearer ${secret}` },
    { authorization: `Basic ${'A'.repeat(2_000)}` },
  ];
  for (const header of headers) {
    const answer = await postForm(url, GRANT, header);
    assertError(answer, 401, 'invalid_client');
    texts.add(JSON.stringify(answer.body));
  }
  assert.equal(texts.size, 1);
});

test('malformed requests are invalid_request', async () => {
  const { client_id: id, client_secret: secret } = kit.client;
  const ok = new URLSearchParams({ ...GRANT, ...kit.client }).toString();
  const bad = [
    '',
    'client_id=x&client_secret=y',
    `${ok}&grant_type=client_credentials`,
    `${ok}&client_secret=${secret}`,
    `${ok}&scope=read_kycs&scope=admin`,
    `${ok}&scope=%`,
    `${ok}&scope=%00`,
    `${ok}&scope=\xff`,
    `${ok}&scope=${'a'.repeat(5_000)}`,
    `${ok}&=x`,
    `${ok}&__proto__=x`,
    ok.replace('grant_type=client_credentials', 'grant_type='),
  ];
  for (const form of bad) assertError(await postForm(url, form), 400, 'invalid_request');
  assertError(
    await postForm(url, { ...GRANT, ...kit.client }, basic(id, secret)),
    400,
    'invalid_request',
  );
  const other = { ...GRANT, client_id: kit.stranger.client_id };
  assertError(await postForm(url, other, basic(id, secret)), 400, 'invalid_request');
  assertError(
    await postForm(`${url}?grant_type=x`, { ...GRANT, ...kit.client }),
    400,
    'invalid_request',
  );
  assertError(await postForm(url, 'a'.repeat(20_000)), 413, 'invalid_request');
  assertError(await postForm(url, ok, { 'content-type': 'text/plain' }), 415, 'invalid_request');
  const charset = 'application/x-www-form-urlencoded; charset=latin1';
  assertError(await postForm(url, ok, { 'content-type': charset }), 415, 'invalid_request');
  for (const body of [null, [], 'x', { ...GRANT, client_id: 5 }, { grant_type: ['x'] }]) {
    assertError(await postJson(url, body), 400, 'invalid_request');
  }
  for (const grant of ['password', 'authorization_code', 'CLIENT_CREDENTIALS', 'implicit']) {
    const answer = await postForm(url, { ...kit.client, grant_type: grant });
    assertError(answer, 400, 'unsupported_grant_type');
  }
  assert.equal((await fetch(url)).status, 405);
});

test('while a secret is rotated both work; without overlap only the new one', async () => {
  const id = kit.stranger.client_id;
  const status = async (secret: string) =>
    (await postForm(url, { ...GRANT, client_id: id, client_secret: secret })).status;
  const first = kit.stranger.client_secret;
  const { client_secret: second } = await rotateSecret(kit.services, id);
  assert.deepEqual([await status(first), await status(second)], [200, 200]);
  const { client_secret: third } = await rotateSecret(kit.services, id, 0);
  assert.deepEqual(
    [await status(first), await status(second), await status(third)],
    [401, 401, 200],
  );
  assert.equal(Buffer.from(third, 'base64url').length, 32);
});

async function bearer(): Promise<string> {
  const { body } = await postForm(url, { ...GRANT, ...kit.client });
  return body['access_token'] as string;
}

async function authorize(body: object, token?: string) {
  return postJson(`${kit.auth}/authorize/user`, body, token ?? (await bearer()));
}

async function userPair(more: object = {}): Promise<{ access: string; refresh: string }> {
  const answer = await authorize({ account_id: kit.account, return_token: true, ...more });
  const token = answer.body['payload']?.['token'] as Members;
  return { access: token['access_token'] as string, refresh: token['refresh_token'] as string };
}

const refreshForm = (token: string) => ({
  grant_type: 'refresh_token',
  refresh_token: token,
  ...kit.client,
});

test('a refresh token is used once; a second use ends the family, access tokens too', async () => {
  const first = await userPair();
  const second = await postForm(url, refreshForm(first.refresh));
  assert.equal(second.status, 200);
  assert.equal(second.body['scope'], USER_SCOPES.join(' '));
  const access = second.body['access_token'] as string;
  assert.equal((await authorize({}, access)).status, 200);
  const next = second.body['refresh_token'] as string;
  assert.notEqual(next, first.refresh);
  assertError(await postForm(url, refreshForm(first.refresh)), 400, 'invalid_grant');
  assertError(await postForm(url, refreshForm(next)), 400, 'invalid_grant');
  assert.equal((await authorize({}, access)).status, 401);
  assert.equal((await authorize({}, first.access)).status, 401);
});

test('of concurrent uses of one refresh token one wins, and the reuse is noticed', async () => {
  const { refresh } = await userPair();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => postForm(url, refreshForm(refresh))),
  );
  assert.equal(answers.filter((one) => one.status === 200).length, 1);
  const winner = answers.find((one) => one.status === 200)?.body['refresh_token'] as string;
  assertError(await postForm(url, refreshForm(winner)), 400, 'invalid_grant');
});

test('a refresh token works for its client only, and cannot be widened', async () => {
  const { refresh } = await userPair({ scopes: ['read_kyc', 'verify_kyc'] });
  const { client_secret: secret } = await rotateSecret(kit.services, kit.stranger.client_id, 0);
  const foreign = { client_id: kit.stranger.client_id, client_secret: secret };
  assertError(await postForm(url, { ...refreshForm(refresh), ...foreign }), 400, 'invalid_grant');
  const wide = { ...refreshForm(refresh), scope: 'read_kyc read_kycs' };
  assertError(await postForm(url, wide), 400, 'invalid_scope');
  const narrow = await postForm(url, { ...refreshForm(refresh), scope: 'read_kyc' });
  assert.equal(narrow.body['scope'], 'read_kyc');
  const again = await postForm(url, refreshForm(narrow.body['refresh_token'] as string));
  assert.equal(again.body['scope'], 'read_kyc verify_kyc');
  for (const text of ['', 'x', again.body['access_token'] as string]) {
    const answer = await postForm(url, refreshForm(text));
    assert.equal(answer.status, 400);
  }
});

test('introspection and revocation of refresh tokens', async () => {
  const { refresh, access } = await userPair();
  const ask = async (token: string) =>
    (await postForm(`${kit.auth}/introspect`, { token, ...kit.client })).body;
  assert.equal((await ask(refresh))['token_type'], 'refresh_token');
  assert.equal((await ask(access))['account_id'], kit.account);
  const revoked = await postForm(`${kit.auth}/revoke`, {
    token: refresh,
    token_type_hint: 'access_token',
    ...kit.client,
  });
  assert.equal(revoked.status, 200);
  assert.deepEqual(await ask(refresh), { active: false });
  assert.deepEqual(await ask(access), { active: false });
  const nobody = await postForm(`${kit.auth}/introspect`, { token: access });
  assertError(nobody, 401, 'invalid_client');
  assertError(await postForm(`${kit.auth}/introspect`, { ...kit.client }), 400, 'invalid_request');
});

test('authorize user: a link, or a token, for an open account of the own tenant', async () => {
  const link = await authorize({ account_id: kit.account, flow: 'kyc', mechanism: 'widget' });
  assert.equal(link.status, 200);
  const payload = link.body['payload'] as Members;
  assert.match(payload['redirect'] as string, /^http:\/\/[^/]+\/ui\/appauth\/[A-Za-z0-9_-]{43}$/);
  const status = await fetch(`${kit.auth}/authorize/user/${payload['nonce_auth_id']}`, {
    headers: { authorization: `Bearer ${await bearer()}` },
  });
  const shown = (await status.json()) as { payload: { status: string } };
  assert.equal(shown.payload.status, 'unused');
  const code = async (body: object) => {
    const answer = await authorize(body);
    return [answer.status, (answer.body['codes'] as unknown as string[])[0]];
  };
  assert.deepEqual(await code({ account_id: kit.blockedAccount }), [403, 'ACCOUNT_BLOCKED']);
  assert.deepEqual(await code({ account_id: kit.strangersAccount }), [400, 'ACCOUNT_NOT_FOUND']);
  assert.deepEqual(await code({ account_id: 'acct_x' }), [400, 'ACCOUNT_NOT_FOUND']);
  assert.deepEqual(await code({}), [400, 'MISSING_FIELD']);
  const own = { account_id: kit.account };
  assert.deepEqual(await code({ ...own, scopes: ['write_kycs'] }), [400, 'INVALID_SCOPE']);
  assert.deepEqual(await code({ ...own, flow: 'x' }), [400, 'INVALID_FIELD']);
  assert.deepEqual(await code({ ...own, mechanism: 'x' }), [400, 'INVALID_FIELD']);
  assert.deepEqual(await code({ ...own, return_token: 'true' }), [400, 'INVALID_FIELD']);
  assert.deepEqual(await code({ ...own, redirect: 'http://x' }), [400, 'UNKNOWN_FIELD']);
  for (const seconds of [0, -1, 86_401, 1.5, '60', true]) {
    const body = { ...own, token_expiration_seconds: seconds };
    assert.deepEqual(await code(body), [400, 'INVALID_FIELD'], String(seconds));
  }
});

test('a user may open flows for itself, and make no tokens', async () => {
  const { access } = await userPair({ token_expiration_seconds: 60 });
  assert.equal((await authorize({}, access)).status, 200);
  assert.equal((await authorize({ account_id: kit.account }, access)).status, 200);
  const foreign = await authorize({ account_id: kit.blockedAccount }, access);
  assert.deepEqual([foreign.status, foreign.body['codes']], [400, ['ACCOUNT_NOT_FOUND']]);
  const token = await authorize({ return_token: true }, access);
  assert.deepEqual([token.status, token.body['codes']], [403, ['USER_TOKEN_NOT_ALLOWED']]);
});

test('expired tokens are deleted, others stay', async () => {
  const { refresh } = await userPair();
  const { db } = kit.services;
  const old = "clock_timestamp() - interval '31 days'";
  const before = await db.query(`select 1 from refresh_token`);
  await db.execute(`insert into revoked_token values ('token', 'old', ${old}, ${old})`);
  await db.execute(`update link set created = ${old}, expires = ${old}`);
  const links = await db.query('select 1 from link');
  assert.ok(links.length > 0);
  assert.equal(await forgetExpired(kit.services), links.length + 1);
  assert.equal(await forgetExpired(kit.services), 0);
  assert.equal((await db.query('select 1 from refresh_token')).length, before.length);
  assert.equal((await postForm(url, refreshForm(refresh))).status, 200);
});
