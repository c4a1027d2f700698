// Weights against a population: what many share says little, whatever agrees more never says less,
// both ways round alike, and of relatives what they have in common proves nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { featuresOf, type Stated } from './features.ts';
import { homeOf, personOf, populationOf, textOf, valuesOf, type Population } from './population.ts';
import { SHIPPED } from './weights-data.ts';
import { MATCH_THRESHOLD, matchWeightOf, REVIEW_THRESHOLD, scoreFrom, weightsOf } from './score.ts';

const NOBODY: Stated = {
  ...{ first: '', middle: '', last: '', date_of_birth: '', street: '', street2: '', city: '' },
  ...{ region: '', zip: '', country: 'VN', phone_number: '', ssn_last4: '' },
};
const LAN: Stated = {
  ...NOBODY,
  ...{ first: 'Lan Anh', middle: 'Thi', last: 'Nguyen', date_of_birth: '1988-01-12' },
  ...{ street: '3 Phan Huu', city: 'Dalat', zip: '701100', phone_number: '0932625236' },
  ssn_last4: '4429',
};

/** A population of these persons. */
function peopled(persons: readonly Stated[]): Population {
  const counts = new Map<string, number>();
  const count = (text: string): void => void counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const person of persons) {
    const features = featuresOf(person);
    for (const value of valuesOf(features)) count(textOf(value));
    count(`person|${personOf(features)}`);
  }
  return populationOf({ size: persons.length }, (...value) => counts.get(textOf(value)) ?? 0);
}

/** A thousand persons of whom every `nth` has the fields. */
function shared(fields: Partial<Stated>, nth: number): Population {
  const others = Array.from({ length: 1_000 }, (_, at) => ({
    ...NOBODY,
    ...{ first: `given${at}`, last: `family${at}`, city: `town${at}`, zip: String(10_000 + at) },
    ...(at % nth === 0 ? fields : {}),
  }));
  return peopled(others);
}

function score(one: Stated, other: Stated, population: Population): number {
  return scoreFrom(matchWeightOf(featuresOf(one), featuresOf(other), population), false);
}

test('what nearly all share is worth nothing, and what few share much', () => {
  const alike = { ...NOBODY, first: 'Lan', last: 'Nguyen', city: 'Dalat', zip: '70110' };
  const features = featuresOf(alike);
  const common = weightsOf(features, features, shared(alike, 1));
  const rare = weightsOf(features, features, shared(alike, 500));
  for (const field of ['surname', 'given', 'place'] as const) {
    assert.ok(common[field] < 0.6, `${field}: ${common[field]}`);
  }
  assert.ok(rare.surname + rare.given > 8 && rare.place > 5, JSON.stringify(rare));
  // Both names are usual; so is the one with the other.
  const pair = shared({ first: 'Lan', last: 'Nguyen' }, 4);
  const { given, surname } = weightsOf(features, features, pair);
  assert.ok(given + surname < 3, String(given + surname));
});

test('a name like another is a slip where it is rare, and another name where it is usual', () => {
  const [slip, name] = [{ ...LAN, last: 'Tran' }, { ...LAN, last: 'Tranh' }].map(featuresOf);
  assert.ok(slip !== undefined && name !== undefined);
  const usual = peopled(Array.from({ length: 400 }, (_, at) => ({
    ...NOBODY,
    last: at % 2 === 0 ? 'Tran' : 'Tranh',
  })));
  assert.ok(weightsOf(slip, name, shared({ last: 'Tran' }, 2)).surname > 2);
  assert.ok(weightsOf(slip, name, usual).surname < 0);
});

test('a place is weighed by its people, and whoever moved is not punished twice', () => {
  const city = shared({ city: 'Dalat', zip: '701100' }, 1);
  const moved = { ...LAN, street: '9 Bui Thi', zip: '702200', city: 'Hue' };
  const there = weightsOf(featuresOf(LAN), featuresOf(LAN), city).place;
  assert.ok(there > 5, 'the address is rare, though town and postcode are not');
  assert.ok(weightsOf(featuresOf(LAN), featuresOf(moved), city).place > -3);
  assert.ok(score(LAN, moved, city) > MATCH_THRESHOLD);
});

