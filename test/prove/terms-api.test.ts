// Terms of service and consents over HTTP: what a person agrees to, who may see it, and the effect
// of a new text or a withdrawn consent. [G-12, G-21]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { publishTerms } from '../../src/product/people/terms/index.ts';
import { openedToken } from '../kit/checkout.ts';
import type { Call, Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { agree } from '../api/fixtures.ts';

const OWN = '/v1/user-info/tos/service';
let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

const accounts = (method: string, path: string, call: Call = {}): Promise<Reply> =>
  platform.api.send('accounts', method, path, call);

let people = 0;
async function person(): Promise<{ account_id: string; token: string }> {
  people += 1;
  const { api } = platform;
  const made = { body: { username: `reader ${people}` } };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', made);
  const wish = { body: { account_id, return_token: true } };
  type Given = { token: { access_token: string } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
  return { account_id, token: token.access_token };
}

interface Terms {
  readonly version: number;
  readonly tos_created: string;
  readonly tos_content: string;
}

const terms = (): Promise<Terms> =>
  platform.api.must(200, 'accounts', 'GET', '/v1/tos', { token: null });

const signed = async (token: string): Promise<unknown> =>
  (await accounts('GET', OWN, { token })).body.payload;

const audited = async (
  act: string,
): Promise<{ workspace: number; actor: string; detail: string }[]> =>
  platform.db.query({
    text: 'select workspace, actor, subject, detail from audit_entry where act = $1 order by at',
    values: [act],
  });

test('a sandbox starts with a plain text that anybody may read', async () => {
  const { version, tos_created, tos_content } = await terms();
  assert.equal(version, 1);
  assert.match(tos_created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.ok(tos_content.split('\n\n').length >= 6);
  assert.match(tos_content, /sandbox/);
  assert.doesNotMatch(tos_content, /[<>]/);
});

test('a person agrees once, and clients and the person see it', async () => {
  const { account_id, token } = await person();
  const path = `/user-info/${account_id}/tos/service`;
  assert.deepEqual(await signed(token), { signed_tos: false });
  const shown = async (): Promise<unknown[]> => {
    const seen = JSON.parse((await accounts('GET', path)).text) as Record<string, unknown>;
    return [seen['signed_tos'], seen['payload']];
  };
  assert.deepEqual(await shown(), [false, { signed_tos: false }], 'with the envelope and without');
  for (let times = 1; times <= 2; times += 1) {
    const reply = await accounts('POST', OWN, { token });
    assert.deepEqual([reply.status, reply.body.payload], [200, null]);
  }
  assert.deepEqual(await signed(token), { signed_tos: true });
  assert.deepEqual(await shown(), [true, { signed_tos: true }]);
  const entries = (await audited('terms_signed')).filter(({ actor }) => actor.endsWith(account_id));
  assert.deepEqual(
    entries.map(({ detail }) => detail),
    ['{"version":1}'],
  );
  assert.match(entries[0]?.actor ?? '', /^user:/);
});

test('a word that is not ours, and a person who is not there', async () => {
  const { account_id, token } = await person();
  for (const word of ['tilia', 'SERVICE', 'service%20', 'x'.repeat(40), '%00']) {
    for (const [method, path, call] of [
      ['GET', `/v1/user-info/tos/${word}`, { token }],
      ['POST', `/v1/user-info/tos/${word}`, { token }],
      ['GET', `/user-info/${account_id}/tos/${word}`, {}],
    ] as const) {
      const reply = await accounts(method, path, call);
      assert.deepEqual([reply.status, reply.code], [404, 'TERMS_NOT_FOUND'], `${method} ${path}`);
    }
  }
  const nobody = '/user-info/acct_00000000000000000000000000/tos/service';
  const reply = await accounts('GET', nobody);
  assert.deepEqual([reply.status, reply.code], [404, 'ACCOUNT_NOT_FOUND']);
  assert.equal((await accounts('GET', OWN)).status, 403, 'a client has no signature of its own');
});

test('a new text asks everybody again; the old one cannot be agreed to any more', async () => {
  const { token } = await person();
  await accounts('POST', OWN, { token, body: { version: 1 } });
  const text = `${(await terms()).tos_content}\n\nOne more thing.`;
  const { fresh } = await publishTerms(platform.db, text);
  assert.ok(fresh);
  assert.ok(!(await publishTerms(platform.db, text)).fresh, 'the same text is no new version');
  assert.deepEqual([(await terms()).version, (await terms()).tos_content], [2, text]);
  assert.deepEqual(await signed(token), { signed_tos: false });
  for (const version of [1, 3, 2_147_483_647]) {
    const reply = await accounts('POST', OWN, { token, body: { version } });
    assert.deepEqual([reply.status, reply.code], [400, 'TERMS_VERSION_STALE'], String(version));
  }
  assert.equal((await accounts('POST', OWN, { token, body: { version: 2 } })).status, 200);
  assert.deepEqual(await signed(token), { signed_tos: true });
  assert.deepEqual(
    (await audited('terms_published')).map(({ workspace, actor }) => [workspace, actor]),
    [
      [0, 'system'],
      [0, 'operator'],
    ],
  );
});

test('many who publish at once make one version each, in a row', async () => {
  const { version } = await terms();
  const texts = Array.from({ length: 8 }, (_, at) => `Text ${at}.`);
  const made = await Promise.all(texts.map((text) => publishTerms(platform.db, text)));
  const versions = made.map((one) => one.terms.version).toSorted((a, b) => a - b);
  assert.deepEqual(
    versions,
    texts.map((_, at) => version + 1 + at),
  );
});

interface List {
  readonly account_id: string;
  readonly consents: readonly {
    readonly consent_id: string;
    readonly given_by: string;
    readonly scopes: readonly { readonly scope: string; readonly sentence: string }[];
  }[];
}

const IDENTITY = ['read_kyc', 'read_kycs', 'verify_kyc'];
const givers = ({ consents }: List): string[] => consents.map(({ given_by }) => given_by);

test('a consent is seen by the person and the tenant, and by nobody else', async () => {
  const { api } = platform;
  const { account_id, token } = await person();
  const attested = await api.must<List>(200, 'accounts', 'GET', '/v1/consents', { token });
  assert.deepEqual(givers(attested), ['integrator'], 'what a user token stands on');
  const { user, session } = await agree(api, account_id, { scopes: IDENTITY });
  const own = await api.must<List>(200, 'accounts', 'GET', '/v1/consents', { token: user });
  assert.deepEqual(givers(own), ['integrator', 'person']);
  const asked = own.consents[1]?.scopes ?? [];
  assert.deepEqual(
    asked.map(({ scope }) => scope),
    IDENTITY,
  );
  assert.ok(asked.every(({ sentence }) => /^[A-Z].*\.$/.test(sentence)));
  const path = `/user-info/${account_id}/consents`;
  assert.deepEqual(await api.must(200, 'accounts', 'GET', path), own);
  const through = { token: session };
  assert.deepEqual(await api.must(200, 'accounts', 'GET', '/v1/consents', through), own);
  const other = await person();
  const foreign = await api.must<List>(200, 'accounts', 'GET', '/v1/consents', {
    token: other.token,
  });
  assert.equal(foreign.account_id, other.account_id);
  assert.ok(own.consents.every(({ consent_id }) => !JSON.stringify(foreign).includes(consent_id)));
});

async function sessionFor(account_id: string, flow: string): Promise<string> {
  const wish = { body: { account_id, flow } };
  type Made = { redirect: string };
  const { redirect } = await platform.api.must<Made>(200, 'auth', 'POST', '/authorize/user', wish);
  return openedToken(redirect);
}

test('taken back, the session ends at once and the next link asks again', async () => {
  const { api } = platform;
  const { account_id, token } = await person();
  const first = await agree(api, account_id, { scopes: IDENTITY });
  const stranger = await person();
  const path = `/v1/consents/${first.consent}`;
  const refused = await accounts('DELETE', path, { token: stranger.token });
  assert.deepEqual([refused.status, refused.code], [404, 'CONSENT_NOT_FOUND']);
  const sessions = (): Promise<Reply> => accounts('GET', '/v1/consents', { token: first.session });
  assert.equal((await sessions()).status, 200);
  const paying = { token: await sessionFor(account_id, 'purchase') };
  assert.equal((await accounts('DELETE', path, paying)).status, 204);
  assert.deepEqual([(await sessions()).status, (await sessions()).code], [401, 'TOKEN_INVALID']);
  assert.equal((await accounts('GET', '/v1/consents', { token })).status, 401, 'attested alike');
  const left = await api.must<List>(200, 'accounts', 'GET', '/v1/consents', paying);
  assert.deepEqual(givers(left), ['person'], 'what is about other things stands');
  const again = await accounts('DELETE', path, paying);
  assert.deepEqual([again.status, again.text], [404, refused.text]);
  assert.equal((await accounts('DELETE', '/v1/consents/x', paying)).text, refused.text);
  const wish = { body: { account_id, return_token: true } };
  const told = await api.send('auth', 'POST', '/authorize/user', wish);
  assert.deepEqual([told.status, told.code], [403, 'CONSENT_REVOKED']);
  await sessionFor(account_id, 'kyc');
  const second = await agree(api, account_id, { scopes: IDENTITY });
  assert.notEqual(second.consent, first.consent);
  const acts = await platform.db.query<{ act: string }>({
    text: `select act from audit_entry where subject = any($1) order by at`,
    values: [[first.consent, second.consent]],
  });
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['consent_given', 'consent_revoked', 'consent_given'],
  );
});

test('a session may take back the consent that it stands on', async () => {
  const { account_id } = await person();
  const { session, consent } = await agree(platform.api, account_id);
  const call = { token: session, headers: { 'idempotency-key': 'taken back' } };
  assert.equal((await accounts('DELETE', `/v1/consents/${consent}`, call)).status, 204);
  assert.equal((await accounts('GET', '/v1/consents', { token: session })).status, 401);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
