// Files of lists that are not whole: refused, and nothing changes. [G-51]
import assert from 'node:assert/strict';
import { after, before as begin, test } from 'node:test';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { importList } from './import.ts';
import { findHits } from './look-up.ts';
import { keyAgain } from './rekey.ts';

let bench: Bench;

begin(async () => {
  bench = await openBench();
});
after(() => bench.close());

const HEADER = 'id,schema,name,aliases,birth_date,countries,sanctions';
const ENTRIES = Array.from({ length: 42 }, (_, at) => `Z${at},Person,Nobody Any${at},,1950,,`);
const [ONE] = ENTRIES;
const WHOLE = [HEADER, ...ENTRIES, ''].join('\n');

function take(text: string) {
  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += 37) yield text.slice(at, at + 37);
  }
  return importList(bench.db, { list: 'test', pieces: pieces(), shrinks: false });
}

test('a file that is cut off, doubled or not a list changes nothing', async () => {
  const state = async (): Promise<string> => {
    const text = `select md5(string_agg(e::text, ',' order by list, entry)) as digest,
      (select count(*)::int from screening_list) as versions from screening_entry e`;
    return JSON.stringify(await bench.db.query(text));
  };
  await take(WHOLE);
  const before = await state();
  for (const [text, says] of [
    [WHOLE.slice(0, WHOLE.length / 2).replace(/\n[^\n]*$/, '\n'), /--shrinks/],
    [`${WHOLE}Q9,Person,"Cut`, /Row 44 is cut off/],
    [`${WHOLE}${ONE}\n`, /appears twice/],
    [`${WHOLE}Q9,Person\n`, /Row 44: It has 2 fields, the header 7/],
    ['name;1990-01-01\n', /no column id, schema, name/],
    [`${HEADER}\n`, /no entry/],
  ] as const) {
    await assert.rejects(take(text), says);
    assert.equal(await state(), before, String(says));
  }
});

test('entries that an earlier release keyed otherwise are keyed anew, once', async () => {
  const nobody = { first: 'Nobody', middle: '', last: 'Any7', country: '', document_country: '' };
  const found = async (): Promise<number> =>
    (await findHits(bench.db, { ...nobody, date_of_birth: '1950-01-02' })).length;
  await take(WHOLE);
  const before = await found();
  assert.ok(before > 0);
  await bench.db.execute(`update screening_entry set keys = '{old}'`);
  await bench.db.execute(`update screening_run set ended = $now, base = target`);
  assert.equal(await found(), 0);
  assert.deepEqual([await keyAgain(bench.db), await keyAgain(bench.db)], [ENTRIES.length, 0]);
  assert.equal(await found(), before);
  const runs = 'select count(*)::int as n from screening_run where base > 0 or ended is not null';
  assert.deepEqual(await bench.db.query(runs), [{ n: 0 }], 'everybody is screened again');
});