test('twins, siblings, parents and neighbours are not the same person', () => {
  const among = shared({ city: 'Dalat', zip: '701100', last: 'Nguyen', first: 'Lan' }, 2);
  const twin = { ...LAN, first: 'Lan Chi', phone_number: '0911111111', ssn_last4: '8128' };
  const sibling = { ...twin, date_of_birth: '1991-07-30', phone_number: LAN.phone_number };
  const neighbour = { ...LAN, first: 'Van Tam', last: 'Le', date_of_birth: '1970-02-03' };
  const others = [twin, sibling, { ...neighbour, ssn_last4: '', phone_number: '' }];
  for (const other of others) {
    assert.ok(score(LAN, other, among) < REVIEW_THRESHOLD, JSON.stringify(other));
  }
  const mother = { ...LAN, date_of_birth: '1960-05-06', ssn_last4: '' };
  const both = score(LAN, mother, among);
  assert.ok(both >= REVIEW_THRESHOLD && both < MATCH_THRESHOLD, String(both));
  assert.ok(score(LAN, { ...mother, phone_number: '0911111111' }, among) < REVIEW_THRESHOLD);
  assert.ok(score(LAN, { ...mother, ssn_last4: '8128' }, among) < REVIEW_THRESHOLD);
});

test('where families are stored, relatives explain more of what agrees', () => {
  const of = (related: number): Population =>
    populationOf({ size: 5_000, homes: 4_000, related }, () => 1);
  const [none, some, many] = [0, 400, 2_000].map((related) => of(related).stored);
  assert.ok(none !== undefined && some !== undefined && many !== undefined);
  assert.ok(none.household < some.household && some.household < many.household);
  assert.ok(Math.abs(many.twin / many.household - none.twin / none.household) < 1e-9);
  const mother = { ...LAN, date_of_birth: '1960-05-06', ssn_last4: '' };
  assert.ok(score(LAN, mother, of(2_000)) < score(LAN, mother, of(0)));
});

test('who lives together has a home in common, and who was born together more', () => {
  const home = (changes: Partial<Stated>): readonly (string | undefined)[] =>
    homeOf(featuresOf({ ...LAN, ...changes })) ?? [];
  const [own, twin] = [home({}), home({ first: 'Mai' })];
  const sister = home({ date_of_birth: '1990-03-04' });
  assert.equal(own[0], sister[0]);
  assert.notEqual(own[1], sister[1]);
  assert.deepEqual(own, twin);
  for (const field of ['last', 'date_of_birth', 'street'] as const) {
    assert.deepEqual(home({ [field]: '' }), [], field);
  }
});

test('a given name of two parts weighs no more than its count as a whole', () => {
  const persons = Array.from({ length: 1_000 }, (_, at) => ({
    ...NOBODY,
    // One in twenty has both parts, though each is as usual beside others.
    first: at % 20 === 0 ? 'Lan Anh' : at % 20 === 1 ? `Lan x${at}` : `y${at}`,
  }));
  const among = peopled(persons);
  const both = featuresOf({ ...NOBODY, first: 'Lan Anh' });
  assert.ok(weightsOf(both, both, among).given < 5);
});

test('of twins half a given name agrees, and no person states half of theirs', () => {
  const among = shared({ city: 'Dalat', zip: '701100' }, 2);
  const bare = { ...LAN, middle: '', ssn_last4: '' };
  const twin = { ...bare, first: 'Lan Chi', phone_number: '0911111111' };
  assert.ok(score(bare, twin, among) < MATCH_THRESHOLD, String(score(bare, twin, among)));
  assert.ok(score(bare, { ...twin, first: 'Lan' }, among) > score(bare, twin, among));
  const { given } = weightsOf(featuresOf(bare), featuresOf(twin), among);
  const stranger = featuresOf({ ...twin, first: 'Van Ba' });
  const { given: other } = weightsOf(featuresOf(bare), stranger, among);
  assert.ok(given > other, `${given} and ${other}`);
});

