// A template without its tag `sql` would put a value into the text of a statement. So templates are
// given to a connection only with the tag, or with holes for constants and names of ours.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

/** Whose statements name tables, roles or columns that are not known before. */
const NAMES: ReadonlySet<string> = new Set([
  'src/db/embedded/server-role.ts',
  'src/db/finish.ts',
  'src/db/in-time.ts',
  'src/db/listener.ts',
  'src/db/reader.ts',
  'src/ledger/proofs.ts',
  'src/product/people/retention/rotation.ts',
  'src/product/tell/audit/verify.ts',
  'src/product/tenant/export/write.ts',
  'src/product/tenant/move/copy.ts',
  'src/product/tenant/move/move.ts',
  'src/product/tenant/reporting/roles.ts',
  'src/product/tenant/tenant/cache-invalidation.ts',
]);

const GIVEN = /\.(?:query|execute)(?:<[^(]*>)?\(\s*`([^`]*)`/g;
const HOLE = /\$\{([^}]*)\}/g;

/** Holes of untagged templates that are no constants. */
function holesIn(text: string): string[] {
  return [...text.matchAll(GIVEN)]
    .flatMap(([, template = '']) => [...template.matchAll(HOLE)].map(([, hole = '']) => hole))
    .filter((hole) => !/^[A-Z_]+$/.test(hole));
}

test('no value becomes the text of a statement', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.includes('.test.'));
  const open = files.filter((file) => holesIn(readFileSync(join(ROOT, file), 'utf8')).length > 0);
  assert.deepEqual(open.toSorted(), [...NAMES].toSorted());
});

test('a value without the tag is found, and one with it is not', () => {
  const [hole, tick] = ['${id}', '`'];
  assert.deepEqual(holesIn(`db.query<Row>(${tick}select ${hole}${tick})`), ['id']);
  assert.deepEqual(holesIn(`db.query(sql${tick}select from t where id = ${hole}${tick})`), []);
  assert.deepEqual(holesIn(`db.execute(${tick}limit ${'${MOST}'}${tick})`), []);
});
