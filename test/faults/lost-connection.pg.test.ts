// Background work whose connection breaks between two statements, as when a process stands still
// for longer than a transaction may idle: counted, told once, done again, and no fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Database } from '../../src/db/index.ts';
import { httpLog, workFaults } from '../../src/http/log.ts';
import { startUpkeep } from '../../src/worker/upkeep.ts';
import { testDatabase } from '../kit/database.ts';

const NOT_QUERYABLE = 'Client has encountered a connection error and is not queryable';

/** A transaction whose connection the server cuts before its next statement, if `cut` says so. */
async function work(db: Database, other: Database, cut: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (cut) await other.query(`select pg_terminate_backend(${own?.pid}, 5000)`);
    // The first statements may still hear how the connection ended; from then on all say this.
    while (cut) {
      await tx.query('select').catch((error: Error) => {
        if (error.message === NOT_QUERYABLE) throw error;
      });
    }
    await tx.query('select');
  });
}

test('work that lost its connection is counted, told once and done again', async () => {
  const base = await testDatabase();
  const lines: { event: string; text?: string }[] = [];
  const lost: string[] = [];
  const log = httpLog('error', (line) => void lines.push(JSON.parse(line)));
  const fault = workFaults(log, (operation) => void lost.push(operation));
  const db = base.pool(1);
  let left = 3;
  const done = Promise.withResolvers<void>();
  const run = async (): Promise<number> => {
    left -= 1;
    await work(db, base.db, left > 0);
    done.resolve();
    return 0;
  };
  const upkeep = startUpkeep([{ name: 'row', everySeconds: 0.01, run }], fault);
  try {
    await done.promise;
    assert.deepEqual(lost, ['row', 'row']);
    assert.deepEqual(lines.map(({ event }) => event), ['notice']);
    assert.match(lines[0]?.text ?? '', /^warning: .* lost in row; /);
    await upkeep.stop();
    const one = new Database({ url: base.url, max: 1, waitMs: 2_000 });
    const failed = (text: string) => one.query(text).catch((error: unknown) => error);
    fault(await failed('select 1 / 0'), 'row');
    // All connections were in use: who holds them may never let go.
    fault(await one.transaction(() => failed('select')), 'row');
    await one.close();
    assert.deepEqual(lines.map(({ event }) => event), ['notice', 'fault', 'fault']);
    assert.equal(lost.length, 2);
  } finally {
    await upkeep.stop();
    await base.drop();
  }
});
