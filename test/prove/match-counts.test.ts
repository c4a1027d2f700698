// Counts of what people have in common: each person once, exactly taken off again, none lost
// between processes, and none of an earlier release left out. [G-53, PD3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { newUuid, uuidOfWireId } from '../../src/core/ids.ts';
import { openBench, type Bench } from '../kit/domain-bench.ts';
import {
  countedKeys,
  countPersons,
  loadPopulation,
} from '../../src/product/people/matching/counts.ts';
import {
  featuresOf,
  type Features,
  type Stated,
} from '../../src/product/people/matching/features.ts';
import { laws } from '../../src/product/people/matching/laws.ts';
import { valuesOf } from '../../src/product/people/matching/population.ts';
import {
  countWaiting,
  enrol,
  forgetMatching,
  keysOf,
} from '../../src/product/people/matching/store.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

const NOBODY: Stated = {
  ...{ first: '', middle: '', last: '', date_of_birth: '', street: '', street2: '', city: '' },
  ...{ region: '', zip: '', country: 'DE', phone_number: '', ssn_last4: '' },
};
const of = (changes: Partial<Stated>): Features => featuresOf({ ...NOBODY, ...changes });
const ROWS = 'select key::text, n::int from match_count where workspace = $1 order by key';

function rows(workspace: number): Promise<{ key: string; n: number }[]> {
  return bench.db.query({ text: ROWS, values: [workspace] });
}

async function account(): Promise<string> {
  return uuidOfWireId('acct', await bench.newAccount()) ?? '';
}

function store(id: string, features: Features, application = newUuid()): Promise<boolean> {
  const whose = { workspace: bench.home.workspace, account: id };
  return enrol(bench.services, whose, { application, features });
}

async function gone(id: string): Promise<void> {
  await forgetMatching(bench.db, bench.home.workspace, id);
}

async function counted(): Promise<void> {
  while ((await countWaiting(bench.services)) > 0);
}

const count = async (features: Features): Promise<number> => {
  const values = valuesOf(features);
  const { workspace } = bench.home;
  const population = await loadPopulation(bench.db, bench.services.keys, workspace, values);
  return population.size;
};

const lawful = async (): Promise<void> => {
  for (const { name, text } of laws) assert.deepEqual(await bench.db.query(text), [], name);
};

const field = fc.constantFrom('', 'lan', 'anh', 'lan anh', 'dalat', 'hue');
const person = fc
  .record({
    ...{ first: field, last: field, city: field },
    street: fc.constantFrom('', 'lan', '3 lan', '9 hue'),
    zip: fc.constantFrom('', '70110', '70120'),
    date_of_birth: fc.constantFrom('', '1990-01-02', '1961-12-30'),
    ssn_last4: fc.constantFrom('', '1234'),
  })
  .map(of);

test('whoever is stored, corrected and erased is taken off exactly', async () => {
  const { workspace } = bench.home;
  const accounts = await Promise.all(Array.from({ length: 4 }, account));
  const acts = fc.array(fc.tuple(fc.nat(3), fc.option(person, { freq: 3 })), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const latest = new Map<string, Features>();
      for (const [at, features] of list) {
        const id = accounts[at] as string;
        if (features === null) await gone(id);
        else await store(id, features);
        if (features === null) latest.delete(id);
        else latest.set(id, features);
      }
      await counted();
      // The same persons counted at once, in a workspace of their own.
      const { keys } = bench.services;
      const added = [...latest.values()].map((one) => countedKeys(keys, workspace, one));
      await bench.db.transaction((tx) => countPersons(tx, -1, { added, removed: [] }));
      assert.deepEqual(await rows(workspace), await rows(-1));
      await bench.db.query('delete from match_count where workspace = -1');
      await lawful();
      for (const id of accounts) await gone(id);
      await counted();
      assert.deepEqual(await rows(workspace), [], 'nothing is left');
    }),
    { numRuns: 15 },
  );
});

test('two processes that store at once lose no count', async () => {
  const features = of({ first: 'Lan', last: 'Nguyen', city: 'Dalat', zip: '70110' });
  const accounts = await Promise.all(Array.from({ length: 24 }, account));
  // Connections of two pools; each person's values are asked for in another order.
  await Promise.all(
    accounts.map((id, at) => store(id, at % 2 === 0 ? features : of({ city: 'Hue', last: 'Le' }))),
  );
  assert.equal(await count(features), accounts.length);
  const [most] = (await rows(bench.home.workspace)).filter(({ key }) => key === '0');
  assert.equal(most?.n, accounts.length);
  await lawful();
  await Promise.all(accounts.map(gone));
  await Promise.all([counted(), counted()]);
  assert.deepEqual(await rows(bench.home.workspace), []);
});

test('who states several things at one moment counts once, and none is lost', async () => {
  const { workspace } = bench.home;
  const id = await account();
  const cities = ['Dalat', 'Hue', 'Vinh', 'Hanoi', 'Saigon', 'Cantho'];
  const stating = (city: string): Features =>
    of({ first: 'Lan', last: 'Le', city, zip: '70110', street: '9 Quay' });
  await Promise.all(cities.map((city) => store(id, stating(city))));
  const [most] = (await rows(workspace)).filter(({ key }) => key === '0');
  assert.equal(most?.n, 1);
  const stored = await bench.db.query<{ keys: number }>({
    text: 'select cardinality(keys) as keys from match_person where workspace = $1 and id = $2',
    values: [workspace, id],
  });
  const { keys } = bench.services;
  const each = cities.flatMap((city) => keysOf(keys, workspace, stating(city)));
  assert.equal(stored[0]?.keys, new Set(each).size);
  await lawful();
  await gone(id);
  await counted();
});

test('persons whom an earlier release stored are counted once', async () => {
  const { workspace } = bench.home;
  const id = await account();
  await store(id, of({ first: 'Lan', last: 'Nguyen' }));
  const before = await rows(workspace);
  const values = [workspace];
  await bench.db.query({ text: 'delete from match_count where workspace = $1', values });
  await bench.db.query('update match_person set counted = null');
  assert.equal(await countWaiting(bench.services), 1);
  assert.equal(await countWaiting(bench.services), 0);
  assert.deepEqual(await rows(workspace), before);
  await lawful();
});

test('a dump shows how many have a value, and not who', async () => {
  const features = of({ first: 'Zebulon', last: 'Quill', ssn_last4: '1234' });
  await store(await account(), features);
  const keys = new Set((await rows(bench.home.workspace)).map(({ key }) => key));
  const found = await bench.db.query<{ key: string }>('select key::text from match_key');
  assert.deepEqual(found.filter(({ key }) => keys.has(key)), []);
});
