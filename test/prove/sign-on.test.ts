// Single sign-on at the console, against a provider that others wrote and against one that lies:
// roles by groups, who is refused, and what a forged, repeated or foreign answer opens.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { createOperator, type OperatorServices } from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { openIdSignOn } from '../../src/providers/sign-on/openid.ts';
import { systemRandom } from '../../src/core/random.ts';
import { signedIn, type Browser } from '../console/kit.ts';
import { CLIENT, signOnAt, startIdentityProvider, Visitor } from '../kit/identity-provider.ts';
import type { IdentityProvider } from '../kit/identity-provider.ts';
import { dataFolder, startPlatform, type Platform } from '../kit/platform.ts';

let platform: Platform;
let provider: IdentityProvider;
let folder: string;
let base: string;
let services: OperatorServices;
let ada: Browser;

before(async () => {
  folder = dataFolder();
  provider = await startIdentityProvider();
  const groups = 'Finance team=accountant; Trust=reviewer, support';
  platform = await startPlatform({ settings: signOnAt(provider, folder, groups) });
  base = platform.ready.urls.console;
  provider.serve(base);
  services = { db: platform.db, keys: await fileKeys(platform.keyFile), random: systemRandom };
  const roles = ['operator'] as const;
  const wish = { name: 'Ada', username: 'ada', roles, workspaces: 'all' } as const;
  const made = await createOperator(services, { ...wish, mustChange: false }, 'operator');
  ada = await signedIn(base, made);
});
after(async () => {
  await platform.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

const FINANCE = { name: 'Fay Finance', preferred_username: 'fay', groups: ['Finance team', 'x'] };

/** Signs on; gives the browser and the answer to coming back. */
async function arrives(who: string, visitor = new Visitor()) {
  const back = await visitor.signOn(base, who);
  const answer = await visitor.ask(back);
  const status = async (path: string) => (await visitor.ask(`${base}${path}`)).status;
  return { visitor, back, answer, text: await answer.text(), status };
}

/** What is known here of the operator with a name. */
async function operatorCalled(name: string) {
  const { text } = await ada.get('/operators');
  const row = new RegExp(`/operators/([0-9a-f-]{36})">${name}</a></td>(.*?)</tr>`, 's').exec(text);
  const cells = [...(row?.[2] ?? '').matchAll(/<td[^>]*>(?:<span[^>]*>)?([^<]*)</g)];
  return { id: row?.[1] ?? '', cells: cells.map(([, cell]) => cell ?? '') };
}

test('who is in a group becomes an operator with its roles, without a password', async () => {
  provider.people.set('fay-at-work', FINANCE);
  assert.match(await (await fetch(`${base}/sign-in`)).text(), /href="\/sign-in\/sso"/);
  const { answer, text, status } = await arrives('fay-at-work');
  assert.equal(answer.status, 200, text);
  assert.equal(answer.headers.get('refresh'), '0; url=/');
  assert.deepEqual([await status('/'), await status('/transfers')], [200, 200]);
  assert.deepEqual([await status('/reviews'), await status('/operators')], [403, 403]);
  const fay = await operatorCalled('Fay Finance');
  assert.deepEqual(fay.cells.slice(0, 4), ['fay', 'accountant', 'all', 'active']);
  assert.match((await ada.get(`/operators/${fay.id}`)).text, /at the identity provider/);
  assert.match((await ada.post(`/operators/${fay.id}/password`)).location ?? '', /^\/operators\//);
  assert.equal((await arrives('fay-at-work')).answer.status, 200);
  const rows = await platform.db.query<{ row: string }>('select o::text as row from operator o');
  assert.equal(rows.filter(({ row }) => row.includes('Fay') || row.includes('fay-at')).length, 0);
  const acts = await platform.db.query<{ act: string }>({
    text: 'select act from audit_entry where subject = $1 order by at, id',
    values: [fay.id],
  });
  const signed = ['operator_signed_in', 'operator_signed_in'];
  assert.deepEqual(acts.map(({ act }) => act), ['operator_created', ...signed]);
});

test('the way there has state, nonce and PKCE, and no secret', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => new Visitor().ask(`${base}/sign-in/sso`)));
  const to = new URL(one?.headers.get('location') ?? '');
  const asked = Object.fromEntries(to.searchParams);
  assert.equal(to.origin, provider.issuer);
  assert.deepEqual([asked['code_challenge_method'], asked['client_id']], ['S256', CLIENT.id]);
  const other = new URL(two?.headers.get('location') ?? '').searchParams;
  for (const name of ['state', 'nonce', 'code_challenge']) {
    assert.match(asked[name] ?? '', /^[\w-]{43}$/, name);
    assert.notEqual(asked[name], other.get(name), name);
  }
  const cookie = one?.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^holdfast_sign_on=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=/);
  assert.ok(!to.href.includes(/=([^;]+)/.exec(cookie)?.[1] ?? '='));
});

