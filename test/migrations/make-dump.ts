// `npm run dump`: plays a sandbox until almost every table has rows, and writes the dump that later
// migrations are tested from, with its keys and the digests of its migrations. Only until the
// release is out: from then on its files do not change.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '../../scripts/demo/platform.ts';
import { notesOf } from '../../scripts/release-notes.ts';
import { testDatabase } from '../kit/database.ts';
import { KEY_FILE, VERSION, writeDump } from './dump.ts';
import { walk } from './walk.ts';

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
if (!('objection' in notesOf(changelog, VERSION))) {
  process.stderr.write(
    `holdfast: ${VERSION} is released: its migrations and its dump stay. Add a migration.\n`,
  );
  process.exit(1);
}

rmSync(KEY_FILE, { force: true });
process.env['HOLDFAST_KEY_FILE'] = KEY_FILE;
const folder = mkdtempSync(join(tmpdir(), 'holdfast-dump-'));
const base = await testDatabase();
try {
  const platform = await startPlatform(base.url);
  try {
    await walk(platform, folder);
  } finally {
    await platform.stop();
  }
  chmodSync(KEY_FILE, 0o644);
  const empty: string[] = [];
  const tables = await base.db.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  for (const { name } of tables) {
    const rows = await base.db.query(`select from ${name} limit 1`);
    if (rows.length === 0) empty.push(name);
  }
  const size = await writeDump(base.db);
  assert.ok(size < 300_000, `the dump has ${size} bytes`);
  const filled = tables.length - empty.length;
  process.stdout.write(
    `${filled} tables with rows in ${size} bytes; without rows: ${empty.join(' ')}\n`,
  );
} finally {
  await base.drop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
