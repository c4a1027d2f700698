// Submitting again after a denial: the reasons decide what is asked for, that is enough, the rest
// is kept, and without a reason the whole form is due. [G-51, G-52]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { openBench, type Bench, type Reply } from '../../../../test/kit/domain-bench.ts';
import {
  decided,
  identityBench,
  identityRows,
  PERSON,
  PICTURE,
  submission,
  TAX_FORM,
} from '../../../../test/kit/identity.ts';
import { PARTS } from './parts.ts';
import { loadWatchList, readWatchList } from './watch-list.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
});
after(() => bench.close());

const WHOLE = PARTS.filter((part) => part !== 'phone');
const FIRST = ['first', 'last', 'date_of_birth', 'street', 'city', 'country', 'document_type',
  'document_country', 'document_front'].map((field) => `kyc_pii.${field}`);
const FRONT = { document_type: 'ID', document_country: 'US', document_front: PICTURE };
const HOME = { street: '2 New Way', city: 'Reno', state: 'NV', zip: '89501', country: 'US' };
const FRANCE = { street: '3 Rue', city: 'Lille', zip: '59000', country: 'FR' };

interface Form {
  readonly state: string;
  readonly needs: readonly string[];
  readonly failed: readonly string[];
}

function formOf(account: string): Promise<Form> {
  return bench.must<Form>('getKYCForm', { caller: id.caller(account) });
}

function send(account: string, pii: object, more: object = {}, key?: string): Promise<Reply> {
  const body = { kyc_pii: pii, ...more };
  const caller = id.caller(account);
  return bench.call('submitKYC', { body, caller, ...(key === undefined ? {} : { key }) });
}

/** A new account whose submission ended in a state with these reasons. */
async function ended(
  reasons: readonly string[],
  pii: object = {},
  state: 'denied' | 'incomplete' | 'review' = 'denied',
): Promise<string> {
  const account = await bench.newAccount();
  const reply = await send(account, submission(pii)['kyc_pii'] as object);
  assert.equal(reply.code, null, JSON.stringify(reply.errors));
  id.vendor.says = decided(state, reasons);
  await id.ask();
  return account;
}

/** What the vendor gets after this submission. */
async function ordered(account: string, pii: object, more: object = {}) {
  const reply = await send(account, pii, more);
  assert.equal(reply.code, null, JSON.stringify(reply.errors));
  id.vendor.says = decided('accepted');
  await id.ask();
  const order = id.vendor.orders.at(-1);
  assert.ok(order);
  return { ...order.person, roles: order.files.map(({ role }) => role).toSorted() };
}

const AS_BEFORE = {
  first: PERSON.first,
  middle: '',
  last: PERSON.last,
  date_of_birth: PERSON.date_of_birth,
  street: PERSON.street,
  street2: '',
  city: PERSON.city,
  region: PERSON.state,
  zip: PERSON.zip,
  country: 'US',
  phone_code: PERSON.phone_code,
  phone_number: PERSON.phone_number,
  ssn_last4: '6789',
  document_type: 'DL',
  document_country: 'US',
  roles: ['back', 'front'],
};

const { state: region, ...place } = HOME;
for (const [codes, needs, pii, changed] of [
  [['NAME_DIFFERS'], ['name'], { first: 'Ann', last: 'New' }, { first: 'Ann', last: 'New' }],
  [['BIRTH_DATE_DIFFERS'], ['birth'], { date_of_birth: '1980-01-02' }, null],
  [['UNDERAGE'], ['birth'], { date_of_birth: '1980-01-02' }, null],
  [['ADDRESS_NOT_CONFIRMED'], ['address'], HOME, { ...place, region }],
  [['PHONE_NOT_CONFIRMED'], ['phone'], { phone_code: '1', phone_number: '4155550101' }, null],
  [['TAX_NUMBER_NOT_CONFIRMED'], ['tax'], { ssn: '123-45-6780' }, { ssn_last4: '6780' }],
  [['DOCUMENT_FRONT_UNREADABLE'], ['document_front'], { ...FRONT, document_type: 'DL' }, {}],
  [['DOCUMENT_BACK_UNREADABLE'], ['document_back'], { document_back: PICTURE }, {}],
  [
    ['DOCUMENT_EXPIRED'],
    ['document_front', 'document_back'],
    FRONT,
    { document_type: 'ID', roles: ['front'] },
  ],
  [
    ['BIRTH_DATE_DIFFERS', 'NAME_DIFFERS'],
    ['name', 'birth'],
    { first: 'Ann', last: 'New', date_of_birth: '1980-01-02' },
    null,
  ],
] as const) {
  test(`${codes.join(', ')}: only that is asked for, and the rest is kept`, async () => {
    const account = await ended(codes);
    const form = await formOf(account);
    assert.deepEqual([form.needs, form.failed], [needs, needs]);
    const missing = await send(account, {});
    assert.equal(missing.code, 'MISSING_FIELD');
    const due = Object.keys(pii).filter((field) => !['state', 'zip'].includes(field));
    const paths = due.map((field) => `kyc_pii.${field}`);
    assert.deepEqual(Object.keys(missing.errors).toSorted(), paths.toSorted());
    assert.deepEqual(await ordered(account, pii), { ...AS_BEFORE, ...(changed ?? pii) });
    assert.equal((await formOf(account)).state, 'ACCEPT');
    await bench.proved();
  });
}

