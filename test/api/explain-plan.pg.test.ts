// Explanations over many sales, with the engine's settings: a request's steps and a resource's
// events are found by indexes that name pages, without reading all rows of the workspace.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Database, Queryable } from '../../src/db/index.ts';
import { ENGINE_SETTINGS } from '../../src/engine/index.ts';
import { deliveries, events } from '../../src/product/tell/explain/deliveries.ts';
import { partsOf, subjectOf, type Subject } from '../../src/product/tell/explain/resource.ts';
import type { Question } from '../../src/product/tell/explain/source.ts';
import { testDatabase } from '../kit/database.ts';

const SALES = 20_000;
/** An index names the pages of some two thousand rows; the newest pages it does not know yet. */
const ENOUGH = SALES / 2;

/** Steps and events as sales leave them, without the sales. */
const FILL = [
  `insert into step (workspace, resource_id, version, machine, from_state, event, to_state, at,
      actor, request_id)
    select 1, md5('sale ' || g)::uuid, 1, 'invoice', '', 'create', 'open', now(),
      'client:' || md5('client'), md5('request ' || g / 2)::uuid
    from generate_series(1, ${SALES}) g`,
  `insert into event
      (workspace, sequence, event_id, name, resource_id, resource_version, at, record)
    select 1, row_number() over (), gen_random_uuid(), 'invoice-completed', resource_id, 3, at,
      'invoice' from history`,
];

let base: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
before(async () => {
  base = await testDatabase();
  const filling = base.pool(1, { session_replication_role: 'replica' });
  for (const statement of FILL) await filling.query(statement);
  await filling.query('vacuum analyze step, event');
  db = base.pool(1, ENGINE_SETTINGS);
});
after(() => base.drop());

/** Rows of a table that `work` reads, as its transaction counts them. */
async function rowsRead(
  table: 'step' | 'event',
  work: (tx: Queryable) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    await work(tx);
    const [row] = await tx.query<{ n: number }>({
      text: `select (pg_stat_get_xact_tuples_returned($1::regclass)
        + pg_stat_get_xact_tuples_fetched($1::regclass))::int as n`,
      values: [table],
    });
    return row?.n ?? Number.NaN;
  });
}

/** The id that the rows above have instead of this text. */
const named = (text: string): string => createHash('md5').update(text).digest('hex')
  .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const REQUEST: Subject = {
  workspace: 1,
  kind: 'request',
  uuid: named('request 4000'),
  sequence: null,
};
const MOVED = [named('sale 8000'), named('sale 8001')];

test('a request is known by few of the steps', async () => {
  const read = await rowsRead('step', async (tx) => {
    assert.deepEqual(await subjectOf(tx, 1, REQUEST.uuid), REQUEST);
  });
  assert.ok(read > 0 && read < ENOUGH, String(read));
});

test('what a request moved is found by few of the steps', async () => {
  const read = await rowsRead('step', async (tx) => {
    const parts = await partsOf(tx, REQUEST);
    assert.deepEqual(parts.toSorted(), [REQUEST.uuid, ...MOVED].toSorted());
  });
  assert.ok(read > 0 && read < ENOUGH, String(read));
});

const subject = { ...REQUEST, kind: 'invoice', uuid: MOVED[0] };
const time = { virtualOf: String, realOf: String };
const question = { workspace: 1, subject, ids: MOVED, kinds: new Map(), time };

for (const [what, of, count] of [['events', events, 2], ['deliveries', deliveries, 0]] as const) {
  test(`${what} of two resources are found by few of the events`, async () => {
    const read = await rowsRead('event', async (tx) => {
      assert.equal((await of({ ...question, db: tx } as unknown as Question)).total, count);
    });
    assert.ok(read > 0 && read < ENOUGH, String(read));
  });
}
