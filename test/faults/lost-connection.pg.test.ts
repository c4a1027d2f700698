// Background work whose connection breaks between two statements, as when a process stands still
// for longer than a transaction may idle: counted, told once, done again, and no fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/db/index.ts';
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
  const lines: { event: string; text?: string; operation?: string }[] = [];
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
    fault(await db.query('select 1 / 0').catch((error: unknown) => error), 'row');
    assert.deepEqual([lines[1]?.event, lines[1]?.operation, lost.length], ['fault', 'row', 2]);
  } finally {
    await upkeep.stop();
    await base.drop();
  }
});
