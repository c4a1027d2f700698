// Attacks on access tokens: forged, expired, misdirected and revoked ones are refused by every
// verifier. [ID2]
import assert from 'node:assert/strict';
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, exportJWK, importJWK, jwtVerify, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { rotateSigningKey, setClientDisabled } from '../../src/product/access/oauth/index.ts';
import { KeyRing } from '../../src/product/access/oauth/signing-keys.ts';
import { openTokens } from '../../src/product/access/oauth/tokens.ts';
import type { Tokens } from '../../src/product/access/oauth/index.ts';
import { postForm, postJson, startOAuth } from './oauth-kit.ts';
import type { OAuthKit } from './oauth-kit.ts';

let kit: OAuthKit;
before(async () => {
  kit = await startOAuth();
});
after(() => kit.stop());

async function clientToken(scope?: string): Promise<string> {
  const form = { grant_type: 'client_credentials', ...kit.client };
  const { body } = await postForm(
    `${kit.auth}/token`,
    scope === undefined ? form : { ...form, scope },
  );
  return body['access_token'] as string;
}

async function open(token: string): Promise<number> {
  return (await postJson(`${kit.auth}/authorize/user`, { account_id: kit.account }, token)).status;
}

const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token signed with the real key, with claims and header as given: what only we could make. */
async function signed(change: (claims: JWTPayload) => void, header: object = {}): Promise<string> {
  const keys = new KeyRing(kit.services);
  await keys.refresh();
  const { kid, key } = keys.signer();
  const claims = decodeJwt(await clientToken());
  change(claims);
  const full = { alg: 'ES256', typ: 'at+jwt', kid, ...header };
  return new SignJWT(claims).setProtectedHeader(full).sign(key);
}

test('a good token opens, and any library can verify it from the published keys', async () => {
  const token = await clientToken();
  assert.equal(await open(token), 200);
  const metadata = await fetch(`${kit.auth}/.well-known/oauth-authorization-server`);
  const { issuer, jwks_uri } = (await metadata.json()) as { issuer: string; jwks_uri: string };
  const keys = createRemoteJWKSet(new URL(jwks_uri));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: 'holdfast:staging' });
  assert.equal(payload['client_id'], kit.client.client_id);
  assert.equal(payload['account_id'], '');
  assert.equal((payload.exp as number) - (payload.iat as number), 3600);
  const text = await (await fetch(jwks_uri)).text();
  assert.ok(!text.includes('"d"'));
});

