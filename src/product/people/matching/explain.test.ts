// Why two match: what is told adds up to the score, in words that fit the fields, both ways round.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invented } from '../../../../test/kit/persons.ts';
import { explain } from './explain.ts';
import { featuresOf, type Features, type Stated } from './features.ts';
import { populationOf, textOf, USUAL, valuesOf, type Population } from './population.ts';
import { matchWeightOf } from './score.ts';

const ANNA: Stated = {
  ...{ first: 'Anna', middle: '', last: 'Quill', date_of_birth: '1988-01-12' },
  ...{ street: '3 Elm Road', street2: '', city: 'Dalat', region: 'CA', zip: '94110' },
  ...{ country: 'US', phone_number: '4155550100', ssn_last4: '4429' },
};

function peopled(persons: readonly Features[]): Population {
  const counts = new Map<string, number>();
  for (const text of persons.flatMap((one) => valuesOf(one).map(textOf))) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return populationOf({ size: persons.length }, (...value) => counts.get(textOf(value)) ?? 0);
}

test('what is told of each field adds up to the weight, and fits both ways round', () => {
  const cases: readonly [Partial<Stated>, string, string][] = [
    [{}, 'name', 'same'],
    [{ first: 'Quill', last: 'Anna' }, 'name', 'swapped'],
    [{ first: 'Bertram' }, 'name', 'surname'],
    [{ last: 'Overbeck' }, 'name', 'given'],
    [{ last: 'Quilll' }, 'name', 'alike'],
    [{ last: '' }, 'name', 'missing'],
    [{ date_of_birth: '1988-12-01' }, 'birth', 'turned'],
    [{ date_of_birth: '1988-01-17' }, 'birth', 'digit'],
    [{ date_of_birth: '1988-01-30' }, 'birth', 'parts'],
    [{ date_of_birth: '1961-05-30' }, 'birth', 'differs'],
    [{ street: '9 Elm Rd' }, 'place', 'street'],
    [{}, 'place', 'house'],
    [{ street: '70 Other Lane' }, 'place', 'postcode'],
    [{ street: '70 Other Lane', zip: '94999' }, 'place', 'town'],
    [{ street: '70 Other Lane', zip: '94999', city: 'Hue' }, 'place', 'region'],
    [{ phone_number: '4155550109' }, 'phone', 'digit'],
    [{ phone_number: '2025559876' }, 'phone', 'differs'],
    [{ ssn_last4: '' }, 'tax', 'missing'],
  ];
  for (const [changes, field, comparison] of cases) {
    const [one, other] = [featuresOf(ANNA), featuresOf({ ...ANNA, ...changes })];
    const told = explain(one, other, USUAL);
    const said = JSON.stringify(changes);
    assert.equal(told.fields.find((row) => row.field === field)?.comparison, comparison, said);
    const sum = told.fields.reduce((all, { bits }) => all + bits, told.relatives + told.prior);
    assert.equal(sum, told.weight, said);
    assert.ok(Math.abs(told.weight - matchWeightOf(one, other, USUAL)) < 1e-9, said);
    assert.deepEqual(explain(other, one, USUAL).fields, told.fields, said);
  }
});

test('it tells how many people share what agrees, and nothing of what differs', () => {
  const others = Array.from({ length: 200 }, (_, at) => featuresOf(invented(at)));
  const named = featuresOf({ ...invented(500), first: ANNA.first, last: ANNA.last });
  const [one, other] = [featuresOf(ANNA), featuresOf({ ...ANNA, date_of_birth: '1961-05-30' })];
  const told = explain(one, other, peopled([...others, named, one, other]));
  const shared = Object.fromEntries(told.fields.map((row) => [row.field, row.shared]));
  assert.deepEqual(shared, { name: 3, birth: null, place: 2, phone: 2, tax: 2 });
  assert.equal(told.persons, 203);
});