test('new groups count from the next sign-in on; without one the sessions end', async () => {
  provider.people.set('gus', { name: 'Gus Groups', groups: ['Finance team'] });
  const first = await arrives('gus');
  provider.people.set('gus', { name: 'Gus Groups', groups: ['Trust'] });
  assert.equal(await first.status('/reviews'), 403);
  const second = await arrives('gus');
  assert.equal(await second.status('/reviews'), 200);
  assert.match((await operatorCalled('Gus Groups')).cells[1] ?? '', /^support, reviewer$/);
  provider.people.set('gus', { name: 'Gus Groups', groups: ['finance team', 'Other'] });
  const third = await arrives('gus');
  assert.equal(third.answer.status, 401);
  assert.match(third.text, /None of your groups has a role here/);
  assert.deepEqual([await second.status('/'), await third.status('/')], [303, 303]);
});

test('who is in no group, or names another, becomes nobody', async () => {
  for (const groups of [undefined, [], ['Trust=reviewer'], ['Fin', 'administrator', 'operator']]) {
    provider.people.set('nobody', { name: 'Nobody', ...(groups && { groups }) });
    assert.equal((await arrives('nobody')).answer.status, 401);
  }
  assert.equal((await operatorCalled('Nobody')).id, '');
});

test('who is disabled here is refused, whatever the provider says', async () => {
  provider.people.set('dan', { name: 'Dan Disabled', groups: ['Trust'] });
  const dan = await arrives('dan');
  const { id } = await operatorCalled('Dan Disabled');
  await ada.post(`/operators/${id}/disable`);
  assert.equal(await dan.status('/'), 303);
  assert.match((await arrives('dan')).text, /Your access here is disabled/);
});

test('a username that somebody has here stays theirs', async () => {
  provider.people.set('mallory', { ...FINANCE, name: 'Mallory', preferred_username: 'Ada' });
  const { answer, status } = await arrives('mallory');
  assert.equal(answer.status, 200);
  assert.equal(await status('/operators'), 403);
  assert.match((await operatorCalled('Mallory')).cells[0] ?? '', /^sso-[0-9a-f]{16}$/);
});

test('an answer that is forged, repeated, or of another browser opens nothing', async () => {
  provider.people.set('fay-at-work', FINANCE);
  const { back, visitor } = await arrives('fay-at-work');
  assert.equal((await new Visitor().ask(back)).status, 404, 'without having begun');
  assert.equal((await visitor.ask(back)).status, 404, 'a second time');
  const other = new Visitor();
  await other.ask(`${base}/sign-in/sso`);
  assert.equal((await other.ask(back)).status, 401, 'with the secret of another try');
  const forgeries = [
    ['state', 'x'.repeat(43)], ['code', 'invented'], ['iss', 'https://evil.example'],
    ['error', 'access_denied'],
  ] as const;
  for (const [name, value] of forgeries) {
    const fresh = new Visitor();
    const url = new URL(await fresh.signOn(base, 'fay-at-work'));
    url.searchParams.set(name, value);
    const answer = await fresh.ask(url.href);
    assert.equal(answer.status, 401, name);
    assert.match(await answer.text(), /did not confirm who you are/);
    assert.equal((await fresh.ask(`${base}/`)).status, 303, name);
  }
});

test('a provider that is away is said so, and passwords work on', async () => {
  const away = { ...(await settingsOf()), issuer: 'http://127.0.0.1:9' };
  assert.match((await openIdSignOn(away)?.trouble()) ?? '', /ECONNREFUSED|fetch failed/);
  const begun = openIdSignOn(away)?.begin('s', base) ?? Promise.resolve();
  await assert.rejects(begun, /does not answer/);
  assert.equal(await openIdSignOn(await settingsOf())?.trouble(), null);
  provider.answer((_request, response) => response.writeHead(500).end());
  assert.match((await openIdSignOn(await settingsOf())?.trouble()) ?? '', /unexpected|status/i);
  assert.equal((await ada.get('/')).status, 200);
});

