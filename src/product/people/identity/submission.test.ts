// Submissions with a scripted vendor: every state, the machine's final states, late, repeated and
// contradictory answers, what is stored and what is announced.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { openBench, type Bench, type Reply } from '../../../../test/kit/domain-bench.ts';
import {
  decided,
  identityBench,
  identityRows,
  PICTURE,
  submission,
  TAX_FORM,
} from '../../../../test/kit/identity.ts';
import { KYC_STATES } from './machine.ts';
import { dropDocuments, forgetStrays } from './documents.ts';
import { sweepChecks } from './notices.ts';
import { settleCheck } from './settle.ts';
import { loadWatchList, readWatchList } from './watch-list.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
});
after(() => bench.close());

interface Shown {
  readonly kyc_id: string;
  readonly state: string;
  readonly reasons: readonly { readonly code: string }[];
  readonly rules_bitch: readonly string[];
  readonly document_front_id?: string;
  readonly pii_collection_uri?: string;
  readonly vendor_reference_id?: string;
  readonly pii_level?: string;
  readonly kyc_requirements?: string;
}

function send(account: string, body: object, key?: string): Promise<Reply> {
  const caller = id.caller(account);
  return bench.call('submitKYC', { body, caller, ...(key === undefined ? {} : { key }) });
}

async function sent(account: string, body: object = submission()): Promise<Shown> {
  const reply = await send(account, body);
  assert.deepEqual([reply.status, reply.code], [200, null], JSON.stringify(reply.errors));
  return reply.payload as Shown;
}

function read(account: string, kyc_id?: string): Promise<Shown> {
  const query = kyc_id === undefined ? {} : { kyc_id };
  return bench.must<Shown>('getKYCApplication', { query, caller: id.caller(account) });
}

function status(account_id: string): Promise<Shown> {
  return bench.must<Shown>('getKYCStatus', { params: { account_id } });
}

function set(account_id: string, body: object): Promise<unknown> {
  return bench.must('setAccountKYCState', { params: { account_id }, body });
}

/** Submits, and has the vendor decide. */
async function submitted(account: string, says: ReturnType<typeof decided>): Promise<Shown> {
  await sent(account);
  id.vendor.says = says;
  await id.ask();
  return read(account);
}

/** Brings an account into a state by ordinary means. */
async function bring(state: (typeof KYC_STATES)[number]): Promise<string> {
  const account = await bench.newAccount();
  if (state === 'NONE') await sent(account, TAX_FORM);
  else if (state === 'PROCESSING') await sent(account);
  else if (state === 'SYSTEM-CANCELLED') await submitted(account, decided('incomplete'));
  else if (state === 'REVERIFY') {
    await submitted(account, decided('accepted'));
    const params = { account_id: account };
    await bench.must('recheckKYC', { params, body: { note: 'a look at Zoë' } });
  } else await set(account, { state });
  assert.equal((await status(account)).state, state);
  return account;
}

test('every state: what a full form and a tax form do there', async () => {
  const refused = { ACCEPT: 'KYC_ALREADY_ACCEPTED', PROCESSING: 'KYC_IN_PROGRESS' } as Record<
    string,
    string
  >;
  for (const state of KYC_STATES) {
    const full = await send(await bring(state), submission());
    assert.equal(full.code, refused[state] ?? null, state);
    if (full.code === null) assert.equal((full.payload as Shown).state, 'PROCESSING');
    const tax = await send(await bring(state), TAX_FORM);
    const no = state === 'MANUAL_REVIEW' ? 'KYC_IN_PROGRESS' : 'KYC_TAX_FORM_NOT_DUE';
    assert.equal(tax.code, state === 'NODATA' ? null : (refused[state] ?? no), state);
  }
  await bench.proved();
});

