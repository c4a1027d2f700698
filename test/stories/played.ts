// A played page against its committed text, on the database of the run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { playedPage } from '../../scripts/docs/demo-page.ts';
import type { PLAYED_PAGES } from '../../scripts/docs/pages.ts';
import { testDatabase } from '../kit/database.ts';

/** Makes the test of a page; `timeout` in milliseconds. */
export function testPlayed(page: (typeof PLAYED_PAGES)[number], timeout: number): void {
  test(`docs/generated/${page} is what its story says now`, { timeout }, async () => {
    const base = await testDatabase();
    try {
      const path = join(import.meta.dirname, '../../docs/generated', page);
      const played = await playedPage(page, base.url);
      assert.equal(played, readFileSync(path, 'utf8'), 'run `npm run docs`, read the difference');
    } finally {
      await base.drop();
    }
  });
}
