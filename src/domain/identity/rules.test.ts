// Own rules, encodings and lists by themselves: what each rule says at its edges, which spellings
// of a name are the same, and which lines a list may have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchKeys } from '../../../test/kit/domain-bench.ts';
import { applicantOf, watchKey, watchKeysOf } from './applicant.ts';
import { CALLING_CODES, POSTCODES } from './countries-data.ts';
import { concerns, knownReasons, REASONS } from './reasons.ts';
import { ownRules, shownRules, vendorRules, yearsBetween, type RuledPerson } from './rules.ts';
import { isDay } from './submission-schema.ts';
import { readWatchList, WatchListError } from './watch-list.ts';

const TODAY = '2026-03-01';
const RIGHT: RuledPerson = {
  date_of_birth: '1990-01-01',
  zip: '94110',
  country: 'US',
  phone_code: '1',
  ssn: '123456789',
  ssn_last4: '6789',
  document_country: 'US',
};

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
    [{ ssn: '000-12-3456' }, 'tax_number:2'],
    [{ ssn: '666123456' }, 'tax_number:2'],
    [{ ssn: '900123456' }, 'tax_number:2'],
    [{ ssn: '123003456' }, 'tax_number:2'],
    [{ ssn: '', ssn_last4: '0000' }, 'tax_number:2'],
    [{ ssn: '', ssn_last4: '0001' }, 'tax_number:0'],
  ];
  for (const [more, result] of cases) {
    assert.ok(ownRules({ ...RIGHT, ...more }, TODAY).includes(result), result);
  }
  const bare = { ...RIGHT, date_of_birth: '', phone_code: '', ssn: '', ssn_last4: '' };
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
  assert.equal(concerns(['DOCUMENT_EXPIRED'], 'front'), true);
  assert.equal(concerns(['NAME_DIFFERS'], 'front'), false);
  assert.ok(Object.values(REASONS).every(({ sentence }) => sentence.endsWith('.')));
  const rules = vendorRules(['age:0', 'watch_list:2', 'bad', 'Name Surname:1', 'x:10']);
  assert.deepEqual(rules, ['vendor_age:0', 'vendor_watch_list:2']);
  assert.deepEqual(shownRules(['watch_list:1', ...rules]), ['vendor_age:0']);
});