test('the vendor decides: state, level, reasons, one event for each change', async () => {
  const ends = [
    ['accepted', 'ACCEPT', 'FULL', []],
    ['denied', 'DENY', 'BASIC', ['NOT_VERIFIED']],
    ['review', 'MANUAL_REVIEW', 'BASIC', []],
    ['incomplete', 'SYSTEM-CANCELLED', 'BASIC', ['INFORMATION_INCOMPLETE']],
  ] as const;
  for (const [says, state, level, reasons] of ends) {
    const account = await bench.newAccount();
    const answer = await sent(account);
    assert.match(answer.pii_collection_uri ?? '', /^http:\/\/widget.test\/ui\/appauth\/[\w-]{43}$/);
    assert.equal((await status(account)).pii_level, 'BASIC');
    id.vendor.says = decided(says);
    await id.ask();
    const shown = await read(account);
    assert.deepEqual([shown.state, shown.reasons.map(({ code }) => code)], [state, reasons]);
    assert.equal(shown.vendor_reference_id, `ref_${says}`);
    for (const rule of ['age:0', 'vendor_document:0']) {
      assert.ok(shown.rules_bitch.includes(rule), rule);
    }
    assert.equal((await status(account)).pii_level, level);
    const all = await bench.events('kyc-webhook');
    const told = all.filter((event) => event['account_id'] === account);
    assert.deepEqual(told.map((event) => event['state']), ['PROCESSING', state]);
  }
  await bench.proved();
});

test('an answer that is late, repeated or contradictory changes nothing, and shows', async () => {
  const account = await bench.newAccount();
  await sent(account);
  id.vendor.says = { state: 'unknown' };
  await id.ask();
  id.vendor.says = { state: 'pending', reference: 'ref' };
  for (let n = 0; n < 3; n += 1) await id.ask();
  assert.equal((await status(account)).state, 'PROCESSING');
  const [check] = await bench.db.query<{ id: string }>({
    text: 'select id from identity_check where account_id = $1',
    values: [uuidOfWireId('acct', account)],
  });
  const key = check?.id ?? '';
  const { workspace } = bench.home;
  const answers = ['denied', 'denied', 'pending', 'accepted', 'review', 'accepted'] as const;
  for (const [at, state] of answers.entries()) {
    id.vendor.says = state === 'pending' ? { state, reference: 'ref' } : decided(state);
    const body = { workspace, id: `notice ${at}`, key };
    for (let twice = 0; twice < 2; twice += 1) await bench.must('takeIdentityNotice', { body });
    await id.ask();
    assert.equal((await status(account)).state, 'DENY');
  }
  const rows = await bench.db.query(
    `select state, outcome, version from identity_check where id = '${key}'`,
  );
  assert.deepEqual(rows, [{ state: 'parked', outcome: 'denied', version: 4 }]);
  await bench.proved();
});

test('what was decided of an old application changes nothing of a new one', async () => {
  const account = await bench.newAccount();
  const first = await sent(account);
  await set(account, { state: 'DENY' });
  const second = await sent(account);
  assert.notEqual(second.kyc_id, first.kyc_id);
  id.vendor.says = decided('accepted');
  await id.ask();
  assert.equal((await read(account)).state, 'ACCEPT');
  assert.equal((await read(account, first.kyc_id)).state, 'DENY', 'kept as it ended');
  await bench.proved();
});

test('own rules and the watch-list overrule what the vendor accepts', async () => {
  const cases: [object, string, string | null][] = [
    [{ date_of_birth: '2015-01-01' }, 'age:2', 'UNDERAGE'],
    [{ document_country: 'FR' }, 'document_country:1', 'DOCUMENT_COUNTRY_DIFFERS'],
    [{ zip: 'ABC' }, 'postcode:1', 'ADDRESS_NOT_CONFIRMED'],
    [{ phone_code: '33' }, 'phone_country:1', 'PHONE_NOT_CONFIRMED'],
    [{ first: 'JOSÉ', middle: 'B', last: 'Bad Man' }, '', null],
  ];
  const list = readWatchList('# listed\nbad man  jose;1990-02-28\n');
  const { db, services, home } = bench;
  assert.equal(await loadWatchList(db, services.keys, home.workspace, list), 1);
  id.vendor.says = decided('accepted');
  for (const [more, rule, reason] of cases) {
    const account = await bench.newAccount();
    await sent(account, submission(more));
    await id.ask();
    const shown = await read(account);
    assert.equal(shown.state, 'MANUAL_REVIEW', JSON.stringify(more));
    if (rule !== '') assert.ok(shown.rules_bitch.includes(rule), rule);
    assert.deepEqual(shown.reasons.map(({ code }) => code), reason === null ? [] : [reason]);
    assert.equal(JSON.stringify(shown).includes('watch'), false, 'whoever is listed is not told');
    const proof = { extra_files: [PICTURE] };
    const again = await send(account, submission(more, proof));
    assert.equal(again.code, reason === null ? 'KYC_IN_PROGRESS' : null, 'only what was asked');
  }
  await loadWatchList(db, services.keys, home.workspace, []);
});

