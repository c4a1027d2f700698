// A list of thousands of invented entries, imported, imported again, and looked up in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { listedPerson, watchListFile } from '../../../../test/kit/watch-list.ts';
import { importList } from './import.ts';
import { findHits } from './look-up.ts';

/** A real list has more, as `npm run prove` gives it. */
const COUNT = Number(process.env['HOLDFAST_WATCH_LIST'] ?? 5_000);

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

const take = (pieces: AsyncIterable<string>) =>
  importList(base.db, { list: 'invented', pieces, shrinks: false });

/** Whether the person of that number is found as written. */
async function isFound(number: number, first: string, last: string, born: string) {
  const stated = { first, middle: '', last, country: '', document_country: '' };
  const hits = await findHits(base.db, { ...stated, date_of_birth: born });
  return hits.some(({ entry }) => entry === `inv-${number}`);
}

test('a whole list is imported; the next version writes only what changed', async () => {
  const first = await take(watchListFile(COUNT));
  assert.deepEqual(first, {
    ...{ list: 'invented', version: 1, entries: COUNT },
    ...{ added: COUNT, changed: 0, removed: 0 },
  });
  const rows = async (): Promise<string> => {
    const text = `select md5(string_agg(xmin::text, ',' order by entry)) as at
      from screening_entry where import = 1 and entry not like '%99' and entry <> 'inv-11'`;
    return JSON.stringify(await base.db.query(text));
  };
  const before = await rows();
  async function* changed(): AsyncGenerator<string> {
    for await (const piece of watchListFile(COUNT, 2)) {
      const [, number = ''] = /^"inv-(\d+)"/.exec(piece) ?? [];
      if (number === '11') continue;
      yield number.endsWith('499') ? piece.replace('Program', 'Regime') : piece;
    }
    yield '"new","Person","Newly Listed","","1970","","","","","","","","","",""\n';
  }
  const next = await take(changed());
  const { version, added, changed: written, removed } = next;
  assert.deepEqual([version, added, written, removed], [2, 1, COUNT / 1_000, 1]);
  assert.equal(await rows(), before, 'an unchanged entry is not written again');
});

test('who is listed is found, also misspelt, swapped and with a middle name', async () => {
  for (let number = 1; number < COUNT; number += COUNT / 20 + 1) {
    const { first, last, birth } = listedPerson(number);
    const misspelt = `${last.slice(0, -1)}${last.endsWith('i') ? 'y' : 'i'}`;
    assert.ok(await isFound(number, first, last, birth), `${number} as it is`);
    assert.ok(await isFound(number, last, first, birth), `${number} swapped`);
    assert.ok(await isFound(number, `${first} Maria`, last, birth), `${number} with a middle name`);
    // Without a listed birth date both words must sound as they are listed.
    if (number % 5 === 4) continue;
    assert.ok(await isFound(number, first, misspelt, birth), `${number} as ${misspelt}`);
  }
});
