// A vendor that has the person go on at a page of its own: the person is told so and gets a fresh
// address, whom it accepted is compared with what was stated, and nobody waits for ever. [G-51]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decided, identityBench, PERSON, submission } from '../../../../test/kit/identity.ts';
import type { CheckOutcome, VerifiedPerson } from '../../../providers/identity/port.ts';
import { comparedWith } from './verified.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
});
after(() => bench.close());

const WAITING: CheckOutcome = { state: 'waiting', reference: 'ref' };
const READ: VerifiedPerson = {
  first: 'ZOE',
  last: "O'NEILL-ΩMEGA",
  date_of_birth: PERSON.date_of_birth,
  ssn_last4: '6789',
};

const form = (account: string) =>
  bench.must<{ state: string; at_vendor?: true }>('getKYCForm', { caller: id.caller(account) });
const page = (account: string) => bench.call('getKYCVendorPage', { caller: id.caller(account) });

interface Shown {
  readonly state: string;
  readonly reasons: readonly { readonly code: string }[];
  readonly rules_bitch: readonly string[];
}
const read = (account: string) =>
  bench.must<Shown>('getKYCApplication', { caller: id.caller(account) });

/** A person whose check waits as `says`. */
async function waiting(says: CheckOutcome = WAITING): Promise<string> {
  const account = await bench.newAccount();
  await bench.must('submitKYC', { body: submission(), caller: id.caller(account) });
  await told(says);
  return account;
}

async function told(says: CheckOutcome): Promise<void> {
  id.vendor.says = says;
  await id.ask();
}

async function later(days: number): Promise<void> {
  await bench.db.execute({
    text: `update workspace set clock_offset = clock_offset + make_interval(days => $2)
      where workspace = $1`,
    values: [bench.home.workspace, days],
  });
}

test('the person is sent on, and again, until the vendor decides', async () => {
  const account = await waiting();
  assert.equal((await form(account)).at_vendor, true);
  const shown = await page(account);
  assert.match((shown.payload as { url: string }).url, /^https:\/\/vendor\.test\/[0-9a-f-]{36}$/);
  await told({ state: 'pending', reference: 'ref' });
  assert.equal('at_vendor' in (await form(account)), false);
  assert.equal((await page(account)).code, 'KYC_NOT_AT_VENDOR');
  await told(WAITING);
  assert.equal((await form(account)).at_vendor, true);
  id.vendor.says = { state: 'unknown' };
  assert.equal((await page(account)).code, 'KYC_VENDOR_UNAVAILABLE');
  await told({ ...decided('accepted'), verified: READ });
  assert.equal((await read(account)).state, 'ACCEPT');
  assert.equal((await page(account)).code, 'KYC_NOT_AT_VENDOR');
  const steps = await bench.db.query<{ event: string }>(
    `select event from history where machine = 'identity_check' order by resource_id, version`,
  );
  const course = ['begin', 'sent_on', 'taken', 'sent_on', 'answered'];
  assert.deepEqual(steps.map(({ event }) => event), course);
  await bench.proved();
});

test('whoever else the vendor has accepted is reviewed, with what differs', async () => {
  const cases: [Partial<VerifiedPerson>, string, readonly string[]][] = [
    [{ first: 'Anna' }, 'verified_name:2', ['NAME_DIFFERS']],
    [{ date_of_birth: '1990-02-27' }, 'verified_birth_date:2', ['BIRTH_DATE_DIFFERS']],
    [{ ssn_last4: '6788' }, 'verified_tax_number:2', ['TAX_NUMBER_NOT_CONFIRMED']],
    [{ date_of_birth: '' }, 'verified_birth_date:1', []],
    [{ ssn_last4: '' }, 'verified_tax_number:1', []],
    [{ last: '' }, 'verified_name:1', []],
  ];
  for (const [change, rule, reasons] of cases) {
    const account = await waiting();
    await told({ ...decided('accepted'), verified: { ...READ, ...change } });
    const shown = await read(account);
    assert.equal(shown.state, 'MANUAL_REVIEW', rule);
    assert.ok(shown.rules_bitch.includes(rule), rule);
    assert.deepEqual(shown.reasons.map(({ code }) => code), reasons, rule);
  }
  await bench.proved();
});

test('a name is the same with more given names, accents or capitals, and no other', () => {
  const names = { first: 'Zoë', middle: 'May', last: 'de la Cruz' };
  const stated = { ...names, date_of_birth: '', ssn_last4: '' };
  const digit = (first: string, last: string, more: object = {}): string | undefined =>
    comparedWith({ ...stated, ...more }, { ...READ, first, last })[0]?.slice(-1);
  for (const [first, last] of [
    ['ZOE MAY', 'DE LA CRUZ'],
    ['Zoe', 'de la Cruz'],
    ['Zoë Anna May', 'Cruz, de la'],
    ['Zoe May de la', 'Cruz'],
  ] as const) {
    assert.equal(digit(first, last), '0', `${first} ${last}`);
  }
  for (const [first, last] of [
    ['Ann', 'de la Cruz'],
    ['Zoe', 'de la Cruz Smith'],
    ['Zoe', 'Cruz'],
    ['May', 'de la Cruz'],
    ['Zoe', 'Kruz'],
    ['de la Cruz', 'Zoe'],
  ] as const) {
    assert.equal(digit(first, last), '2', `${first} ${last}`);
  }
  assert.equal(digit('', 'de la Cruz'), '1');
  assert.equal(digit('Zoe', '', { first: '' }), '1');
});

test('a person who does not come for 30 days: the check is ended at the vendor', async () => {
  const account = await waiting();
  await later(29);
  await id.ask();
  assert.equal((await read(account)).state, 'PROCESSING');
  const before = id.vendor.abandoned.length;
  await later(2);
  await told(decided('incomplete'));
  assert.equal(id.vendor.abandoned.length, before + 1);
  const shown = await read(account);
  assert.equal(shown.state, 'SYSTEM-CANCELLED');
  assert.deepEqual(shown.reasons.map(({ code }) => code), ['INFORMATION_INCOMPLETE']);
  assert.equal((await form(account)).state, 'SYSTEM-CANCELLED');
  await bench.proved();
});

test('what is not decided within three days, operators decide; it can be erased', async () => {
  for (const says of [
    { state: 'pending', reference: 'ref' },
    { state: 'unknown' },
  ] as const) {
    const account = await waiting(says);
    await later(4);
    await id.ask();
    const shown = await read(account);
    assert.deepEqual([shown.state, shown.reasons], ['MANUAL_REVIEW', []], says.state);
    const [check] = await bench.db.query<{ vendor_reference: string }>(
      `select vendor_reference from identity_check order by updated desc limit 1`,
    );
    assert.notEqual(check?.vendor_reference, '');
  }
  await bench.proved();
});