test('a match is reviewed from a score on; what is accepted gives no reasons', async () => {
  for (const [score, state] of [
    [7_999, 'ACCEPT'],
    [8_000, 'MANUAL_REVIEW'],
  ] as const) {
    const account = await bench.newAccount();
    await sent(account);
    const [check] = await bench.db.query<{ workspace: number; checkId: string }>({
      text: `with asked as (select * from identity_check where account_id = $1), matched as (
          insert into match_check (workspace, id, application_id, account_id, matched_account_id,
            matched_application_id, score)
          select workspace, $2, application_id, account_id, $2, $2, $3 from asked)
        select workspace, id as "checkId" from asked`,
      values: [uuidOfWireId('acct', account), newUuid(), score],
    });
    assert.ok(check);
    const { workspace, checkId } = check;
    const outcome = decided('accepted', ['DOCUMENT_BACK_UNREADABLE']);
    const answer = { checkId, outcome, reviewFrom: 0.8 };
    await bench.services.engine.run(settleCheck, answer, { workspace, actor: 'vendor' });
    const shown = await read(account);
    assert.equal(shown.state, state);
    if (state === 'ACCEPT') assert.deepEqual(shown.reasons, []);
  }
  await bench.proved();
});

test('a refused document is sent again alone, and what was fine is used again', async () => {
  const account = await bench.newAccount();
  const before = await submitted(account, decided('denied', ['DOCUMENT_BACK_UNREADABLE']));
  const none = await send(account, submission({ document_front: undefined }));
  assert.equal(none.code, null);
  const after = none.payload as Shown;
  assert.equal(after.document_front_id, before.document_front_id);
  assert.notEqual(after.kyc_id, before.kyc_id);
  id.vendor.says = decided('denied', ['DOCUMENT_FRONT_UNREADABLE']);
  await id.ask();
  assert.equal(id.vendor.orders.at(-1)?.files.length, 2);
  const missing = await send(account, submission({ document_front: undefined }));
  assert.deepEqual(
    [missing.status, missing.code, Object.keys(missing.errors)],
    [400, 'MISSING_FIELD', ['kyc_pii.document_front']],
  );
  await bench.proved();
});

test('an update of tax data: payouts wait for it, and what was required comes back', async () => {
  const account = await bench.newAccount();
  await submitted(account, decided('accepted'));
  await set(account, { state: 'ACCEPT', kyc_requirements: 'FULL_KYC' });
  await set(account, { state: 'ACCEPT', kyc_requirements: 'TAX_UPDATE' });
  const answer = await sent(account, TAX_FORM);
  assert.deepEqual([answer.state, answer.pii_collection_uri], ['ACCEPT', undefined]);
  const shown = await status(account);
  assert.deepEqual([shown.state, shown.kyc_requirements], ['ACCEPT', 'FULL_KYC']);
  assert.equal((await send(account, TAX_FORM)).code, 'KYC_ALREADY_ACCEPTED');
  await bench.proved();
});

test('a whole application does not stand in for an update of tax data', async () => {
  const account = await bench.newAccount();
  await set(account, { state: 'DENY', kyc_requirements: 'TAX_UPDATE' });
  await sent(account, submission());
  assert.equal((await status(account)).kyc_requirements, 'TAX_UPDATE');
});

test('the same key again answers the same, link and all, also in a later state', async () => {
  const account = await bench.newAccount();
  const key = newUuid();
  const first = await send(account, submission(), key);
  const stored = await identityRows(bench);
  assert.deepEqual(await send(account, submission(), key), first);
  assert.deepEqual(await identityRows(bench), stored);
  id.vendor.says = decided('denied');
  await id.ask();
  const settled = await identityRows(bench);
  assert.deepEqual(await send(account, submission(), key), first);
  assert.deepEqual(await identityRows(bench), settled);
  const other = await send(account, submission({ city: 'Elsewhere' }), key);
  assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED');
  assert.deepEqual(await identityRows(bench), settled);
});

