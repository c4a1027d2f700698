// The page of the last proofs: what tests say of failed and refused requests comes through, and a
// battery that runs alone leaves the rows of the others as they were.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BATTERIES } from '../../scripts/batteries.ts';
import { notesOf, proofPage, type Result } from '../../scripts/proof-page.ts';
import { ROOT } from './tree.ts';

const PAGE = readFileSync(join(ROOT, 'docs/proof.md'), 'utf8');

test('how many requests failed or were refused is told, and the runner is not', () => {
  const told = [
    '6175 requests, 1800 sales: 0 failed',
    'migrated: 310 paid, 0 failed',
    '31 rounds beside a burst of 8: 0 failed',
    'moved 20041 rows: refused for 2210 ms, by the command 1801 ms',
    '23703 requests, 23461 on kept connections, over 10 stops: 0 failed',
  ];
  const others = ['TAP version 13', '# Subtest: it failed', '#     0 failed', '# fail 0'];
  const output = [...others, ...told.map((line) => `# ${line}`), '# duration_ms 7'].join('\n');
  assert.deepEqual(notesOf(output), told);
});

test('a battery that ran alone replaces its own lines, with its commit and that date', () => {
  const battery = BATTERIES.find(({ name }) => name === 'rolling');
  assert.ok(battery);
  const counts = { seed: '7', passed: 3, failed: 0, seconds: 9 };
  const results: Result[] = [{ battery, ...counts, notes: ['0 failed'] }];
  const about = { commit: { hash: 'abc1234', date: '2030-01-02' }, lastRun: '2030-01-03, here' };
  const next = proofPage(PAGE, results, about);
  assert.match(next, /^The last run: 2030-01-03, here\.$/m);
  assert.match(next, /^\| rolling \| .+ \| 3 \| 0 \| 9 \| abc1234 \| 2030-01-02 \| 7 \|$/m);
  assert.deepEqual(next.match(/^- rolling: .*$/gm), ['- rolling: 0 failed']);
  const rest = (page: string): string[] => {
    return page.split('\n').filter((line) => /^(?:\||-) /.test(line) && !/ rolling[: ]/.test(line));
  };
  assert.deepEqual(rest(next), rest(PAGE));
});

test('each row has a commit of this history, with the date of that commit', (t) => {
  const rows = [...PAGE.matchAll(/^\| \w+ \|(?:[^|]+\|){4} (\w+) \| ([\d-]+) \| \d+ \|$/gm)];
  assert.equal(rows.length, PAGE.match(/^\| [a-z_]+ \|/gm)?.length);
  for (const [, hash = '', date] of rows) {
    const asked = ['log', '-1', '--format=%cs', hash];
    const said = spawnSync('git', asked, { cwd: ROOT, encoding: 'utf8' });
    // A clone without the whole history, or a package, does not know it.
    if (said.status === 0) assert.equal(said.stdout.trim(), date, hash);
    else t.diagnostic(`${hash} is not in this history`);
  }
});
