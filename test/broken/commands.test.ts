// The first steps of one history on a database that breaks. `npm run prove broken` plays whole
// ones, and those of the whole system.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakCommands } from './commands.ts';
import type { Coverage } from './draws.ts';

const [SEED, NUMBER, STEPS] = [20_261_123, 1, 8];

test('what the database breaks off is done once or not at all', async () => {
  const coverage: Coverage = new Map();
  await breakCommands(SEED, NUMBER, coverage, STEPS);
  const commits = coverage.get('engine: commit of engine write');
  assert.ok((commits?.played.size ?? 0) > 1, 'no commit was broken');
});