test('of submissions at the same time one wins, and the others leave nothing', async () => {
  const account = await bench.newAccount();
  const replies = await Promise.all(Array.from({ length: 6 }, () => send(account, submission())));
  assert.equal(replies.filter((reply) => reply.code === null).length, 1);
  const rows = await bench.db.query<{ n: bigint }>({
    text: 'select count(*) as n from kyc_document where account_id = $1',
    values: [uuidOfWireId('acct', account)],
  });
  assert.equal(rows[0]?.n, 2n);
  await bench.proved();
});

test('no personal field is readable in any table, event or answer', async () => {
  const account = await bench.newAccount();
  const mark = 'Quetzalcoatlus';
  const marked = { first: mark, street: `${mark} street`, city: mark, signature: mark };
  const answer = await sent(account, submission(marked));
  id.vendor.says = decided('review');
  await id.ask();
  assert.equal(id.vendor.orders.at(-1)?.person.first, mark);
  assert.equal(id.vendor.orders.at(-1)?.person.ssn_last4, '6789');
  const texts = [JSON.stringify(answer), JSON.stringify(await read(account))];
  for (const table of ['kyc_application', 'identity_check', 'step', 'outbox', 'idempotency']) {
    const rows = await bench.db.query<{ row: string }>(`select t::text as row from ${table} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  for (const text of texts) {
    for (const secret of [mark, '123-45-6789', '123456789', '1990-02-28', 'clean picture']) {
      assert.equal(text.includes(secret), false, `${secret}: ${text.slice(0, 200)}`);
    }
  }
});

test('documents of an application that exists are never dropped', async () => {
  const account = await bench.newAccount();
  const application = uuidOfWireId('kyc', (await sent(account)).kyc_id) ?? '';
  await dropDocuments(bench.db, bench.home.workspace, application);
  const kept = await bench.db.query({
    text: 'select from kyc_document where application_id = $1',
    values: [application],
  });
  assert.ok(kept.length > 0);
});

test('what a crash leaves is cleared: stray documents, a check without a job', async () => {
  const { db } = bench;
  const account = await bench.newAccount();
  await sent(account);
  const mine = uuidOfWireId('acct', account);
  const copy = `insert into kyc_document (workspace, id, application_id, account_id, role, mime,
    size,
      sealed, created)
    select workspace, gen_random_uuid(), $2, account_id, role, mime, size, sealed,
      clock_timestamp() - $3::interval from kyc_document where account_id = $1 limit 1`;
  for (const age of ['10 min', '2 hours']) {
    await db.execute({ text: copy, values: [mine, newUuid(), age] });
  }
  await db.execute(`update kyc_document set created = created - interval '2 days'
    where application_id in (select id from kyc_application)`);
  assert.equal(await forgetStrays(db), 1, 'the old one of no application');
  const [{ jobs } = { jobs: 0n }] = await db.query<{ jobs: bigint }>(
    'select count(*) as jobs from identity_job',
  );
  await db.execute('delete from identity_job');
  assert.equal(await sweepChecks(db), Number(jobs));
  id.vendor.says = decided('accepted');
  await id.ask();
  assert.equal((await status(account)).state, 'ACCEPT');
  await bench.proved();
});

test('an address outside the US needs no region and no postcode', async () => {
  const home = { country: 'IE', document_country: 'IE', ssn: undefined, phone_code: '353' };
  const account = await bench.newAccount();
  await sent(account, submission({ ...home, state: undefined, zip: undefined }));
  await id.ask();
  const { region, zip } = id.vendor.orders.at(-1)?.person ?? {};
  assert.deepEqual([region, zip], ['', '']);
});

test('a name stays as it was written, in any script and normal form', async () => {
  for (const first of ['Zoe\u0308', 'Zo\u00eb', '\u5f20\u4f1f', '\u0645\u062d\u0645\u062f']) {
    await sent(await bench.newAccount(), submission({ first }));
    id.vendor.says = decided('accepted');
    await id.ask();
    assert.equal(id.vendor.orders.at(-1)?.person.first, first);
  }
});