test('relatives have a name or telephone in common less often than one person has it', () => {
  const { householdSurname, householdPhone, surname, phone } = SHIPPED;
  assert.ok(householdSurname.same <= surname.same && householdPhone.same <= phone.same);
  for (const [group, row] of Object.entries(SHIPPED)) {
    const sum = Object.values<number>(row).reduce((all, share) => all + share, 0);
    assert.ok(sum < 1.01 && Object.values<number>(row).every((share) => share > 0), group);
  }
});

test('the more persons are stored, the more a match must have in common', () => {
  const bare = { ...NOBODY, first: 'Ozymandias', last: 'Quill', date_of_birth: '1970-02-03' };
  const of = (size: number): number => score(bare, bare, populationOf({ size }, () => 1));
  const usual = (size: number): Population => populationOf({ size }, () => size / 100);
  assert.ok(of(100) > MATCH_THRESHOLD && of(1_000_000) > MATCH_THRESHOLD);
  assert.ok(score(bare, bare, usual(1_000_000)) < score(bare, bare, usual(100)));
});

const names = ['lan', 'lan anh', 'anh', 'van anh', 'le', 'nguyen', 'nguyen van', 'lanh', 'l', ''];
const name = fc.constantFrom(...names);
const places = fc.constantFrom('', 'dalat', 'da lat', 'hue', 'old mill', '3 old mill', '5 mill');
const person: fc.Arbitrary<Stated> = fc.record({
  ...{ first: name, last: name, street: places, street2: places, city: places },
  middle: fc.constantFrom('', 'thi', 't', 'dang thi'),
  region: fc.constantFrom('', 'north', 'south'),
  country: fc.constantFrom('VN', 'US'),
  zip: fc.constantFrom('', '7001', '7002', '7100'),
  date_of_birth: fc.constantFrom('', '1990-01-02', '1990-02-01', '1990-01-30', '1961-12-30'),
  phone_number: fc.constantFrom('', '2212221', '2212222', '1111111'),
  ssn_last4: fc.constantFrom('', '1234', '1243', '9999'),
});
const population = fc.array(person, { maxLength: 40 }).map(peopled);
const seed = { numRuns: 600 };

test('the order of two persons changes nothing, in any population', () => {
  fc.assert(
    fc.property(person, person, population, (one, other, among) => {
      const [a, b] = [featuresOf(one), featuresOf(other)];
      assert.deepEqual(weightsOf(a, b, among), weightsOf(b, a, among));
    }),
    seed,
  );
});

const family = (text: string): string =>
  text.replaceAll(/\w+/g, (word) => `z${[...word].join('o')}`);

test('a further field that agrees never lowers the weight', () => {
  const names = ['first', 'last', 'city', 'zip', 'region'] as const;
  const field = fc.constantFrom(...names, 'date_of_birth', 'phone_number', 'ssn_last4');
  fc.assert(
    fc.property(person, person, field, population, (first, second, which, among) => {
      // A name that stands in both fields could be read as swapped before the field was there.
      const [one, other] = [first, second].map((of) => ({ ...of, last: family(of.last) }));
      assert.ok(one !== undefined && other !== undefined);
      const more = { ...other, [which]: one[which] };
      const [mine, theirs] = [featuresOf(one), featuresOf({ ...other, [which]: '' })];
      const before = matchWeightOf(mine, theirs, among);
      const after = matchWeightOf(mine, featuresOf(more), among);
      assert.ok(after >= before - 0.01, `${which}: ${before} to ${after}`);
    }),
    seed,
  );
});
