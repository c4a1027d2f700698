// Every statement that a server sends while all operations run, with the plan that it was run by:
// each access names its tenant, and no change of rows asks a clock. What does otherwise has a row
// with its reason in test/tidy/habits.ts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../api/kit.ts';
import { loggedPlans, logPlans, type Planned } from '../kit/plans.ts';
import { unboundIn, unhashedIn, wholeHistoryIn } from '../kit/plans.ts';
import { ALL_TENANTS, asksClock, changes, isExcused } from '../tidy/habits.ts';
import { OWN_CLOCK, WHOLE_HISTORIES } from '../tidy/habits.ts';
import { OWNERS } from '../tidy/table-rows.ts';
import { CHAPTERS } from '../wire/chapters.ts';
import { Listener } from '../wire/deliveries.ts';
import { Walk } from '../wire/walk.ts';

const listener = new Listener();
let platform: Platform;
let planned: readonly Planned[] = [];
before(async () => {
  const options = ['--forward-to', await listener.open()];
  platform = await startPlatform({ options, before: logPlans });
  const walk = new Walk(platform);
  await walk.read();
  for (const chapter of CHAPTERS) await chapter(walk);
  await walk.delivered();
  planned = await loggedPlans(platform.db);
});
after(async () => {
  await platform?.stop();
  listener.close();
});

test('every access of every statement is bound to a tenant', async () => {
  const simulated = new Set(OWNERS['sandbox/simulators']);
  const rows = await platform.db.query<{ name: string }>(`select t.relname as name from pg_class t
    join pg_index i on i.indrelid = t.oid and i.indisprimary
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where a.attname = 'workspace' and t.relname <> 'workspace'`);
  // The simulators stand for parties outside, who know nothing of our tenants.
  const tables = new Set(rows.map(({ name }) => name).filter((name) => !simulated.has(name)));
  assert.ok(planned.length > 500, `${planned.length} statements were logged`);
  const unbound = planned.flatMap((one) => {
    const open = unboundIn(one, tables);
    return open.length === 0 || isExcused(one.text, ALL_TENANTS) ? [] : [{ open, text: one.text }];
  });
  assert.deepEqual(unbound, []);
});

test('an account is looked for by the hash that its indexes hold', () => {
  const hashed = planned.filter(({ plan }) => JSON.stringify(plan).includes('uuid_hash'));
  assert.ok(hashed.length > 10, `${hashed.length} statements look for an account`);
  assert.deepEqual(planned.filter((one) => unhashedIn(one).length > 0), []);
});

test('no join reads every step of a tenant', () => {
  const of = planned.filter(({ plan }) => JSON.stringify(plan).includes('"step"'));
  assert.ok(of.length > 20, `${of.length} statements read steps`);
  const whole = of.filter((one) => wholeHistoryIn(one).length > 0)
    .filter(({ text }) => !isExcused(text, WHOLE_HISTORIES));
  assert.deepEqual(whole.map(({ text }) => text), []);
});

test('no statement that changes rows asks a clock', () => {
  const changing = planned.filter(({ text }) => changes(text));
  assert.ok(changing.length > 100, `${changing.length} statements were logged`);
  const asking = changing.filter(({ text }) => asksClock(text) && !isExcused(text, OWN_CLOCK));
  assert.deepEqual(asking.map(({ text }) => text), []);
});
