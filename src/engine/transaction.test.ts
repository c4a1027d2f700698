// One transaction at its edges: a commit whose answer was lost, rows that want others once they are
// locked, what is read again, and the statements that read, search and lock, to the letter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import {
  by,
  ends,
  freshId,
  lost,
  NOW,
  noteTable,
  scene,
  stamps,
  turn,
  write,
} from '../../test/kit/scripted-engine.ts';
import { nameOf, ScriptedDatabase } from '../../test/kit/scripted-database.ts';
import type { Statement } from '../db/index.ts';
import { Refusal } from '../core/refusal.ts';
import { Admission } from './queue.ts';
import { arriving, discover, type Pending } from './discover.ts';
import { answerTo, CommitUnknown, isUnavailable } from './options.ts';
import { wasCommitted } from './write.ts';
import { stepTable } from './tables.ts';
import { tableOf, type Command } from './index.ts';
import { findKey, findRows, ImmutableRows, Loaded, lockRows, readRows } from './rows.ts';
import type { IdRow, Index, Table, WorkspaceRow } from '../core/table.ts';

test('a commit whose answer was lost is looked for, and answered when it is there', async () => {
  const { database, engine, committed } = scene();
  database.at = (name) => {
    if (name === 'commit') throw lost();
    if (name.startsWith('select exists')) return [{ there: true }];
    return name === 'stamp' ? stamps : undefined;
  };
  assert.deepEqual(await ends([engine.run(write, {}, by)]), [201]);
  assert.deepEqual([database.broken, committed.length], [1, 1]);
});

test('a commit that did not happen is another try', async () => {
  const { database, engine, committed } = scene();
  let commits = 0;
  database.at = (name) => {
    if (name === 'commit' && (commits += 1) === 1) throw lost();
    if (name.startsWith('select exists')) return [{ there: false }];
    if (name.startsWith('select pg_xact_status')) return [{ status: 'aborted' }];
    return name === 'stamp' ? stamps : undefined;
  };
  assert.deepEqual(await ends([engine.run(write, {}, by)]), [201]);
  assert.deepEqual([commits, committed.length], [2, 1]);
});

test('a look that fails is another look, and finds the commit', async () => {
  const { database, engine, pass } = scene();
  let looks = 0;
  database.at = (name) => {
    if (name === 'commit') throw lost();
    if (name.startsWith('select exists')) {
      if ((looks += 1) === 1) throw lost();
      return [{ there: true }];
    }
    return name === 'stamp' ? stamps : undefined;
  };
  const end = ends([engine.run(write, {}, by)]);
  for (let n = 0; n < 20; n += 1) await turn().then(() => pass(100));
  assert.deepEqual(await end, [201]);
  assert.equal(looks, 2);
});

test('a commit whose outcome stays unknown is said, and never tried again', async () => {
  const { database, engine, pass } = scene();
  let commits = 0;
  database.at = (name) => {
    if (name === 'commit') {
      commits += 1;
      throw lost();
    }
    if (name.startsWith('select exists')) throw lost();
    return name === 'stamp' ? stamps : undefined;
  };
  const end = ends([engine.run(write, {}, by)]);
  for (let n = 0; n < 80; n += 1) await turn().then(() => pass(100));
  assert.deepEqual(await end, ['OUTCOME_UNKNOWN']);
  assert.equal(commits, 1);
});

test('a command that has waited too long is not tried alone after its batch failed', async () => {
  const { database, engine, pass } = scene();
  let writes = 0;
  database.at = (name) => {
    if (name === 'write') {
      writes += 1;
      pass(60_000);
      throw Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23514' });
    }
    return name === 'stamp' ? stamps : undefined;
  };
  assert.deepEqual(await ends([engine.run(write, {}, by)]), ['OVERLOADED']);
  assert.equal(writes, 1);
});

test('each command that is tried alone after its batch failed is progress', async () => {
  const { database, engine, pass } = scene();
  const still: number[] = [];
  database.at = (name) => {
    if (name === 'write') {
      still.push(engine.stillMs);
      pass(100);
      if (still.length === 1) {
        throw Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23514' });
      }
    }
    return name === 'stamp' ? stamps : undefined;
  };
  assert.deepEqual(await ends([engine.run(write, {}, by), engine.run(write, {}, by)]), [201, 201]);
  assert.deepEqual(still, [0, 0, 0]);
});

test('an error that the database answered rolls back and leaves the connection whole', async () => {
  const { database, engine } = scene();
  database.at = (name) => {
    if (name === 'write') {
      throw Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23514' });
    }
    return name === 'stamp' ? stamps : undefined;
  };
  assert.deepEqual(await ends([engine.run(write, {}, by)]), ['no']);
  assert.equal(database.broken, 0);
  const looks = database.sent.filter((name) => name.startsWith('select'));
  assert.deepEqual(looks, [], 'a no of the database leaves no doubt');
  assert.equal(database.sent.at(-1), 'rollback');
});

