// The section of docs/operations.md about a database of 0.2 as it stands: a database that one role
// made and owns gets the second one, and its nodes then serve as a role that owns nothing.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Database } from '../../src/db/index.ts';
import { Api, type Ready } from '../kit/api.ts';
import { faultsOf } from '../kit/platform.ts';
import { KEY_FILE, sqlOfDump } from '../migrations/dump.ts';
import { endAll, terminate } from '../start/launch.ts';
import { Machine, operatorSteps } from './machine.ts';

let machine: Machine;
let owner: URL;

before(async () => {
  machine = await Machine.open();
  owner = new URL(machine.server.url);
  owner.pathname = '/holdfast';
  await machine.prepare();
  // Before there is but one role.
  await machine.typed('sudo -u postgres psql --command "drop role holdfast_owner"');
  await machine.typed('sudo -u postgres createdb --owner service holdfast');
  copyFileSync(KEY_FILE, join(machine.folder, 'var/lib/holdfast/keys.json'));
  machine.give('var/lib/holdfast/keys.json');
  await restore();
});
after(async () => {
  endAll();
  await machine?.close();
});

/** As its one role made it. */
async function restore(): Promise<void> {
  const db = new Database({ url: owner.href, max: 1 });
  try {
    // As pg_restore does it, without triggers.
    await db.execute('grant set on parameter session_replication_role to service');
    await db.execute(`set session authorization service; ${sqlOfDump()}`);
    await db.execute('reset session authorization');
    await db.execute('revoke set on parameter session_replication_role from service');
  } finally {
    await db.close();
  }
}

test('typed as they stand, the commands give a database of one role its second', async () => {
  const early = await machine.typed(
    `sudo -u postgres psql -At --dbname=holdfast --command "select distinct tableowner
      from pg_tables where schemaname = 'public'"`,
  );
  assert.equal(early, 'service\n');
  const steps = operatorSteps('operations', 'aside');
  assert.ok(steps.length > 5);
  const said = await machine.typed(...steps.map(({ text }) => text));
  assert.match(said, /^applied 0\d+_\w+\.sql$[^]+^rights of service are set$/m);
  const node = await machine.start(machine.settings());
  const ready = (await node.ready()) as unknown as Ready;
  assert.ok((await (await Api.open(ready)).money(ready.accounts.buyer.account_id)).spendable >= 0);
  const checked = await machine.asService('holdfast check');
  assert.match(checked, /^ok +role +service, which owns nothing$[^]+^ok +schema +of this release/m);
  await machine.asService('holdfast verify');
  assert.equal(await terminate(node), 0, node.stderr());
  assert.deepEqual(faultsOf(node.stderr()), []);
});