test('a proof of address alone is enough where it is what was asked for', async () => {
  const account = await ended(['PROOF_OF_ADDRESS_NEEDED'], {}, 'review');
  assert.deepEqual((await formOf(account)).needs, ['extra_files']);
  assert.deepEqual(Object.keys((await send(account, {})).errors), ['extra_files']);
  const order = await ordered(account, {}, { extra_files: [PICTURE] });
  assert.deepEqual(order, { ...AS_BEFORE, roles: ['back', 'extra', 'front'] });
});

test('a part is sent whole, and what is sent fits what is kept', async () => {
  const account = await ended(['NAME_DIFFERS']);
  const name = { first: 'Ann', last: 'New' };
  const before = await identityRows(bench);
  for (const [pii, code, fields] of [
    [{ first: 'Ann' }, 'MISSING_FIELD', ['last']],
    [{ ...name, city: 'Reno' }, 'MISSING_FIELD', ['street', 'country']],
    [{ ...name, street: 'x', city: 'y', country: 'US' }, 'MISSING_FIELD', ['state', 'zip']],
    [{ ...name, document_front: PICTURE }, 'MISSING_FIELD', ['document_type', 'document_country']],
    [{ ...name, phone_code: '1' }, 'MISSING_FIELD', ['phone_number']],
    [{ ...name, ...FRANCE, ssn: '123-45-6789' }, 'INVALID_FIELD', ['ssn']],
    [{ ...name, date_of_birth: '2999-01-01' }, 'INVALID_FIELD', ['date_of_birth']],
  ] as const) {
    const { code: got, errors } = await send(account, pii);
    const paths = fields.map((field) => `kyc_pii.${field}`);
    assert.deepEqual([got, Object.keys(errors)], [code, paths], JSON.stringify(fields));
  }
  assert.deepEqual(await identityRows(bench), before);
});

test('who moves takes no US number along, and who moves to the US states one', async () => {
  const us = { state: undefined, ssn: undefined };
  const abroad = { ...FRANCE, ...us, phone_code: '33', document_country: 'FR' };
  const away = await ended(['ADDRESS_NOT_CONFIRMED']);
  assert.equal((await ordered(away, FRANCE)).ssn_last4, '');
  const home = await ended(['ADDRESS_NOT_CONFIRMED'], abroad);
  assert.deepEqual(Object.keys((await send(home, HOME)).errors), ['kyc_pii.ssn']);
  assert.equal((await ordered(home, { ...HOME, ssn_last4: '4321' })).ssn_last4, '4321');
  const stays = await ended(['NAME_DIFFERS'], abroad);
  const foreign = await send(stays, { first: 'Ann', last: 'New', ssn_last4: '4321' });
  assert.deepEqual([foreign.code, Object.keys(foreign.errors)],
    ['INVALID_FIELD', ['kyc_pii.ssn_last4']]);
});

test('rules and the watch-list look at the whole, and nothing of it is readable', async () => {
  const { db, services, home } = bench;
  await loadWatchList(db, services.keys, home.workspace, readWatchList('ann new;1990-02-28\n'));
  const account = await ended(['NAME_DIFFERS', 'ADDRESS_NOT_CONFIRMED'], { signature: 'Quetzal' });
  const answer = await send(account, { first: 'Ann', last: 'New', ...FRANCE });
  assert.equal(answer.code, null);
  id.vendor.says = decided('accepted');
  await id.ask();
  await loadWatchList(db, services.keys, home.workspace, []);
  const [row] = await db.query<{ rules: string; all: string }>({
    text: `select rules, a::text as all from kyc_application a
      where account_id = $1 order by created desc limit 1`,
    values: [uuidOfWireId('acct', account)],
  });
  const rules = JSON.parse(row?.rules ?? '[]') as string[];
  const found = ['phone_country:1', 'document_country:1', 'watch_list:1', 'age:0'];
  assert.deepEqual(found.filter((rule) => !rules.includes(rule)), []);
  const form = await formOf(account);
  assert.deepEqual([form.state, form.needs], ['MANUAL_REVIEW', ['phone', 'extra_files']]);
  for (const text of [JSON.stringify([answer, form]), row?.all ?? '']) {
    assert.equal(/Quetzal|1990-02-28|6789/.test(text), false);
  }
  await bench.proved();
});

