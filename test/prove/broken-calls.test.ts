import { test } from 'node:test';
import { breakCommands } from '../broken/commands.ts';
import type { Coverage } from '../broken/draws.ts';
const coverage: Coverage = new Map();
for (let n = 0; n < 3; n += 1) {
test(`history ${n}`, async () => {
  const t = performance.now();
  const c = await breakCommands(1, n, coverage);
  console.log(n, c, performance.now() - t);
});
}
test('cov', () => { for (const [p, r] of [...coverage].sort()) console.log(p, r.reached, JSON.stringify([...r.played])); });
