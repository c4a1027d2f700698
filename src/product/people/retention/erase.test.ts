// Erasing people: no row holds anything personal afterwards, the username cannot be used again,
// whatever prevents it says so, and the books hold. [PD3, PD6]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { ERASED } from '../account/index.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decided, identityBench, submission } from '../../../../test/kit/identity.ts';
import { settleCheck } from '../identity/index.ts';
import { endHold, erasePerson, finishErasures, placeHold } from './index.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
});
after(() => bench.close());

const uuidOf = (account: string): string => uuidOfWireId('acct', account) ?? '';

function erase(account: string): Promise<void> {
  const { workspace } = bench.home;
  const request = {
    workspace,
    account: uuidOf(account),
    reason: 'subject_request',
    actor: 'operator',
  };
  return erasePerson(bench.services, request);
}

async function refused(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error.spec.code;
    throw error;
  }
  return '';
}

/** The person's rows. */
async function rowsOf(account: string): Promise<Record<string, unknown>> {
  const [row] = await bench.db.query<Record<string, unknown>>({
    text: `select p.wrapped_key, p.sealed, a.username_key, a.blocked,
        (select count(*)::int from account_block b where b.account_id = a.id
          and b.sealed_note is not null) as notes,
        (select count(*)::int from kyc_document d where d.account_id = a.id) as documents,
        (select count(*)::int from kyc_application k where k.account_id = a.id
          and (k.sealed is not null or k.sealed_note is not null or k.ssn_key is not null
            or k.watch_keys <> '[]' or k.documents <> '{}')) as applications,
        (select count(*)::int from payment_method m where m.account_id = a.id
          and (m.processor_token <> '' or m.display_string like '%1111%')) as cards,
        (select count(*)::int from erasure_job j where j.id = a.id) as jobs
      from account a join account_person p on p.id = a.id where a.id = $1`,
    values: [uuidOf(account)],
  });
  return row ?? {};
}

/** An account with everything that a person can have. */
async function somebody(username: string): Promise<string> {
  const body = { username, email: { address: `${username}@example.org` }, full_name: 'Ada' };
  const { account_id } = await bench.must<{ account_id: string }>('registerAccount', { body });
  const caller = id.caller(account_id);
  const reply = await bench.call('submitKYC', { body: submission(), caller });
  assert.equal(reply.status, 200);
  id.vendor.says = decided('accepted');
  await id.ask();
  const card = { account_id, test_card: 'visa' };
  await bench.must('sandboxAttachCard', { body: card });
  const block = { account_id, block_capability: 'login', block_reason: 'x', note: 'about Ada' };
  await bench.must('blockAccount', { body: block });
  const lift = { account_id, block_capability: 'login', note: 'n' };
  await bench.must('unblockAccount', { body: lift });
  return account_id;
}

test('of an erased person nothing is left but the account', async () => {
  const name = newUuid();
  const account = await somebody(name);
  const before = await rowsOf(account);
  assert.deepEqual(
    [before['notes'], before['documents'], before['applications'], before['cards']],
    [1, 2, 1, 1],
  );
  await erase(account);
  const rest = await rowsOf(account);
  const { username_key, ...empty } = rest;
  assert.notEqual(username_key, before['username_key']);
  const nothing = { notes: 0, documents: 0, applications: 0, cards: 0 };
  const shell = { wrapped_key: ERASED, sealed: '', blocked: true, jobs: 1 };
  assert.deepEqual(empty, { ...shell, ...nothing });
  const params = { account_id: account };
  const shown = await bench.must<Record<string, unknown>>('getUserInfo', { params });
  assert.deepEqual([shown['username'], shown['email'], shown['is_blocked']], ['', null, true]);
  const { erased } = shown['blocked_capabilities'] as Record<string, { reason: string }>;
  assert.equal(erased?.reason, 'erased');
  const query = { username: name };
  assert.equal((await bench.call('searchUserInfo', { query })).code, 'ACCOUNT_NOT_FOUND');
  const kyc = await bench.must<Record<string, unknown>>('getKYCStatus', { params });
  assert.deepEqual([kyc['state'], kyc['pii_level'], kyc['match_checks']], ['ACCEPT', 'NONE', []]);
  const told = (await bench.events('kyc-webhook')).filter((one) => one['account_id'] === account);
  assert.deepEqual(
    told.map((one) => one['pii_level']),
    ['BASIC', 'FULL', 'NONE'],
  );
  const again = await bench.call('registerAccount', { body: { username: name } });
  assert.equal(again.code, 'USERNAME_ALREADY_TAKEN');
  await bench.proved();
});

