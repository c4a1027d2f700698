// The pure core of matching: equal forms, similarity, match weights, and blocking keys that survive
// one wrong field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blockingKeysOf } from './blocking-keys.ts';
import {
  featuresFrom,
  featuresOf,
  featuresTo,
  isSame,
  type Features,
  type Stated,
} from './features.ts';
import { areForms } from './names-data.ts';
import { matchWeightOf, MATCH_THRESHOLD, REVIEW_THRESHOLD, scoreFrom } from './score.ts';
import { isOneEdit, jaroWinkler, soundOf } from './similarity.ts';

const ADA: Stated = {
  first: 'Katherine',
  middle: 'Ann',
  last: 'O’Malleyson',
  date_of_birth: '1984-03-07',
  street: '12 Old Mill Road',
  street2: '',
  city: 'Springfield',
  region: 'CA',
  zip: '94110',
  country: 'US',
  phone_number: '415 555 0100',
  ssn_last4: '6789',
};
const STRANGER: Stated = {
  first: 'Bruno',
  middle: '',
  last: 'Zanetti',
  date_of_birth: '1951-11-22',
  street: '7 Harbour Street',
  street2: 'unit 3',
  city: 'Portsmouth',
  region: 'NH',
  zip: '03801',
  country: 'US',
  phone_number: '603 555 0199',
  ssn_last4: '0142',
};
const matchScore = (one: Features, other: Features): number =>
  scoreFrom(matchWeightOf(one, other), isSame(one, other));
const of = (changes: Partial<Stated> = {}): Features => featuresOf({ ...ADA, ...changes });
const score = (changes: Partial<Stated>): number => matchScore(of(), of(changes));

test('spelling, accents, signs and kinds of street do not matter', () => {
  const same = of({
    first: 'KATHERINE ',
    last: "O'Malléyson",
    street: '12, Old Mill Rd.',
    phone_number: '(0)415-555-0100',
  });
  assert.deepEqual(same, of());
  assert.equal(matchScore(of(), same), 1);
  assert.deepEqual(featuresFrom(featuresTo(of())), of());
  assert.equal(featuresFrom([]).tax, '');
  assert.equal(featuresOf({ ...ADA, last: 'Łódź-Straße' }).surname, 'lodz strasse');
});

test('Jaro-Winkler gives the values of its authors', () => {
  for (const [one, other, value] of [
    ['martha', 'marhta', 0.9611],
    ['dwayne', 'duane', 0.84],
    ['dixon', 'dicksonx', 0.8133],
    ['abc', 'xyz', 0],
    ['', '', 0],
  ] as const) {
    assert.equal(Number(jaroWinkler(one, other).toFixed(4)), value);
  }
});

test('one edit is one letter more, less, other, or two swapped', () => {
  for (const other of ['6788', '678', '67899', '6879']) assert.ok(isOneEdit('6789', other), other);
  for (const other of ['6789', '9876', '67', '6798 ']) assert.ok(!isOneEdit('6789', other), other);
});

test('names that sound alike have one code, and forms of a name belong together', () => {
  assert.equal(soundOf('philips'), soundOf('fillips'));
  assert.equal(soundOf('catherine'), soundOf('kathryn'));
  assert.equal(soundOf('robert'), 'r163');
  assert.notEqual(soundOf('smith'), soundOf('jones'));
  assert.ok(areForms('liz', 'elizabeth') && areForms('theo', 'ted') && !areForms('ann', 'bob'));
});

test('one wrong or missing field leaves a match; a stranger is none', () => {
  const fields = Object.keys(ADA) as (keyof Stated)[];
  for (const field of fields) {
    for (const value of ['', STRANGER[field]]) {
      if (field === 'country') continue;
      const got = score({ [field]: value });
      assert.ok(got >= REVIEW_THRESHOLD, `${field} '${value}': ${got}`);
    }
  }
  assert.equal(matchScore(of(), featuresOf(STRANGER)), 0);
});

test('what people get wrong: swapped names, day and month, a digit, a short form', () => {
  for (const changes of [
    { first: ADA.last, last: ADA.first },
    { date_of_birth: '1984-07-03', ssn_last4: '6798' },
    { first: 'Kate', last: 'Omaleyson', zip: '94101' },
    { last: 'Newname', street: '900 Far Avenue', city: 'Elsewhere', zip: '10001', region: 'NY' },
  ]) {
    assert.ok(score(changes) >= MATCH_THRESHOLD, JSON.stringify(changes));
  }
});

test('who shares a household, a birth day or a name is not the same person', () => {
  const bride = { first: 'Bruno', middle: '', date_of_birth: '1981-10-20', ssn_last4: '0142' };
  const twin = { first: 'Louisa', middle: '', ssn_last4: '0142' };
  const son = { middle: '', date_of_birth: '2004-09-12', ssn_last4: '0142' };
  const namesake = { ...STRANGER, first: ADA.first, last: ADA.last };
  const stranger = { ...STRANGER, date_of_birth: ADA.date_of_birth, ssn_last4: ADA.ssn_last4 };
  for (const changes of [bride, twin, son, namesake, stranger]) {
    assert.ok(score(changes) < MATCH_THRESHOLD, JSON.stringify(changes));
  }
});

