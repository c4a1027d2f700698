// The program rolled back within a schema: it starts and serves on that of a later release while no
// migration says otherwise; where one does, a start is refused and a node that runs goes on.
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/db/migrate.ts';
import { run, type Ran } from '../cli/terminal.ts';
import { productionDatabase, type TestDatabase } from '../kit/database.ts';
import { startNode } from '../kit/platform.ts';
import { MIGRATIONS } from '../migrations/dump.ts';
import { endAll, remove, temporaryFolder, terminate, type Launched } from '../start/launch.ts';

const folder = temporaryFolder();
const later = join(folder, 'migrations');
let base: TestDatabase;
let settings: Record<string, string>;
let node: Launched;
before(async () => {
  cpSync(MIGRATIONS, later, { recursive: true });
  base = await productionDatabase();
  settings = {
    ...{ DATABASE_URL: base.served, HOLDFAST_ENV: 'production', HOLDFAST_DRAIN_MS: '0' },
    ...{ HOLDFAST_DATA_DIR: folder, HOLDFAST_KEY_FILE: join(folder, 'keys.json') },
  };
});
after(async () => {
  endAll();
  await base?.drop();
  remove(folder);
});

/** Applies a migration as the release would that has it. */
async function release(name: string, text: string): Promise<void> {
  writeFileSync(join(later, name), text);
  assert.deepEqual(await migrate(base.db, pathToFileURL(`${later}/`)), [name]);
}

/** What `check` says of the schema. */
async function schema(): Promise<string> {
  const { out }: Ran = await run(settings, 'check', '--json');
  const { findings } = JSON.parse(out) as { findings: { part: string; says: string }[] };
  return findings.find(({ part }) => part === 'schema')?.says ?? out;
}

async function answers(path: string): Promise<number> {
  const ready = (await node.ready()) as { urls: Record<string, string> };
  return (await fetch(`${ready.urls['internal']}${path}`)).status;
}

test('it serves on a schema that only grew, and says which migrations are new', async () => {
  await release('9998_wider.sql', 'create table wider (workspace integer primary key);\n');
  node = await startNode(settings);
  assert.equal(await answers('/readyz'), 200);
  assert.match(node.stderr(), /schema is newer than this program: 9998_wider\.sql/);
  assert.equal(await schema(), 'newer, and this release works on it: 9998_wider.sql');
});

test('where a later migration needs a newer program, no start is let in', async () => {
  const needs = '-- Drops what older programs need.\n-- Needs a program that knows 9998.\n';
  await release('9999_later.sql', `${needs}drop table wider;\n`);
  assert.equal(await answers('/readyz'), 200, 'a node that runs is not ended');
  await terminate(node);
  const sentence =
    'The schema of the database is too new for this program (9999_later.sql needs one that knows ' +
    '9998): start a newer release.';
  const refused = await startNode(settings);
  assert.equal(await refused.ended, 1);
  assert.ok(refused.stderr().includes(sentence), refused.stderr());
  assert.equal(await schema(), sentence);
});