test('what is looked for after a lost commit is the first step, with its stamp', async () => {
  const row = { workspace: 1, resource_id: 'r', version: 3, at: NOW, actor: 'client:a' };
  const sent: Statement[] = [];
  const db = {
    query: async (statement: Statement | string) => {
      sent.push(statement as Statement);
      return [{ there: true }];
    },
  };
  const inserts = new Map<Table, WorkspaceRow[]>([
    [noteTable as unknown as Table, [{ workspace: 1 }]],
    [stepTable as unknown as Table, [row, { ...row, version: 4 } as WorkspaceRow]],
  ]);
  const queueTimeout = { now: () => 0, pause: async () => {} };
  assert.equal(await wasCommitted(db as never, '1', { inserts }, queueTimeout), true);
  assert.deepEqual(
    sent.map(({ values }) => values),
    [[1, 'r', 3, NOW, 'client:a']],
  );
  const step = 'workspace = $1 and resource_id = $2 and version = $3 and at = $4 and actor = $5';
  const text = `select exists (select from history where ${step}) as there, `;
  assert.ok(sent[0]?.text.replaceAll(/\s+/g, ' ').startsWith(text), sent[0]?.text);
});

test('what a caller hears of a fault', () => {
  const told = (error: unknown): unknown => {
    const answer = answerTo(error);
    return answer instanceof Refusal ? [answer.spec.code, answer.retryAfter] : answer;
  };
  const bug = new Error('a bug');
  assert.deepEqual(told(new CommitUnknown('lost')), ['OUTCOME_UNKNOWN', 1]);
  assert.deepEqual(told(lost()), ['DATABASE_UNAVAILABLE', 1]);
  assert.equal(told(bug), bug);
  const away = [lost(), bug, new CommitUnknown('lost')].map((one) => isUnavailable(answerTo(one)));
  assert.deepEqual(away, [true, false, false], 'what background work need not tell again');
});

test('who is refused because a workspace is archived may ask again after a second', async () => {
  const { database, engine } = scene();
  database.at = (name) => (name === 'stamp' ? [{ ...stamps[0], ended: true }] : undefined);
  const [end] = await Promise.allSettled([engine.run(write, {}, by)]);
  assert.equal(((end as PromiseRejectedResult).reason as Refusal).retryAfter, 1);
});

const columns = { id: 'uuid', next: 'uuid?' } as const;
const links = tableOf('link', 2, columns);
const fixedLinks = tableOf('fixed', 1, columns, { remembered: 20 });

/** Locks a row and the one that it names. */
const follow: Command<{ readonly id: string; readonly turned?: () => boolean }> = {
  name: 'follow',
  batchable: true,
  load(rows, { id, turned }) {
    const next = rows.read(links, id)?.next ?? null;
    const ids = next === null ? [id] : [id, next];
    for (const one of turned?.() === true ? ids.toReversed() : ids) rows.lock(links, one);
  },
  decide(decision, { id }) {
    decision.insert(noteTable, { workspace: 1, id: freshId(), text: id });
    return { status: 200, payload: null };
  },
};

test('rows that want another one once they are locked come back, and then hold both', async () => {
  const { database, engine } = scene();
  const [id, next] = [freshId(), freshId()];
  let reads = 0;
  database.at = (name) => {
    // Another process names the second row between the look and the lock.
    if (name === 'read:link') return [{ workspace: 1, id, next: (reads += 1) === 1 ? null : next }];
    if (name !== 'lock_skip:link') return name === 'stamp' ? stamps : undefined;
    return [
      { workspace: 1, id, next },
      { workspace: 1, id: next, next: null },
    ];
  };
  assert.deepEqual(await ends([engine.run(follow, { id }, by)]), [200]);
  assert.deepEqual([engine.counters.again, engine.counters.batches, reads], [1, 2, 2]);
});

test('the same rows named in another order are the same rows', async () => {
  const { database, engine } = scene();
  const [id, next] = [freshId(), freshId()];
  let asked = 0;
  const row = { workspace: 1, id, next };
  database.at = (name) => {
    if (name === 'read:link') return [row];
    if (name === 'lock_skip:link') return [row, { workspace: 1, id: next, next: null }];
    return name === 'stamp' ? stamps : undefined;
  };
  const turned = (): boolean => (asked += 1) > 2;
  assert.deepEqual(await ends([engine.run(follow, { id, turned }, by)]), [200]);
  assert.equal(engine.counters.again, 0);
});

test('after a lost connection everything is read again', async () => {
  const { database, engine } = scene();
  const id = freshId();
  const seen: string[] = [];
  database.at = (name) => {
    seen.push(name);
    if (name === 'begin' && seen.filter((one) => one === 'begin').length === 1) throw lost();
    if (name.endsWith(':link')) return [{ workspace: 1, id, next: null }];
    return name === 'stamp' ? stamps : undefined;
  };
  assert.deepEqual(await ends([engine.run(follow, { id }, by)]), [200]);
  assert.equal(seen.filter((name) => name === 'read:link').length, 2);
});