test('one wrong field loses nobody, and no combination is of one field', () => {
  const texts = blockingKeysOf(of());
  for (const text of texts) assert.ok(text.split('|').length >= 3, text);
  for (const base of [ADA, { ...ADA, phone_number: '' }, { ...ADA, ssn_last4: '' }]) {
    const mine = blockingKeysOf(featuresOf(base));
    for (const field of Object.keys(ADA) as (keyof Stated)[]) {
      for (const value of ['', STRANGER[field]]) {
        const theirs = blockingKeysOf(featuresOf({ ...base, [field]: value }));
        const shared = theirs.filter((text) => mine.includes(text)).length;
        assert.ok(shared >= 3, `${field} '${value}': ${shared}`);
      }
    }
  }
});

const words = fc.stringMatching(/^[a-z' -]{0,12}$/);
const stated: fc.Arbitrary<Stated> = fc.record({
  ...{ first: words, middle: words, last: words, street: words, street2: words, city: words },
  ...{ region: words, country: fc.constantFrom('US', 'DE') },
  zip: fc.stringMatching(/^\d{0,5}$/),
  date_of_birth: fc.constantFrom('', '1990-01-02', '1990-02-01', '2001-12-30'),
  phone_number: fc.stringMatching(/^\d{0,9}$/),
  ssn_last4: fc.constantFrom('', '1234', '1243', '9999'),
});

test('a score is between 0 and 1, and 1 where all is the same', () => {
  fc.assert(
    fc.property(stated, stated, (one, other) => {
      const [a, b] = [featuresOf(one), featuresOf(other)];
      const both = matchScore(a, b);
      assert.ok(both >= 0 && both <= 1);
      assert.equal(both === 1, JSON.stringify(a) === JSON.stringify(b) && matchWeightOf(a, b) > 0);
      assert.ok(jaroWinkler(a.surname, b.surname) <= 1);
    }),
    { numRuns: 300 },
  );
});

// Few letters, some of two UTF-16 units, and few words, so that statements often share or swap
// fields.
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'n', '𐐷', '𐐨'), maxLength: 7 });
const name = fc.oneof(letters, fc.constantFrom('garcia', 'pedro', 'kate', 'katherine', 'ann m'));
const line = fc.oneof(letters, fc.constantFrom('old mill', 'mill house', 'emu downs'));
const person: fc.Arbitrary<Stated> = fc.record({
  ...{ first: name, middle: name, last: name, street: line, street2: line, city: line },
  ...{ region: letters, country: fc.constantFrom('US', 'DE'), zip: fc.stringMatching(/^[12]{4}$/) },
  date_of_birth: fc.constantFrom('', '1990-01-02', '1990-02-01', '1990-01-30', '2001-12-30'),
  phone_number: fc.stringMatching(/^[12]{7}$/),
  ssn_last4: fc.constantFrom('', '1234', '1243', '9999'),
});
/** One person twice: in the second statement some fields are another person's, some are swapped. */
const twice = fc
  .tuple(person, person, fc.subarray(Object.keys(ADA) as (keyof Stated)[]), fc.boolean())
  .map(([one, other, wrong, turned]): [Stated, Stated] => {
    const changes = Object.fromEntries(wrong.map((field) => [field, other[field]]));
    const { first, last, street, street2 } = one;
    const turn = { first: last, last: first, street: street2, street2: street };
    return [one, { ...one, ...(turned ? turn : {}), ...changes }];
  });

test('the order of two persons changes nothing, whatever they have in common', () => {
  const sameBothWays = ([one, other]: readonly [Stated, Stated]): void => {
    const [a, b] = [featuresOf(one), featuresOf(other)];
    assert.equal(matchWeightOf(a, b) - matchWeightOf(b, a), 0);
    assert.equal(matchScore(a, b), matchScore(b, a));
    assert.equal(jaroWinkler(a.surname, b.surname), jaroWinkler(b.surname, a.surname));
    assert.equal(isOneEdit(a.zip, b.zip), isOneEdit(b.zip, a.zip));
    assert.equal(areForms(a.given, b.given), areForms(b.given, a.given));
  };
  // Found among pairs of the same person: one gave her first name where the other has the surname.
  sameBothWays([
    { ...ADA, first: 'Alice', last: 'Exclel', ssn_last4: '3763' },
    { ...ADA, first: 'Riding', last: 'Alice', ssn_last4: '3763', date_of_birth: '1911-12-05' },
  ]);
  // One edit apart and otherwise unlike: the order of the two must not matter.
  const told = (mine: Partial<Stated>, theirs: Partial<Stated>): number =>
    matchWeightOf(of(mine), of(theirs));
  assert.equal(
    told({ first: 'Anan', middle: 'Abab' }, { first: 'Aanan', middle: 'Aabab' }),
    told({ first: 'Anan', middle: 'Aabab' }, { first: 'Aanan', middle: 'Abab' }),
  );
  const pairs = fc.oneof(fc.tuple(person, person), twice);
  fc.assert(fc.property(pairs, sameBothWays), { numRuns: 500 });
});