test('the same key again answers the same; what was asked meanwhile is asked first', async () => {
  const account = await ended(['NAME_DIFFERS']);
  const [pii, key] = [{ first: 'Ann', last: 'New' }, newUuid()];
  const { files } = bench.services;
  // The application ends while the file is inspected.
  const inspect: typeof files.inspect = async (request) => {
    const body = { state: 'CANCEL' };
    await bench.must('setAccountKYCState', { params: { account_id: account }, body });
    return files.inspect(request);
  };
  Object.assign(bench.services, { files: { inspect } });
  const proof = { extra_files: [PICTURE] };
  const overtaken = await send(account, pii, proof);
  Object.assign(bench.services, { files });
  assert.deepEqual([overtaken.status, overtaken.code], [503, 'KYC_CHANGED_MEANWHILE']);
  const other = await ended(['NAME_DIFFERS']);
  const first = await send(other, pii, {}, key);
  const stored = await identityRows(bench);
  assert.equal(first.code, null);
  assert.deepEqual(await send(other, pii, {}, key), first);
  assert.deepEqual(await identityRows(bench), stored);
  await bench.proved();
});

// From here on rows are changed behind the platform's back, so the books are not verified again.
test('where nothing says what was wrong, or nothing is kept, the whole form is due', async () => {
  const set = (account_id: string, state: string) =>
    bench.must('setAccountKYCState', { params: { account_id }, body: { state } });
  const change = (text: string) => async (account: string) => {
    const mine = uuidOfWireId('acct', account);
    assert.equal(await bench.db.execute({ text, values: [mine] }), 1);
  };
  const cases: [string, readonly string[], (account: string) => Promise<unknown>][] = [
    ['denied outright', ['NOT_VERIFIED'], async () => {}],
    ['something unsaid with it', ['NAME_DIFFERS', 'SOMETHING_NEW'], async () => {}],
    ['incomplete', ['INFORMATION_INCOMPLETE'], async () => {}],
    ['ended by the review', ['NAME_DIFFERS'], (account) => set(account, 'CANCEL')],
    ['a tax form since', ['NAME_DIFFERS'], async (account) => {
      const params = { account_id: account };
      const body = { state: 'DENY', kyc_requirements: 'TAX_UPDATE' };
      await bench.must('setAccountKYCState', { params, body });
      assert.equal((await send(account, TAX_FORM.kyc_pii, { form: 'tax' })).code, null);
    }],
    ['erased', ['NAME_DIFFERS'], change(
      'update kyc_application set sealed = null where account_id = $1',
    )],
    ['no document', ['NAME_DIFFERS'], change(
      "update kyc_application set documents = '{}' where account_id = $1",
    )],
  ];
  for (const [what, codes, then] of cases) {
    const account = await ended(codes);
    await then(account);
    const form = await formOf(account);
    assert.deepEqual([form.needs, form.failed], [WHOLE, []], what);
    const reply = await send(account, { first: 'Ann', last: 'New' });
    assert.equal(reply.code, 'MISSING_FIELD', what);
    const due = FIRST.filter((path) => !/\.(first|last)$/.test(path));
    assert.deepEqual(Object.keys(reply.errors), due, what);
    await ordered(account, submission()['kyc_pii'] as object);
    assert.equal((await formOf(account)).state, 'ACCEPT', 'a whole one is taken');
  }
  const stated = await ended(['TAX_NUMBER_NOT_CONFIRMED'], { ssn: undefined });
  assert.deepEqual((await formOf(stated)).needs, WHOLE, 'no number was stated');
});

test("another account's application is never kept", async () => {
  const [one, other] = [await ended(['NAME_DIFFERS']), await ended(['NAME_DIFFERS'])];
  const uuids = [one, other].map((account) => uuidOfWireId('acct', account));
  const text = `update kyc k set application_id = a.id from kyc_application a
    where k.id = $1 and a.account_id = $2`;
  await bench.db.execute({ text, values: uuids });
  assert.deepEqual((await formOf(one)).needs, WHOLE);
  const reply = await send(one, { first: 'Ann', last: 'New' });
  assert.deepEqual([reply.code, Object.keys(reply.errors).length], ['MISSING_FIELD', 7]);
});
