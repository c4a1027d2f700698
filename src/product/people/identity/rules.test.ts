// Our own rules, encodings and lists: each rule at its limits, spellings that count as one name,
// and the lines that a watch-list may have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInput } from '../../../core/schema.ts';
import { benchKeys } from '../../../../test/kit/domain-bench.ts';
import { TAX_FORM } from '../../../../test/kit/identity.ts';
import { applicantOf, watchKey, watchKeysOf } from './applicant.ts';
import { CALLING_CODES, POSTCODES } from './countries-data.ts';
import { knownReasons, partsAbout, REASONS } from './reasons.ts';
import { kycMachine } from './machine.ts';
import { ownRules, shownRules, vendorRules, yearsBetween, type RuledPerson } from './rules.ts';
import { isDay } from '../../../core/time.ts';
import { submissionBody } from './submission-schema.ts';
import { readWatchList, WatchListError } from './watch-list.ts';

const TODAY = '2026-03-01';
const RIGHT: RuledPerson = {
  date_of_birth: '1990-01-01',
  zip: '94110',
  country: 'US',
  phone_code: '1',
  document_country: 'US',
};

test('only what is done to an identity leads from its state to the same one', () => {
  const still = kycMachine.moves.filter(({ from, to }) => from === to).map(({ on }) => on);
  assert.deepEqual(new Set(still), new Set(['submit_tax_form', 'ask', 'erase', 'set', 'warn']));
});

test('each rule at its edges', () => {
  const cases: [Partial<RuledPerson>, string][] = [
    [{ date_of_birth: '2008-03-01' }, 'age:0'],
    [{ date_of_birth: '2008-03-02' }, 'age:2'],
    [{ date_of_birth: '1900-01-01' }, 'age:1'],
    [{ document_country: 'CA' }, 'document_country:1'],
    [{ country: 'GB', zip: 'SW1A 1AA' }, 'postcode:0'],
    [{ country: 'GB', zip: 'sw1a1aa' }, 'postcode:0'],
    [{ country: 'CA', zip: 'K1A 0B1' }, 'postcode:0'],
    [{ country: 'CA', zip: 'D1A 0B1' }, 'postcode:1'],
    [{ country: 'DE', zip: '1011' }, 'postcode:1'],
    [{ zip: '94110-1234' }, 'postcode:0'],
    [{ phone_code: '+44' }, 'phone_country:1'],
  ];
  for (const [more, result] of cases) {
    assert.ok(ownRules({ ...RIGHT, ...more }, TODAY).includes(result), result);
  }
  const bare = { ...RIGHT, date_of_birth: '', phone_code: '' };
  const none = ownRules({ ...bare, document_country: '', country: 'HK', zip: '' }, TODAY);
  assert.deepEqual(none, [], 'what is not there is not judged');
  assert.equal(yearsBetween('2004-02-29', '2022-02-28'), 17);
});

test('the tables hold two letters each, and shapes of countries that there are', () => {
  assert.equal(Object.keys(CALLING_CODES).length, 249);
  for (const code of Object.keys(CALLING_CODES)) assert.match(code, /^[A-Z]{2}$/);
  for (const code of Object.keys(POSTCODES)) assert.ok(code in CALLING_CODES, code);
  assert.deepEqual(['2023-02-29', '2024-02-29', '2024-13-01'].map(isDay), [false, true, false]);
});

test('only tax numbers that the US gives out are taken', () => {
  const faults = (pii: object): string[] => {
    const kyc_pii = { ...TAX_FORM.kyc_pii, ...pii };
    const read = readInput(submissionBody, { ...TAX_FORM, kyc_pii });
    return read.ok ? [] : Object.keys(read.errors);
  };
  const right = ['001-01-0001', '665990001', '667-01-0001', '899-99-9999', '123456789'];
  const groups = ['50', '65', '70', '88', '90', '92', '94', '99'];
  const itins = groups.map((group) => `900-${group}-1234`);
  for (const ssn of [...right, ...itins]) assert.deepEqual(faults({ ssn }), [], ssn);
  const never = ['000-12-3456', '666-12-3456', '666123456', '123-00-4567', '123-45-0000'];
  const between = ['00', '49', '66', '69', '89', '93'].map((group) => `999${group}1234`);
  for (const ssn of [...never, ...between, '900-70-0000']) {
    assert.deepEqual(faults({ ssn }), ['kyc_pii.ssn'], ssn);
  }
  assert.deepEqual(faults({ ssn_last4: '6789' }), []);
  assert.deepEqual(faults({ ssn: '123-45-0001', ssn_last4: '0001' }), []);
  assert.ok(faults({ ssn: undefined, ssn_last4: '0000' }).includes('kyc_pii.ssn_last4'));
});

test('a name is the same in every spelling; another date is another person', () => {
  const key = (name: string, date = '1990-01-01'): string => watchKey(benchKeys, 1, name, date);
  for (const name of ['Müller, José', 'JOSE MULLER', ' jose   mu\u0308ller']) {
    assert.equal(key(name), key('José Müller'));
  }
  assert.notEqual(key('José Müller', '1990-01-02'), key('José Müller'));
  assert.notEqual(watchKey(benchKeys, 2, 'A B', '1990-01-01'), key('A B'));
  const pii = { first: 'José', middle: 'Q', last: 'Müller', date_of_birth: '1990-01-01' };
  const rest = { street: 's', city: 'c', state: '', zip: '', country: 'DE' };
  const keys = watchKeysOf(benchKeys, 1, applicantOf('full', { ...pii, ...rest }));
  assert.deepEqual(keys, [key('José Müller'), key('José Q Müller')]);
  assert.equal(applicantOf('full', { ...pii, ...rest, ssn: '123-45-6789' }).ssn, '');
});

test('a list says which line is wrong, and nothing of it', () => {
  const list = readWatchList('# head\n\nA; B;1990-01-01\r\nC;2000-02-29');
  assert.deepEqual(list.map(({ name }) => name), ['A; B', 'C']);
  for (const line of ['A', ';1990-01-01', 'A;1990-02-30', 'A;', 'Secret;x']) {
    assert.throws(() => readWatchList(`A;1990-01-01\n${line}`), (error) => {
      return error instanceof WatchListError && error.message.startsWith('Line 2 ') &&
        !error.message.includes('Secret');
    });
  }
});

test('what a vendor says is fitted to our catalogue, and lists are never shown', () => {
  assert.deepEqual(knownReasons(['UNDERAGE', 'toString', 'X', 'UNDERAGE']), [
    'UNDERAGE',
    'NOT_VERIFIED',
  ]);
  const parts = partsAbout(['PHONE_NOT_CONFIRMED', 'DOCUMENT_EXPIRED', 'NAME_DIFFERS']);
  assert.deepEqual(parts, ['name', 'phone', 'document_front', 'document_back']);
  assert.equal(partsAbout([]), null);
  assert.equal(partsAbout(['NAME_DIFFERS', 'NOT_VERIFIED']), null, 'everything, where one is open');
  assert.ok(Object.values(REASONS).every(({ sentence }) => sentence.endsWith('.')));
  const rules = vendorRules(['age:0', 'watch_list:2', 'bad', 'Name Surname:1', 'x:10']);
  assert.deepEqual(rules, ['vendor_age:0', 'vendor_watch_list:2']);
  assert.deepEqual(shownRules(['watch_list:1', ...rules]), ['vendor_age:0']);
});