test('what is decided after an erasure brings no data back', async () => {
  const body = { username: newUuid() };
  const { account_id } = await bench.must<{ account_id: string }>('registerAccount', { body });
  const caller = id.caller(account_id);
  assert.equal((await bench.call('submitKYC', { body: submission(), caller })).status, 200);
  const [check] = await bench.db.query<{ id: string }>({
    text: 'select id from identity_check where account_id = $1',
    values: [uuidOf(account_id)],
  });
  await erase(account_id);
  await bench.services.engine.run(
    settleCheck,
    { checkId: check?.id ?? '', outcome: decided('accepted') },
    { workspace: bench.home.workspace, actor: 'vendor' },
  );
  const params = { account_id };
  const kyc = await bench.must<Record<string, unknown>>('getKYCStatus', { params });
  assert.deepEqual([kyc['state'], kyc['pii_level']], ['ACCEPT', 'NONE']);
  await bench.proved();
});

test('an erased person stays erased, also to a second wish and to SQL', async () => {
  const account = await somebody(newUuid());
  await erase(account);
  await erase(account);
  const params = { account_id: account };
  const update = await bench.call('updateUserInfo', { params, body: { full_name: 'Ada' } });
  assert.equal(update.code, 'ACCOUNT_ERASED');
  const block = { account_id: account, block_capability: 'login' };
  await bench.must('blockAccount', { body: { ...block, block_reason: 'x', note: 'about Ada' } });
  await bench.must('unblockAccount', { body: block });
  assert.equal((await rowsOf(account))['notes'], 0);
  assert.equal((await rowsOf(account))['blocked'], true);
  const body = submission();
  const sent = await bench.call('submitKYC', { body, caller: id.caller(account) });
  assert.equal(sent.status, 400);
  const put = bench.db.execute({
    text: `update account_person set wrapped_key = 'v1.x', sealed = 'x' where id = $1`,
    values: [uuidOf(account)],
  });
  await assert.rejects(put, /written again/);
});

test('the vendor forgets, however often it takes, and an entry says when it is done', async () => {
  const account = await somebody(newUuid());
  await erase(account);
  const asked: string[] = [];
  let forgets = false;
  const vendor = Object.assign(Object.create(id.vendor) as typeof id.vendor, {
    forget: async (_workspace: number, key: string) => (asked.push(key), forgets),
  });
  const due = (): Promise<number> => bench.db.execute('update erasure_job set due = now()');
  await due();
  assert.equal(await finishErasures(bench.db, vendor), 0);
  const tried = asked.length;
  assert.ok(tried > 0);
  assert.equal(await finishErasures(bench.db, vendor), 0);
  assert.equal(asked.length, tried, 'it is left alone for a while');
  forgets = true;
  await due();
  assert.ok((await finishErasures(bench.db, vendor)) > 0);
  assert.equal((await rowsOf(account))['jobs'], 0);
  const entries = await bench.db.query({
    text: `select 1 from audit_entry where act = 'person_erased' and subject = $1`,
    values: [uuidOf(account)],
  });
  assert.equal(entries.length, 1);
});

test('a balance, money on its way and a hold keep a person', async () => {
  const account = await somebody(newUuid());
  const { workspace } = bench.home;
  const hold = { workspace, account: uuidOf(account), reason: 'court_order', actor: 'operator' };
  assert.equal(await placeHold(bench.db, hold), true);
  assert.equal(await placeHold(bench.db, hold), false);
  assert.equal(await refused(erase(account)), 'PERSON_HELD');
  assert.equal(await endHold(bench.db, hold), true);
  const money = { account_id: account, currency: 'USD', amount: 100 };
  await bench.must('sandboxDeposit', { body: money });
  assert.equal(await refused(erase(account)), 'PERSON_HAS_BALANCE');
  await bench.db.execute({
    text: `insert into invoice_document values ($1, $2, '{}')`,
    values: [workspace, hold.account],
  });
  const poor = await somebody(newUuid());
  await bench.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute({
      text: `insert into invoice (workspace, id, account_id, state, version, updated)
        values ($1, $2, $3, 'processing', 1, now())`,
      values: [workspace, hold.account, uuidOf(poor)],
    });
  });
  assert.equal(await refused(erase(poor)), 'PERSON_HAS_MONEY_UNDER_WAY');
  const nobody = { ...hold, account: newUuid() };
  assert.equal(await refused(erasePerson(bench.services, nobody)), 'ACCOUNT_NOT_FOUND');
  assert.equal(await refused(placeHold(bench.db, nobody)), 'ACCOUNT_NOT_FOUND');
  const gone = await somebody(newUuid());
  await erase(gone);
  const late = placeHold(bench.db, { ...hold, account: uuidOf(gone) });
  assert.equal(await refused(late), 'PERSON_ERASED');
});
