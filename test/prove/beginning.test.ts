// The snapshot that resets go back to, after a release that stores more: a workspace that has grown
// too large for one starts all the same, and is not reset. [G-64]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rememberBeginning } from '../../src/sandbox/workspace/index.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

test('a workspace too large for a snapshot of this release starts, and is not reset', async () => {
  const { api, db } = platform;
  const [row] = await db.query<{ workspace: number; snapshot_id: string }>(
    `update snapshot s set shape = 'of another release' from workspace w
      where s.id = w.snapshot_id returning w.workspace, w.snapshot_id`,
  );
  const { workspace = 0, snapshot_id = '' } = row ?? {};
  const beginning = async (): Promise<string | undefined> => {
    const text = 'select snapshot_id from workspace where workspace = $1';
    return (await db.query<{ snapshot_id: string }>({ text, values: [workspace] }))[0]?.snapshot_id;
  };
  await rememberBeginning(db, workspace, 0);
  assert.equal(await beginning(), snapshot_id);
  const refused = await api.send('invoicing', 'POST', '/sandbox/reset', { body: {} });
  assert.deepEqual([refused.status, refused.code], [409, 'SNAPSHOT_OUTDATED']);
  await rememberBeginning(db, workspace);
  assert.notEqual(await beginning(), snapshot_id);
  await api.must(200, 'invoicing', 'POST', '/sandbox/reset', { body: {} });
});
