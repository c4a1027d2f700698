// A verification goes on from the block that was last proven: what it then reads, what only a whole
// one finds, and marks that somebody forged.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Transaction } from '../../src/db/index.ts';
import { markProven, readMarks, verifyAudit } from '../../src/product/tell/audit/index.ts';
import { openScene, type Scene } from './kit.ts';

let scene: Scene;
before(async () => {
  scene = await openScene(2);
});
after(() => scene?.bench.close());

const UNDO = new Error('undone on purpose');

/** What a verification finds after the acts, which are undone; it goes on, or is whole. */
async function found(acts: readonly string[], whole = false): Promise<readonly string[]> {
  const { db, services } = scene.bench;
  let what: readonly string[] = [];
  const tried = db.transaction(async (tx: Transaction) => {
    await tx.execute('set local session_replication_role = replica');
    for (const act of acts) await tx.execute(act);
    const marks = whole ? null : await readMarks(tx, services.keys);
    const { results } = await verifyAudit(tx, services.keys, null, marks);
    what = results.flatMap(({ examples }) => examples);
    throw UNDO;
  });
  await assert.rejects(tried, (error) => error === UNDO);
  return what;
}

/** Proves everything that there is, and keeps how far. */
async function prove(): Promise<void> {
  const { db, services } = scene.bench;
  const { results, proven } = await db.transaction((tx) => verifyAudit(tx, services.keys, null));
  assert.deepEqual(results.flatMap(({ examples }) => examples), []);
  await markProven(db, services.keys, proven);
}

const OLDEST = `update event set name = 'another' where workspace = 1 and sequence = 1`;
const NEWEST = `update event set name = 'another' where (workspace, sequence) in (
  select workspace, max(sequence) from event where workspace = 1 group by workspace)`;

test('an old row is found by a whole verification, a new one by each', async () => {
  const { workspace } = scene.bench.home;
  assert.equal(workspace, 1);
  const [whole = ''] = await found([OLDEST]);
  assert.match(whole, /block 1: event 1 was changed/, 'nothing is proven yet');
  await prove();
  assert.deepEqual(await found([OLDEST]), [], 'it was sealed before the last proof');
  assert.match((await found([OLDEST], true))[0] ?? '', /block 1: event 1 was changed/);
  await scene.live();
  assert.match((await found([NEWEST]))[0] ?? '', /event \d+ was changed/);
  assert.deepEqual(await found([]), []);
});

test('a mark that does not fit is a breach, and hides nothing', async () => {
  const forged = await found([OLDEST, 'update audit_proof set number = number + 1']);
  assert.match(forged[0] ?? '', /its proof was not signed by this installation/);
  assert.ok(forged.some((what) => /event 1 was changed/.test(what)), forged.join());
  const cut = `delete from audit_block b using audit_proof p
    where b.workspace = p.workspace and b.number >= p.number and p.workspace = 1`;
  assert.match((await found([cut]))[0] ?? '', /block \d+ is gone: it was proven at/);
  const changed = `update audit_block b set hash = sha256('') from audit_proof p
    where b.workspace = p.workspace and b.number = p.number and p.workspace = 1`;
  assert.match((await found([changed]))[0] ?? '', /block \d+ differs from the one proven at/);
  assert.equal((await found(['delete from audit_proof', OLDEST])).length, 1);
});

test('a mark that does not fit stays until everything was verified', async () => {
  const { db, services } = scene.bench;
  await db.execute('update audit_proof set at = at + interval $$1 s$$ where workspace = 1');
  const marks = await readMarks(db, services.keys);
  const { proven } = await db.transaction((tx) => verifyAudit(tx, services.keys, null, marks));
  assert.ok(!proven.some(({ workspace }) => workspace === 1));
  await prove();
  assert.equal((await readMarks(db, services.keys)).unfit.size, 0);
});
