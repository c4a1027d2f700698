// An address is verified by a code: mailed to it, six digits, ten minutes by the clock of the
// workspace, five tries, for who asked alone, and stored nowhere in clear.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agree, mailedCode, requireTenMails } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';

let platform: Platform;
let user: string;
let account: string;
before(async () => {
  platform = await startPlatform();
  account = platform.ready.accounts.buyer.account_id;
  ({ user } = await agree(platform.api, account));
});
after(() => platform?.stop());

const AT = '/v1/user-info/email';

async function begin(email: string, token = user): Promise<string> {
  type Begun = { readonly nonce: string };
  const call = { body: { email }, token };
  const path = `${AT}/begin-verify`;
  return (await platform.api.must<Begun>(200, 'accounts', 'POST', path, call)).nonce;
}

async function finish(nonce: string, code: string, token = user): Promise<string> {
  const call = { body: { nonce, code }, token };
  return (await platform.api.send('accounts', 'POST', `${AT}/finish-verify`, call)).code;
}

const arabic = (code: string): string =>
  code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '');

/** The code that follows: certainly another. */
const other = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0');

async function emailOf() {
  type Email = { readonly address: string; readonly is_verified: boolean };
  type Info = { readonly email: Email | null };
  const path = `/v1/user-info/${account}`;
  const { email } = await platform.api.must<Info>(200, 'accounts', 'GET', path);
  return [email?.address, email?.is_verified];
}

test('the right code makes the address the person’s own, verified', async () => {
  const nonce = await begin('zoe@people.example');
  const code = await mailedCode(platform.api, 'zoe@people.example');
  assert.match(code, /^\d{6}$/);
  assert.equal(await finish(nonce, other(code)), 'EMAIL_CODE_WRONG');
  assert.notDeepEqual(await emailOf(), ['zoe@people.example', true]);
  assert.equal(await finish(nonce, `${arabic(code)}٠`), 'INVALID_FIELD');
  assert.equal(await finish(nonce, arabic(code)), '', 'as typed on an Arabic keyboard');
  assert.deepEqual(await emailOf(), ['zoe@people.example', true]);
});

test('after five tries, together or one by one, the right code is refused too', async () => {
  const nonce = await begin('five@people.example');
  const code = await mailedCode(platform.api, 'five@people.example');
  const tries = Array.from({ length: 8 }, (_, n) => finish(nonce, other(code, n + 1)));
  const codes = await Promise.all(tries);
  assert.equal(codes.filter((one) => one === 'EMAIL_CODE_WRONG').length, 5);
  assert.equal(codes.filter((one) => one === 'EMAIL_CODE_SPENT').length, 3);
  assert.equal(await finish(nonce, code), 'EMAIL_CODE_SPENT');
  assert.deepEqual(await emailOf(), ['zoe@people.example', true]);
});

test('a code is entered by who asked for it, and for that nonce alone', async () => {
  const one = await begin('one@people.example');
  const code = await mailedCode(platform.api, 'one@people.example');
  const somebody = await agree(platform.api, platform.ready.accounts.seller.account_id);
  assert.equal(await finish(one, code, somebody.user), 'EMAIL_CODE_EXPIRED');
  const theirs = await begin('two@people.example', somebody.user);
  assert.equal(await finish(theirs, code), 'EMAIL_CODE_EXPIRED');
  const client = await platform.api.send('accounts', 'POST', `${AT}/finish-verify`, {
    body: { nonce: one, code },
  });
  assert.deepEqual([client.status, client.code], [403, 'TOKEN_KIND_REFUSED']);
  assert.equal(await finish(one, '12345'), 'INVALID_FIELD');
  assert.equal(await finish('no', code), 'INVALID_FIELD');
});

test('it expires after ten minutes of the workspace’s clock', async () => {
  const nonce = await begin('late@people.example');
  const code = await mailedCode(platform.api, 'late@people.example');
  const move = { body: { advance_seconds: 601 } };
  await platform.api.must(200, 'invoicing', 'POST', '/sandbox/clock', move);
  assert.equal(await finish(nonce, code), 'EMAIL_CODE_EXPIRED');
});

test('a person asks for ten a day, of addresses alone, where mails are on', async () => {
  const { user: token } = await agree(platform.api, platform.ready.accounts.seller2.account_id);
  const ask = async (email: string) => {
    const call = { body: { email }, token };
    return (await platform.api.send('accounts', 'POST', `${AT}/begin-verify`, call)).code;
  };
  assert.equal(await ask('nobody'), 'INVALID_FIELD');
  await requireTenMails(platform.api, ask);
});

test('neither code nor address is in clear anywhere', async () => {
  const nonce = await begin('kept@people.example');
  const code = await mailedCode(platform.api, 'kept@people.example');
  const rows = await platform.db.query<{ text: string }>({
    text: `select e::text as text from email_check e where id = $1
      union all select m::text from mail m union all select i::text from idempotency i
      union all select a::text from audit_entry a union all select c::text from captured_mail c`,
    values: [nonce],
  });
  const all = [...rows.map(({ text }) => text), platform.log()].join('\n');
  assert.doesNotMatch(all, /people\.example/);
  assert.doesNotMatch(all, new RegExp(`(?<![\\w-])${code}(?![\\w-])`));
});
