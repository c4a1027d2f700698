// The database's password stands in a file that is read at each connect, so that it can be replaced
// while a process runs. While the two differ the database counts as unreachable.
import assert from 'node:assert/strict';
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { Database, isUnreachable, PASSWORD_FILE } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-password-'));
const file = join(folder, 'password');
let base: TestDatabase;
let role = '';
let db: Database;
before(async () => {
  base = await testDatabase();
  const url = new URL(base.url);
  role = `owner_${url.pathname.slice(1)}`;
  await base.db.execute(`create role ${role} login password 'first one'`);
  [url.username, url.password] = [role, ''];
  url.searchParams.set(PASSWORD_FILE, file);
  db = new Database({ url: url.href, max: 2 });
});
after(async () => {
  await db.close();
  await base.db.execute(`drop role ${role}`);
  await base.drop();
  rmSync(folder, { recursive: true });
});

test('each connection is made with the password that the file holds then', async () => {
  const isAbsent = (error: Error) => isUnreachable(error) && error.message.endsWith(`: ${file}`);
  await assert.rejects(db.query('select'), isAbsent);
  writeFileSync(file, 'first one\n');
  const open = await db.connection();
  await base.db.execute(`alter role ${role} password 'second one'`);
  await assert.rejects(db.query('select'), isUnreachable);
  writeFileSync(file, 'second one');
  assert.deepEqual(await db.query('select current_user as it'), [{ it: role }]);
  assert.deepEqual(await open.query('select current_user as it'), [{ it: role }], 'stays open');
  open.release();
});
