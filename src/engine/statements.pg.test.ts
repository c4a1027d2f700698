// The statements that the engine writes, against PostgreSQL: what goes in comes out, a row that
// changed meanwhile is not overwritten, and due is what is due by the clock of its own workspace.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { arrayValue, brokenConstraint, slotText } from '../db/index.ts';
import { newUuid } from '../core/ids.ts';
import { createWorkspace } from '../product/tenant/tenant/index.ts';
import { dueRows } from './tables.ts';
import { tableOf, type ColumnType, type RowOf, type Table } from '../core/table.ts';
import { Writes, writeStatement } from './write.ts';

const jobTable = tableOf('job', 5, {
  id: 'uuid',
  version: 'int4',
  due: 'timestamptz?',
}, { versioned: true });
type JobRow = RowOf<typeof jobTable>;

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
  await base.db.execute(`create table job (workspace int, id uuid, version int, due timestamptz,
    primary key (workspace, id))`);
});
after(() => base.drop());

test('columns come back as they were given, whatever stands in them', async () => {
  const hostile = ['', 'NULL', 'null', 'nul', 'a,b', '{}', '"', '\\', `'`, 'a b', 'é', '\n'];
  const columns: readonly (readonly [ColumnType, readonly unknown[]])[] = [
    ['text', [...hostile, null, 'x', 'x', null]],
    ['int4', [1, -1, 2_147_483_647, null]],
    ['int8', [1n, -9_223_372_036_854_775_808n]],
    ['bool', [true, false, null]],
    ['uuid', [newUuid(), newUuid()]],
    ['uuid', [newUuid(), null]],
    ['json', ['{"a":"\\u001e,\\""}', null, '[]']],
  ];
  for (const [type, values] of columns) {
    const [row] = await base.db.query<{ list: unknown[] }>({
      text: `select ${slotText(type, 1)} as list`,
      values: [arrayValue(type, values)],
    });
    // The driver leaves the elements of such lists as texts.
    const given = type === 'int8' ? values.map(String) : values;
    assert.deepEqual(row?.list, given, type);
  }
});

test('a row that changed since it was read, or is gone, is not written over', async () => {
  const row: JobRow = { workspace: 1, id: newUuid(), version: 1, due: null };
  const write = (one: JobRow, expected: number | null): Promise<unknown> => {
    const writes = new Writes();
    const table = jobTable as unknown as Table;
    if (expected === null) writes.addInsert(table, one);
    else writes.addUpdate(table, one, expected);
    return base.db.query(writeStatement(writes));
  };
  const isRefused = (error: unknown): boolean => brokenConstraint(error) === 'write_count';
  await write(row, null);
  await write({ ...row, version: 2 }, 1);
  await assert.rejects(write({ ...row, version: 2 }, 1), isRefused, 'a lost update');
  await assert.rejects(write({ ...row, id: newUuid(), version: 2 }, 1), isRefused, 'no such row');
  const rows = await base.db.query<JobRow>('select version from job');
  assert.deepEqual(rows, [{ version: 2 }]);
});

test('due is judged by the clock of each workspace, never in one that is archived', async () => {
  await base.db.execute('delete from job');
  const made: Record<string, number> = {};
  for (const [name, set] of [
    ['usual', 'clock_offset = clock_offset'],
    ['ahead', "clock_offset = interval '2 days'"],
    ['archived', "clock_offset = interval '2 days', ended = clock_timestamp()"],
  ] as const) {
    const { workspace } = await createWorkspace(base.db, { name, currencies: ['USD'] });
    made[name] = workspace;
    await base.db.execute({
      text: `update workspace set ${set} where workspace = $1`,
      values: [workspace],
    });
    await base.db.execute({
      text: `insert into job
        select $1, gen_random_uuid(), 1, clock_timestamp() + make_interval(days => day)
        from unnest(array[-1, 1, 3, null]) day`,
      values: [workspace],
    });
  }
  const due = (await dueRows(base.db, jobTable, 10)).map(({ workspace }) => workspace);
  const { usual = 0, ahead = 0 } = made;
  assert.deepEqual(due.toSorted((a, b) => a - b), [usual, ahead, ahead]);
  assert.equal((await dueRows(base.db, jobTable, 1)).length, 1);
});
