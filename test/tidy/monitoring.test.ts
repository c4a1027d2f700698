// Whoever is woken finds the alert's section, and no rule, panel or page names a metric that there
// is not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Figures } from '../../src/seen/figures.ts';
import { ALERTS } from '../../src/seen/alerts.ts';
import { RequestCounts } from '../../src/seen/requests.ts';
import { METRICS } from '../../src/seen/rows.ts';
import { ROOT } from './tree.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const runbook = read('docs/runbook.md');

test('each alert has its section, in full, and each section its alert', () => {
  const sections = runbook.split(/^## /m).slice(1);
  assert.deepEqual(
    sections.map((text) => text.slice(0, text.indexOf('\n'))).toSorted(),
    ALERTS.map(({ name }) => name).toSorted(),
  );
  for (const text of sections) {
    const all = ['**Means:**', '**How bad:**', '```sh', '**Look at:**', '**Do:**', '**Wake:**'];
    for (const part of all) {
      assert.ok(text.includes(part), `${text.slice(0, 40)}: ${part}`);
    }
  }
  for (const { name, severity } of ALERTS) {
    assert.ok(read('docs/generated/monitoring/alerts.yml').includes(`alert: ${name}`));
    assert.ok(severity === 'page' || severity === 'ticket');
  }
});

test('what rules, dashboard and pages name exists', async () => {
  const text = await new Figures(new RequestCounts()).text();
  const ours = Object.values(METRICS).flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  const told = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const known = new Set([...ours, ...told]);
  const places = [
    ...ALERTS.map(({ expr }) => expr),
    read('docs/generated/monitoring/dashboard.json'),
    runbook,
    read('docs/operations.md'),
  ].join('\n');
  const named = places.match(/\b(?:holdfast|nodejs|process)_[a-z0-9_]+/g) ?? [];
  assert.ok(named.length > 40);
  // The role that owns the tables.
  known.add('holdfast_owner');
  const lacking = [...new Set<string>(named)].filter((name) => !known.has(name));
  assert.deepEqual(lacking, []);
  const board = JSON.parse(read('docs/generated/monitoring/dashboard.json')) as {
    readonly panels: readonly object[];
  };
  assert.equal(board.panels.length, Object.keys(METRICS).length);
});
