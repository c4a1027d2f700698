// The demo plays on this database as its committed page says, step by step.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { demoPage } from '../../scripts/docs/demo-page.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(async () => {
  await base.drop();
});

test('docs/generated/demo.md is what the demo says now', { timeout: 60_000 }, async () => {
  const path = join(import.meta.dirname, '../../docs/generated/demo.md');
  const played = await demoPage(base.url);
  assert.equal(played, readFileSync(path, 'utf8'), 'run `npm run docs` and read the difference');
});
