// Query plans of every list with each of its filters, on tables without statistics: each page is
// read by an index that names the tenant, and no table is read as a whole. [architecture rule 16]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lists } from '../../src/catalogue.ts';
import { accountId, newUuid } from '../../src/core/ids.ts';
import type { List, ListFilter } from '../../src/core/list.ts';
import type { Database, Queryable } from '../../src/db/index.ts';
import { ENGINE_SETTINGS } from '../../src/engine/index.ts';
import { cursorOf } from '../../src/product/tell/list/cursor.ts';
import { readList, type ListQuestion } from '../../src/product/tell/list/index.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { unboundIn, wholeHistoryIn, type Planned } from '../kit/plans.ts';

let base: TestDatabase;
let db: Database;
before(async () => {
  base = await testDatabase();
  db = base.pool(1, ENGINE_SETTINGS);
});
after(() => base.drop());

const AT = '2030-01-31T00:00:00.000000Z';
const KEYS = { uuid: newUuid(), bigint: 7n, timestamptz: AT } as const;

function valueOf({ kind, words = [] }: ListFilter): readonly string[] {
  if (kind === 'state') return words;
  if (kind === 'flag') return ['true', 'false'];
  return [{ id: newUuid(), party: accountId(newUuid()), currency: 'USD', amount: '5', text: 'x' }[
    kind
  ]];
}

/** A first page, one after a cursor, one of a time, and one for each value of each filter. */
function questionsOf(list: List): readonly ListQuestion[] {
  const plain = { filters: {}, limit: 100 };
  const cursor = cursorOf(Object.values(list.key).map((type) => KEYS[type]));
  const filtered = Object.entries(list.filters).flatMap(([name, filter]) => {
    return valueOf(filter).map((value) => ({ ...plain, cursor, filters: { [name]: value } }));
  });
  return [plain, { ...plain, cursor }, { ...plain, from: AT, before: AT }, ...filtered];
}

for (const list of lists) {
  test(`${list.name}: by indexes that name the tenant`, async () => {
    const plans: Planned[] = [];
    const explained = {
      async query({ text, values }: { text: string; values: readonly unknown[] }) {
        if (!text.includes('from clock_move')) {
          const [row] = await db.query<{ 'QUERY PLAN': string }>({
            text: `explain (format json) ${text}`,
            values,
          });
          const [made] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: Planned['plan'] }];
          plans.push({ text, plan: made.Plan });
        }
        return [];
      },
    } as unknown as Queryable;
    for (const question of questionsOf(list)) await readList(explained, 1, list, question);
    assert.ok(plans.length >= 3);
    // What an index of its own leads to, and what is open, is little, and put in order once it was
    // found. It is never looked for in the order of the whole list.
    const byTime = Object.values(list.key)[0] === 'timestamptz';
    for (const { text, plan } of list.name === 'open_items' ? [] : plans) {
      const wrong = byTime && !text.includes(`'-infinity'`) ? /_newest"/ : /"Sort"/;
      assert.doesNotMatch(JSON.stringify(plan), wrong, text);
    }
    const tables = new Set((await base.db.query<{ relname: string }>(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname <> 'workspace'`,
    )).map(({ relname }) => relname));
    for (const one of plans) {
      assert.deepEqual(unboundIn(one, tables), [], one.text);
      assert.deepEqual(list.from === 'history' ? [] : wholeHistoryIn(one), [], one.text);
      // What is open is found by the indexes of what is open.
      if (list.name === 'open_items') continue;
      assert.doesNotMatch(JSON.stringify(one.plan), /Seq Scan|Hash Join|Merge Join/, one.text);
    }
  });
}