async function settingsOf() {
  const groups = new Map([['Trust', ['reviewer']]]);
  const known = { issuer: provider.issuer, clientId: CLIENT.id, groups, claim: 'groups' };
  return { ...known, secretFile: join(folder, 'client-secret'), scope: 'openid' };
}

/**
 * A provider of our own that signs what it is told, by its own key or by another; `cut`: where it
 * breaks the connection off.
 */
async function lie(claims: JWTPayload, issuer = provider.issuer, isForged = false, cut = '') {
  const [real, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const key = { ...(await exportJWK(real.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const now = Math.floor(Date.now() / 1_000);
  const payload = { iss: provider.issuer, aud: CLIENT.id, sub: 'eve', iat: now, exp: now + 60 };
  const token = await new SignJWT({ ...payload, groups: ['Trust'], ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(isForged ? other.privateKey : real.privateKey);
  const answers: Record<string, unknown> = {
    '/.well-known/openid-configuration': {
      ...{ issuer, authorization_endpoint: `${provider.issuer}/auth` },
      ...{ token_endpoint: `${provider.issuer}/token`, jwks_uri: `${provider.issuer}/jwks` },
    },
    '/jwks': { keys: [key] },
    '/token': { access_token: 'invented', token_type: 'Bearer', id_token: token },
  };
  provider.answer((request, response) => {
    if (request.url === cut) return void request.socket.destroy();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  });
}

/** Goes there and comes back by a client that has asked the lying provider anew. */
async function lied(claims: (nonce: string) => JWTPayload, isForged = false, cut = '') {
  await lie({});
  const signOn = openIdSignOn(await settingsOf());
  assert.ok(signOn);
  const to = await signOn.begin('a secret', `${base}/sign-in/back`);
  const { state = '', nonce = '' } = Object.fromEntries(to.searchParams);
  await lie(claims(nonce), provider.issuer, isForged, cut);
  const back = new URL(`${base}/sign-in/back?${new URLSearchParams({ code: 'c', state })}`);
  return signOn.finish('a secret', back);
}

test('what the provider says counts only as it was asked, for us, and signed by it', async () => {
  const { subject, groups } = await lied((nonce) => ({ nonce }));
  assert.deepEqual([subject, groups], ['eve', ['Trust']]);
  const lies: ((nonce: string) => JWTPayload)[] = [
    () => ({ nonce: 'of another' }),
    () => ({}),
    (nonce) => ({ nonce, iss: 'https://evil.example' }),
    (nonce) => ({ nonce, aud: 'another client' }),
    (nonce) => ({ nonce, exp: 1 }),
  ];
  for (const claims of lies) {
    await assert.rejects(lied(claims), /did not confirm/, JSON.stringify(claims('')));
  }
  await assert.rejects(lied((nonce) => ({ nonce }), true), /did not confirm/, 'another key');
});

test('a provider that calls itself otherwise is not asked for anybody', async () => {
  await lie({}, 'https://evil.example');
  const signOn = openIdSignOn(await settingsOf());
  assert.match((await signOn?.trouble()) ?? '', /issuer/);
  await assert.rejects(signOn?.begin('s', `${base}/sign-in/back`) ?? Promise.resolve(), /does not/);
});

test('an answer that breaks off lets nobody in, and the next one does', async () => {
  for (const cut of ['/token', '/jwks']) {
    await assert.rejects(lied((nonce) => ({ nonce }), false, cut), /did not confirm/, cut);
    assert.equal((await lied((nonce) => ({ nonce }))).subject, 'eve', cut);
  }
  const begun = '/.well-known/openid-configuration';
  const signOn = openIdSignOn(await settingsOf());
  await lie({}, provider.issuer, false, begun);
  const begin = () => signOn?.begin('s', `${base}/sign-in/back`) ?? assert.fail('it has settings');
  await assert.rejects(begin(), /does not answer/);
  await lie({});
  assert.equal((await begin()).origin, provider.issuer);
});
