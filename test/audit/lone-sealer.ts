// A process that only seals, to be killed by a test. Takes the database's URL from its environment;
// ends with its parent.
import { Database } from '../../src/db/index.ts';
import { Sealer } from '../../src/product/tell/audit/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { waitingWorkspaces } from '../../src/outbox/index.ts';
import { benchKeys } from '../kit/domain-bench.ts';
import { announceBlock } from './kit.ts';

process.on('disconnect', () => process.exit(0));
const db = new Database({ url: process.env['SEALER_DATABASE_URL'] ?? '', max: 2 });
const sealer = new Sealer({ db, keys: benchKeys, random: systemRandom }, db);
for (;;) {
  for (const workspace of await waitingWorkspaces(db)) await announceBlock(db, workspace);
  await sealer.pass();
  process.send?.('passed');
}