test('a command on a row in flight waits until that one has ended', async () => {
  const { database, engine } = scene();
  const id = freshId();
  let go = (): void => {};
  const first = new Promise<readonly unknown[]>((resolve) => (go = () => resolve(stamps)));
  let begun = 0;
  database.at = (name) => {
    if (name === 'begin') begun += 1;
    if (name.endsWith(':link')) return [{ workspace: 1, id, next: null }];
    if (name !== 'stamp') return undefined;
    return begun === 1 ? first : stamps;
  };
  const one = engine.run(follow, { id }, by);
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  await turns();
  const two = engine.run(follow, { id }, by);
  await turns();
  assert.equal(begun, 1);
  go();
  assert.deepEqual(await ends([one, two]), [200, 200]);
  assert.equal(begun, 2);
});

const sources = ({ pool: reads }: ScriptedDatabase) => ({ reads, compose: async () => null });

test('rows that are remembered are followed in one round, however many', async () => {
  const memory = new ImmutableRows();
  const ids = Array.from({ length: 9 }, freshId);
  ids.forEach((id, at) => {
    memory.keep(fixedLinks as unknown as Table, { workspace: 1, id, next: ids[at + 1] } as IdRow);
  });
  const command: Command<unknown> = {
    name: 'chain',
    batchable: true,
    load(rows) {
      let at: string | null | undefined = ids[0];
      while (at) at = rows.read(fixedLinks, at)?.next;
    },
    decide: () => ({ status: 200, payload: null }),
  };
  const given = { command, input: null, submission: by, lineage: 1, arrived: 0 };
  const pending = arriving({ ...given, settle() {}, fail() {} });
  const database = new ScriptedDatabase();
  const ready = await discover(sources(database), [pending], memory);
  assert.deepEqual([ready, database.sent], [[pending], []]);
});

test('needs that never come to an end are a fault, after six rounds', async () => {
  const database = new ScriptedDatabase();
  const command: Command<unknown> = {
    name: 'endless',
    batchable: true,
    load: (rows) => void rows.read(links, freshId()),
    decide: () => ({ status: 200, payload: null }),
  };
  const given = { command, input: null, submission: by, lineage: 1, arrived: 0 };
  const pending = arriving({ ...given, settle() {}, fail() {} });
  const work = discover(sources(database), [pending], new ImmutableRows());
  await assert.rejects(work, /never comes to an end/);
  assert.equal(database.sent.length, 6);
});

test('the statements that read, search and lock, and the values they are given', async () => {
  const sent: string[] = [];
  const row = { workspace: 1, id: freshId(), next: null };
  const db = {
    query: async (statement: Statement | string) => {
      const { text, values } = statement as Statement;
      const given = (values ?? []).map((one) => (Buffer.isBuffer(one) ? 'ids' : one));
      sent.push(`${nameOf(statement)} ${text.replaceAll(/\s+/g, ' ')} [${given.join(' ')}]`);
      return [row];
    },
  } as never;
  const table = links as unknown as Table;
  const loaded = new Loaded();
  const requests = [row.id, freshId()].map((id) => ({ table, workspace: 1, id }));
  await readRows(db, requests, loaded, new ImmutableRows());
  assert.deepEqual(
    requests.map(({ id }) => loaded.get(table, 1, id)),
    [row, null],
  );
  const text = { table: noteTable, column: 'text' } as unknown as Index;
  await findRows(db, [{ index: text, workspace: 1, value: 'x' }], loaded);
  assert.deepEqual(loaded.found.get(findKey(text, 1, 'x')), [], 'what does not fit is no find');
  const next = { table: links, column: 'workspace' } as unknown as Index;
  const other = new Loaded();
  const byWorkspace = { query: async () => [row] } as never;
  await findRows(byWorkspace, [{ index: next, workspace: 1, value: 1 as never }], other);
  assert.deepEqual(other.get(table, 1, row.id), row, 'what is found is known by its id as well');
  await lockRows(db, requests, 'skip');
  await lockRows(db, [requests[0] as (typeof requests)[0]], 'wait');
  const rows = 'where workspace = any($1::int4[]) and id = any($2::uuid[])';
  const read = `select workspace, id, next from link ${rows}`;
  const lock = `${read} order by workspace, id for no key update`;
  assert.deepEqual(sent, [
    `read:link ${read} [{1} ids]`,
    'find:note.text select workspace, id, text from note ' +
      'where workspace = any($1::int4[]) and text = any($2::text[]) order by id [{1} {x}]',
    `lock_skip:link ${lock} skip locked [{1} ids]`,
    `lock_wait:link ${lock} [{1} ids]`,
  ]);
});

test('tenants that have nothing waiting take no share of a transaction', () => {
  const admission = new Admission();
  const pendingIn = (workspace: number): Pending => {
    const command = { ...follow, load() {} } as unknown as Command<unknown>;
    const given = {
      command,
      input: null,
      submission: { ...by, workspace },
      lineage: 1,
      arrived: 0,
    };
    const pending = arriving({ ...given, settle() {}, fail() {} });
    pending.keys = [freshId()];
    return pending;
  };
  for (let workspace = 1; workspace <= 100; workspace += 1) admission.add(pendingIn(workspace));
  assert.equal(admission.takeBatch().length, 100);
  for (let n = 0; n < 500; n += 1) admission.add(pendingIn(7));
  assert.equal(admission.takeBatch().length, 120);
});
