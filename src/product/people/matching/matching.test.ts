// Matching: what an application is matched with, what is never reported, what the database holds of
// it, races, reviews, and what is left of an erased person. [G-53, PD2, PD3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decided, identityBench, submission, TAX_FORM } from '../../../../test/kit/identity.ts';
import { matchApplications } from '../identity/index.ts';
import { erasePerson, finishErasures } from '../retention/index.ts';
import { startExchanges } from '../../../worker/exchanges.ts';
import { laws } from './laws.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
});
after(() => bench.close());

interface Shown {
  readonly account_id: string;
  readonly kyc_id: string;
  readonly state: string;
  readonly reasons: readonly unknown[];
  readonly rules_bitch: readonly string[];
  readonly match_checks: readonly {
    readonly kyc_match_check_id: string;
    readonly matched_account_id: string;
    readonly matched_kyc_id: string;
    readonly match_score: number;
  }[];
}

/** A person who is like nobody in another test. */
function somebody(seed: string, changes: object = {}): object {
  const digit = [...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 10_000;
  return {
    ...{ first: `Given${seed}`, last: `Family${seed}` },
    ssn: `123-45-${String(digit + 1).padStart(4, '0')}`,
    ...{ street: `${digit} ${seed} Road`, city: `${seed}ville`, zip: String(10_000 + digit) },
    ...{ phone_number: `415 555 ${String(9_999 - digit).padStart(4, '0')}` },
    date_of_birth: `19${50 + (digit % 50)}-0${1 + (digit % 9)}-1${digit % 10}`,
    ...changes,
  };
}

async function submit(account: string, pii: object): Promise<string> {
  const caller = id.caller(account);
  const reply = await bench.call('submitKYC', { body: submission(pii), caller });
  assert.equal(reply.status, 200, JSON.stringify(reply.errors));
  return (reply.payload as Shown).kyc_id;
}

async function applied(pii: object): Promise<{ account: string; kyc: string }> {
  const account = await bench.newAccount();
  const kyc = await submit(account, pii);
  await id.ask();
  return { account, kyc };
}

const read = (account: string): Promise<Shown> =>
  bench.must<Shown>('getKYCApplication', { query: {}, caller: id.caller(account) });
const status = (account_id: string): Promise<Shown> =>
  bench.must<Shown>('getKYCStatus', { params: { account_id } });
const uuidOf = (wire: string): string => uuidOfWireId('acct', wire) ?? '';
const erase = (account: string): Promise<void> =>
  erasePerson(bench.services, {
    ...{ workspace: bench.home.workspace, account: uuidOf(account) },
    ...{ reason: 'subject_request', actor: 'operator' },
  });

async function lawful(): Promise<void> {
  for (const { name, text } of laws) assert.deepEqual(await bench.db.query(text), [], name);
}

test('an application is told of others, the most alike first; theirs stay', async () => {
  const first = await applied(somebody('Alpha'));
  assert.deepEqual((await status(first.account)).match_checks, []);
  const moved = { street: '9 Far Lane', city: 'Elsewhere', zip: '99999' };
  const second = await applied(somebody('Alpha', moved));
  const third = await applied(somebody('Alpha'));
  const { match_checks } = await status(third.account);
  const named = match_checks.map((one) => [one.matched_account_id, one.matched_kyc_id]);
  assert.deepEqual(named, [
    [first.account, first.kyc],
    [second.account, second.kyc],
  ]);
  const scores = match_checks.map((one) => one.match_score);
  assert.ok(scores[0] === 1 && (scores[1] ?? 0) < 1 && (scores[1] ?? 0) > 0.99, String(scores));
  for (const one of match_checks) assert.match(one.kyc_match_check_id, /^kycmc_[0-9a-z]{26}$/);
  const own = await read(third.account);
  assert.deepEqual([own.kyc_id, own.match_checks], [third.kyc, []], 'a person hears nothing of it');
  const caller = id.caller(third.account);
  const params = { account_id: third.account };
  const asUser = await bench.must<Shown>('getKYCStatus', { params, caller });
  assert.deepEqual([asUser.kyc_id, asUser.match_checks], [third.kyc, []]);
  assert.equal((await status(second.account)).match_checks.length, 1);
  assert.deepEqual((await status(first.account)).match_checks, []);
  const told = (await bench.events('kyc-webhook')).filter((e) => e['account_id'] === third.account);
  assert.deepEqual(told.map((message) => message['match_checks']), [[], match_checks]);
  await lawful();
  await bench.proved();
});

test('strangers, the own earlier applications and other workspaces are no match', async () => {
  id.vendor.says = decided('incomplete');
  const one = await applied(somebody('Beta'));
  id.vendor.says = decided('accepted');
  await submit(one.account, somebody('Beta', { first: 'Corrected' }));
  await id.ask();
  assert.deepEqual((await status(one.account)).match_checks, []);
  const stranger = await applied(somebody('Gamma'));
  assert.deepEqual((await status(stranger.account)).match_checks, []);
  const { workspace } = bench.other;
  const keys = 'select count(*)::int as n from match_key where workspace = $1';
  assert.deepEqual(await bench.db.query({ text: keys, values: [workspace] }), [{ n: 0 }]);
  // The earlier statement is remembered: the match names its application.
  const again = await applied(somebody('Beta'));
  const [match] = (await status(again.account)).match_checks;
  assert.equal(match?.matched_account_id, one.account);
  assert.equal(match?.matched_kyc_id, one.kyc);
});

test('a tax form is compared too, by the beat of the worker', async () => {
  const full = await applied(somebody('Delta'));
  const account = await bench.newAccount();
  const { first, last, street, city, zip, ssn } = somebody('Delta') as Record<string, string>;
  const pii = { ...TAX_FORM.kyc_pii, first, last, street, city, zip, ssn };
  const body = { ...TAX_FORM, kyc_pii: pii };
  const caller = id.caller(account);
  assert.equal((await bench.call('submitKYC', { body, caller })).status, 200);
  assert.deepEqual((await status(account)).match_checks, []);
  assert.equal(await matchApplications(bench.services), 1);
  assert.equal(await matchApplications(bench.services), 0);
  const [match] = (await status(account)).match_checks;
  assert.equal(match?.matched_account_id, full.account);
});

test('a match alone asks for people only where the operator wants it', async () => {
  // As a production worker decides it, with a vendor that accepts everybody.
  const settled = async (pii: object, reviewMatches: boolean): Promise<Shown> => {
    const policies = { ...bench.services.policies, reviewMatches };
    const services = { ...bench.services, env: 'production', policies } as const;
    const fault = (error: unknown): never => assert.fail(String(error));
    const parts = { services, db: bench.db, processorTimeoutMs: 1_000, fault };
    const exchanges = startExchanges(parts as unknown as Parameters<typeof startExchanges>[0]);
    const account = await bench.newAccount();
    await submit(account, pii);
    exchanges.wake();
    for (let looks = 0; (await read(account)).state === 'PROCESSING'; looks += 1) {
      assert.ok(looks < 1_000, 'the check never ended');
      await delay(10);
    }
    await exchanges.stop();
    return read(account);
  };
  const results = async ({ kyc_id }: Shown): Promise<readonly string[]> => {
    const values = [uuidOfWireId('kyc', kyc_id)];
    const text = 'select rules from kyc_application where id = $1';
    const [row] = await bench.db.query<{ rules: string }>({ text, values });
    const all = JSON.parse(row?.rules ?? '[]') as string[];
    return all.filter((rule) => rule.startsWith('other_account'));
  };
  const scores = async (account_id: string): Promise<readonly number[]> =>
    (await status(account_id)).match_checks.map((match) => match.match_score);
  const first = await settled(somebody('Epsilon'), true);
  assert.deepEqual([first.state, await results(first)], ['ACCEPT', ['other_account:0']]);
  const second = await settled(somebody('Epsilon'), false);
  assert.deepEqual([second.state, await results(second)], ['ACCEPT', []]);
  assert.deepEqual(await scores(second.account_id), [1]);
  const third = await settled(somebody('Epsilon'), true);
  assert.deepEqual([third.state, await results(third)], ['MANUAL_REVIEW', ['other_account:1']]);
  assert.deepEqual(await scores(third.account_id), [1, 1]);
  assert.doesNotMatch(third.rules_bitch.join(), /other_account/, 'a person hears nothing of it');
  assert.deepEqual(third.reasons, []);
});

test('of two who apply at once, at least one is told of the other', async () => {
  for (let round = 0; round < 10; round += 1) {
    const pii = somebody(`Zeta${round}`);
    const accounts = [await bench.newAccount(), await bench.newAccount()];
    const match = async (account: string): Promise<void> => {
      await submit(account, pii);
      await matchApplications(bench.services);
    };
    await Promise.all(accounts.map(match));
    while ((await matchApplications(bench.services)) > 0);
    const shown = await Promise.all(accounts.map(status));
    const told = shown.map(({ match_checks }) => match_checks.length);
    assert.ok(Math.max(...told) === 1, `each is told once at most, and one at least: ${told}`);
  }
  await id.ask();
  await lawful();
});

test('nothing of an erased person is compared, listed, or put back', async () => {
  const one = await applied(somebody('Eta'));
  const two = await applied(somebody('Eta'));
  assert.equal((await status(two.account)).match_checks.length, 1);
  await erase(one.account);
  assert.deepEqual((await status(two.account)).match_checks, []);
  const left = (account: string) =>
    bench.db.query({
      text: `select (select count(*) from match_person where id = $1)
        + (select count(*) from match_key where id = $1)
        + (select count(*) from match_check where $1 in (account_id, matched_account_id))
        + (select count(*) from match_job where account_id = $1) as n`,
      values: [uuidOf(account)],
    });
  assert.deepEqual(await left(one.account), [{ n: 0n }]);
  while ((await finishErasures(bench.db, id.vendor)) > 0);
  const three = await applied(somebody('Eta'));
  assert.deepEqual(
    (await status(three.account)).match_checks.map((match) => match.matched_account_id),
    [two.account],
  );
  const values = [bench.home.workspace, uuidOf(one.account)];
  const text = `insert into match_person (workspace, id, sealed, keys) values ($1, $2, '', '{1}')`;
  await assert.rejects(bench.db.query({ text, values }), /erased person is matched again/);
  await lawful();
});

test('a match stays as it was found, and hashes follow their person', async () => {
  for (const text of [
    'update match_check set score = 1',
    'delete from match_check',
    'truncate match_check',
    'truncate match_person',
  ]) {
    await assert.rejects(bench.db.query(text), /a match is changed|match_check|match_person/);
  }
  const where = { values: [bench.home.workspace, newUuid()] };
  const put = `insert into match_person (workspace, id, sealed, keys) values ($1, $2, '', '{1,2}')`;
  await bench.db.query({ text: put, ...where });
  const keys = async (): Promise<unknown[]> => {
    const text =
    'select key::int as key from match_key where workspace = $1 and id = $2 order by 1';
    return (await bench.db.query<{ key: number }>({ text, ...where })).map(({ key }) => key);
  };
  assert.deepEqual(await keys(), [1, 2]);
  const change = `update match_person set keys = '{2,3}' where workspace = $1 and id = $2`;
  await bench.db.query({ text: change, ...where });
  assert.deepEqual(await keys(), [2, 3]);
  await bench.db.query({ text: 'delete from match_person where workspace = $1 and id = $2', ...where
  });
  assert.deepEqual(await keys(), []);
});

test('of a person the eight latest statements are kept, and a dump shows none', async () => {
  const account = await bench.newAccount();
  id.vendor.says = decided('incomplete');
  for (let n = 0; n < 10; n += 1) {
    await submit(account, somebody(`Theta${n}`));
    await id.ask();
  }
  id.vendor.says = decided('accepted');
  const latest = await applied(somebody('Theta9'));
  assert.equal((await status(latest.account)).match_checks[0]?.matched_account_id, account);
  const oldest = await applied(somebody('Theta0'));
  assert.deepEqual((await status(oldest.account)).match_checks, []);
  const rows = await bench.db.query<{ text: string }>(
    `select encode(sealed, 'escape') || keys::text as text from match_person`,
  );
  for (const { text } of rows) assert.doesNotMatch(text, /theta|family|given|ville/i);
  await lawful();
});