test("forged tokens are refused: none or another algorithm, another key, an own key", async () => {
  const token = await clientToken();
  const [header, claims, signature] = token.split('.') as [string, string, string];
  const real = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const jwks = (await (await fetch(`${kit.auth}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string }[];
  };
  const publicText = JSON.stringify(jwks.keys[0]);
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ownJwk = await exportJWK(own.publicKey);
  const hs256 = (secret: string | Buffer): string => {
    const start = `${b64({ alg: 'HS256', typ: 'at+jwt', kid: real.kid })}.${claims}`;
    return `${start}.${createHmac('sha256', secret).update(start).digest('base64url')}`;
  };
  const withOwnKey = (extra: object): string => {
    const start = `${b64({ alg: 'ES256', typ: 'at+jwt', kid: real.kid, ...extra })}.${claims}`;
    const sign = createSign('sha256').update(start);
    const key = { key: own.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${start}.${sign.sign(key).toString('base64url')}`;
  };
  const publicKey = await importJWK(jwks.keys[0] as object, 'ES256');
  const spki = JSON.stringify(await exportJWK(publicKey));
  const forged = [
    `${b64({ alg: 'none', typ: 'at+jwt', kid: real.kid })}.${claims}.`,
    `${b64({ alg: 'None', typ: 'at+jwt', kid: real.kid })}.${claims}.${signature}`,
    hs256(publicText),
    hs256(spki),
    hs256(''),
    withOwnKey({}),
    withOwnKey({ jwk: ownJwk }),
    withOwnKey({ kid: 'unknown' }),
    withOwnKey({ kid: '../../dev/null' }),
    withOwnKey({ jku: 'http://127.0.0.1:9/jwks' }),
    withOwnKey({ crit: ['exp'] }),
    `${header}.${claims}.`,
    `${header}.${claims}`,
    `${header}.${claims}.${signature}x`,
    `${header}.${claims}.${'A'.repeat(86)}`,
    `${header}.${b64({ ...decodeJwt(token), scopes: ['write_sandbox'] })}.${signature}`,
    `.${claims}.${signature}`,
    '..',
    'a.b.c',
    'x',
  ];
  for (const one of forged) {
    assert.equal(await open(one), 401, one.slice(0, 80));
    assert.equal(await kit.tokens.verify(one), null);
    const { body } = await postForm(`${kit.auth}/introspect`, { token: one, ...kit.client });
    assert.deepEqual(body, { active: false });
  }
  assert.equal(await open(token), 200);
});

test('a token has one text: with padding or unused bits it is refused', async () => {
  const token = await clientToken();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const bits = alphabet.indexOf(token.at(-1) ?? '');
  const others = [1, 2, 3].map((unused) => `${token.slice(0, -1)}${alphabet[bits + unused]}`);
  const [header = '', claims = '', signature = ''] = token.split('.');
  for (const text of [
    ...[...others, `${token}=`, `${token}==`, `${token}.`],
    `${header}=.${claims}.${signature}`,
    `${header}.${claims}=.${signature}`,
    token.replaceAll('-', '+').replaceAll('_', '/').replace(/[^.+/]$/, '+'),
  ]) {
    assert.equal(await open(text), 401, text.slice(-4));
  }
  assert.equal(await open(token), 200);
  for (const text of others) assert.equal(await open(text), 401);
});

test('wrong claims are refused even with our own signature', async () => {
  assert.equal(await open(await signed(() => {})), 200);
  const now = Math.floor(Date.now() / 1000);
  const wrong: readonly (readonly [string, (claims: JWTPayload) => void])[] = [
    ['expired', (c) => (c.exp = now - 1)],
    ['not yet', (c) => (c.nbf = now + 60)],
    ['without end', (c) => delete c.exp],
    ['without start', (c) => delete c.nbf],
    ['without id', (c) => delete c.jti],
    ['other environment', (c) => (c.aud = 'holdfast:production')],
    ['two audiences', (c) => (c.aud = ['holdfast:staging', 'x'])],
    ['no audience', (c) => delete c.aud],
    ['audience by prefix', (c) => (c.aud = 'holdfast:staging2')],
    ['other issuer', (c) => (c.iss = `${c.iss}/`)],
    ['no issuer', (c) => delete c.iss],
    ['other tenant', (c) => (c['integrator'] = '019b76da-a800-7000-8000-000000000000')],
    ['unknown client', (c) => (c['client_id'] = '019b76da-a800-7000-8000-000000000000')],
    ['client that is no id', (c) => (c['client_id'] = "x' or 1=1")],
    ['scopes as text', (c) => (c['scopes'] = 'write_user_tokens')],
    ['scopes with numbers', (c) => (c['scopes'] = [1])],
    ['unknown kind', (c) => (c['kind'] = 'admin')],
    ['a client for an account', (c) => (c['account_id'] = kit.account)],
    ['a user without account', (c) => (c['kind'] = 'user')],
    ['end as text', (c) => ((c as Record<string, unknown>)['exp'] = '9999999999')],
  ];
  for (const [name, change] of wrong) {
    assert.equal(await open(await signed(change)), 401, name);
  }
  for (const header of [{ typ: 'JWT' }, { typ: undefined }, { typ: 'webhook+jwt' }]) {
    assert.equal(await open(await signed(() => {}, header)), 401, JSON.stringify(header));
  }
});

test('scopes are compared exactly, and a scope that no client has is worth nothing', async () => {
  assert.equal(await open(await clientToken('read_invoices')), 403);
  for (const scopes of [['write_user_token'], ['write_user_tokens '], ['write_user'], ['*'], []]) {
    assert.equal(await open(await signed((c) => (c['scopes'] = scopes))), 403, String(scopes));
  }
});

test('a webhook token is for its endpoint only and opens nothing', async () => {
  const { token, expiresAt } = await kit.tokens.signWebhookToken('endpoint-1');
  assert.equal(await open(token), 401);
  const claims = decodeJwt(token);
  assert.equal(claims.aud, 'endpoint-1');
  assert.equal((claims.exp as number) * 1000, expiresAt);
  assert.equal(claims['scopes'], undefined);
});

test('tokens of production are refused in staging, also with the same keys', async () => {
  const services = { ...kit.services, env: 'production' } as const;
  const production = await openTokens(services);
  const client = { clientId: kit.client.client_id, integrator: 'x' };
  const shared = { client, accountId: null, scopes: ['write_user_tokens'], seconds: 60 };
  const { token } = await production.issue({ ...shared, kind: 'client' });
  assert.equal(await open(token), 401);
  assert.equal(await production.verify(await clientToken()), null);
});

/** Seconds until `tokens` refuses the token; fails after 6. */
async function refusedAfter(tokens: Tokens, token: string): Promise<number> {
  const started = Date.now();
  while ((await tokens.verify(token)) !== null) {
    assert.ok(Date.now() - started < 6_000, 'still accepted after 6 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return (Date.now() - started) / 1000;
}

test('a revoked token is refused at once here, and within 5 s by another process', async () => {
  const other = await openTokens(kit.services);
  const token = await clientToken();
  assert.notEqual(await other.verify(token), null);
  assert.equal(await open(token), 200);
  const form = { token, ...kit.client };
  const stranger = await postForm(`${kit.auth}/revoke`, { token, ...kit.stranger });
  assert.equal(stranger.status, 200);
  assert.equal(await open(token), 200);
  const answer = await postForm(`${kit.auth}/revoke`, form);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {});
  assert.equal(await open(token), 401);
  assert.ok((await refusedAfter(other, token)) < 5);
  assert.equal((await postForm(`${kit.auth}/revoke`, form)).status, 200);
  assert.deepEqual((await postForm(`${kit.auth}/introspect`, form)).body, { active: false });
});

test('an idle verifier checks for revocations first', async () => {
  const other = await openTokens(kit.services);
  const token = await clientToken();
  assert.notEqual(await other.verify(token), null);
  await new Promise((resolve) => setTimeout(resolve, 4_100));
  await postForm(`${kit.auth}/revoke`, { token, ...kit.client });
  assert.equal(await other.verify(token), null);
});

test('a disabled client, and a scope taken from one, reach its tokens', async () => {
  const token = await clientToken();
  assert.equal(await open(token), 200);
  const id = kit.client.client_id;
  await setClientDisabled(kit.services, id, true);
  await kit.tokens.watch.refresh();
  assert.equal(await open(token), 401);
  await setClientDisabled(kit.services, id, false);
  await kit.tokens.watch.refresh();
  assert.equal(await open(token), 200);
  const { db } = kit.services;
  const text = 'update client set scopes = array_remove(scopes, $2) where client_id = $1';
  await db.execute({ text, values: [id, 'write_user_tokens'] });
  await kit.tokens.watch.refresh();
  assert.equal(await open(token), 403);
  const back = 'update client set scopes = array_append(scopes, $2) where client_id = $1';
  await db.execute({ text: back, values: [id, 'write_user_tokens'] });
  await kit.tokens.watch.refresh();
  assert.equal(await open(token), 200);
});

test('after a key rotation old tokens stay valid, new ones use the new key', async () => {
  const other = await openTokens(kit.services);
  const before = await clientToken();
  await rotateSigningKey(kit.services);
  const fresh = await openTokens(kit.services);
  const client = { clientId: kit.client.client_id, integrator: decodeJwt(before)['integrator'] };
  const { token } = await fresh.issue({
    client: client as { clientId: string; integrator: string },
    kind: 'client',
    accountId: null,
    scopes: ['write_user_tokens'],
    seconds: 60,
  });
  assert.notEqual(token.split('.')[0], before.split('.')[0]);
  assert.notEqual(await other.verify(token), null);
  assert.notEqual(await fresh.verify(before), null);
  assert.equal(await open(token), 200);
});

test('no secret, token or key is in the database in clear', async () => {
  const token = await clientToken();
  const answer = await postJson(
    `${kit.auth}/authorize/user`,
    { account_id: kit.account, return_token: true },
    token,
  );
  const link = await postJson(`${kit.auth}/authorize/user`, { account_id: kit.account }, token);
  const { db } = kit.services;
  let dump = '';
  for (const table of ['client', 'signing_key', 'refresh_token', 'revoked_token', 'link']) {
    const rows = await db.query<{ text: string }>(`select t::text as text from ${table} t`);
    dump += rows.map((row) => row.text).join('\n');
  }
  const nonce = (link.body['payload']?.['redirect'] as string).split('/').at(-1) as string;
  const user = answer.body['payload']?.['token'];
  assert.equal(Buffer.from(nonce, 'base64url').length, 32);
  for (const secret of [
    kit.client.client_secret,
    user?.['refresh_token'] as string,
    nonce,
    token,
  ]) {
    assert.ok(secret.length > 20);
    assert.ok(!dump.includes(secret));
  }
  assert.ok(!dump.includes('"d"'));
});
