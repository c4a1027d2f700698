// Several processes that seal one database, killed at any moment while entries commit, some of them
// late: one chain, without gaps, no entry in two blocks.
import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { audit, Sealer, verifyAudit } from '../../src/product/tell/audit/index.ts';
import { laws } from '../../src/product/tell/audit/laws.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { bookProofs } from '../../src/catalogue.ts';
import { runProofs } from '../../src/ledger/index.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { benchKeys } from '../kit/domain-bench.ts';
import { announce } from '../audit/kit.ts';

const KILLS = 6;
const WRITERS = 4;

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base.drop());

function sealer(): ChildProcess {
  return fork(join(import.meta.dirname, '../audit/lone-sealer.ts'), {
    env: { SEALER_DATABASE_URL: base.url },
  });
}

/** Audited changes and events until it is told to end; returns how many committed. */
async function write(workspace: number, ended: () => boolean): Promise<number> {
  let committed = 0;
  for (let n = 0; !ended(); n += 1) {
    await base.db
      .transaction(async (tx) => {
        await audit(tx, { workspace, actor: 'system', act: 'exported', subject: String(n) });
        await tx.execute({
          text: `insert into outbox values
            ($1, $2, 1, $3, 'x', clock_timestamp(), null, '{"n":1}')`,
          values: [workspace, systemRandom.uuid(), systemRandom.uuid()],
        });
        await tx.query(`select pg_sleep(random() * 0.02)`);
        if (n % 7 === 6) throw new Error('rolled back');
        committed += 1;
      })
      .catch((error: unknown) => {
        if ((error as Error).message !== 'rolled back') throw error;
      });
  }
  return committed;
}

test(`${KILLS} kills of processes that seal leave one chain`, async (t) => {
  const { db } = base;
  const { workspace } = await createWorkspace(db, { name: 'One', currencies: ['USD'] });
  const before = 1; // the entry of the workspace itself
  let ended = false;
  const writers = Array.from({ length: WRITERS }, () => write(workspace, () => ended));
  const steady = sealer();
  for (let n = 0; n < KILLS; n += 1) {
    const child = sealer();
    await once(child, 'message');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  steady.kill('SIGKILL');
  await once(steady, 'exit');
  ended = true;
  const committed = (await Promise.all(writers)).reduce((sum, one) => sum + one, 0);
  await announce(db, workspace);
  await new Sealer({ db, keys: benchKeys, random: systemRandom }, db).pass();
  const rows = await db.query<Record<'blocks' | 'last' | 'lines' | 'events' | 'keys', bigint>>({
    text: `select count(*) as blocks, max(number) as last, sum(lines) as lines,
        max(last_event) as events, count(distinct key) as keys
      from audit_block where workspace = $1`,
    values: [workspace],
  });
  const { blocks, last, lines, events, keys } = rows[0] ?? {};
  t.diagnostic(`${committed} acts in ${blocks} blocks`);
  assert.ok((blocks ?? 0n) > KILLS, 'there was hardly any sealing');
  const seen = [last, Number(lines), Number(events), keys];
  assert.deepEqual(seen, [blocks, before + committed, committed, 1n]);
  const results = await db.transaction(async (tx) => [
    ...(await runProofs(tx, [...bookProofs, ...laws])),
    ...(await verifyAudit(tx, benchKeys, null)).results,
  ]);
  assert.deepEqual(results.filter(({ breaches }) => breaches > 0), []);
});
