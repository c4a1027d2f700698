// One walk through every operation of the interface, compared byte for byte with the walk that is
// kept in test/wire/recorded. `HOLDFAST_RECORD=1 npm test -- test/prove/walk.test.ts` keeps a new
// one: what then differs there is what integrators will notice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../api/kit.ts';
import { loggedPlans, logPlans, unboundIn } from '../kit/plans.ts';
import { ALL_TENANTS, asksClock, changes, OWN_CLOCK } from '../tidy/habits.ts';
import { OWNERS } from '../tidy/table-rows.ts';
import * as accounts from '../wire/chapters/accounts.ts';
import * as identity from '../wire/chapters/identity.ts';
import * as back from '../wire/chapters/money-back.ts';
import * as outside from '../wire/chapters/outside.ts';
import * as sales from '../wire/chapters/sales.ts';
import * as sandbox from '../wire/chapters/sandbox.ts';
import * as tokens from '../wire/chapters/tokens.ts';
import * as wallets from '../wire/chapters/wallets.ts';
import * as webhooks from '../wire/chapters/webhooks.ts';
import { Listener } from '../wire/deliveries.ts';
import { difference, keep, kept } from '../wire/record.ts';
import { Walk } from '../wire/walk.ts';

const CHAPTERS: readonly ((walk: Walk) => Promise<void>)[] = [
  tokens.tokens,
  tokens.links,
  accounts.accounts,
  accounts.terms,
  sales.invoices,
  sales.authorized,
  sales.escrows,
  back.refunds,
  back.disputes,
  back.payouts,
  back.reconciliation,
  wallets.wallets,
  wallets.methods,
  identity.kyc,
  identity.business,
  webhooks.webhooks,
  webhooks.events,
  webhooks.settings,
  sandbox.sandbox,
  sandbox.receivers,
  sandbox.workspaces,
  outside.processor,
  outside.vendor,
  outside.health,
  wallets.bank,
  back.bankPayouts,
  back.payees,
  back.evidence,
];

const listener = new Listener();
let platform: Platform;
let address = '';
before(async () => {
  address = await listener.open();
  platform = await startPlatform({ options: ['--forward-to', address], before: logPlans });
});
after(async () => {
  await platform?.stop();
  listener.close();
});

test('every answer and every delivery is the one that is kept', async () => {
  const walk = new Walk(platform);
  walk.names.fix(address, 'listener');
  walk.names.fix(address.replace('http://', ''), 'listener-address');
  await walk.read();
  for (const chapter of CHAPTERS) await chapter(walk);
  await walk.delivered();
  listener.record(walk);
  if (process.env['HOLDFAST_RECORD'] === '1') keep(walk.chapters);
  const found = difference(kept(), walk.chapters);
  assert.ok(found === null, `${found}\nIf this is meant: HOLDFAST_RECORD=1 keeps the new walk.`);
});

test('every access of every statement is bound to a tenant', async () => {
  const simulated = new Set(OWNERS['sandbox/simulators']);
  const rows = await platform.db.query<{ name: string }>(`select t.relname as name from pg_class t
    join pg_index i on i.indrelid = t.oid and i.indisprimary
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where a.attname = 'workspace' and t.relname <> 'workspace'`);
  // The simulators stand for parties outside, who know nothing of our tenants.
  const tables = rows.map(({ name }) => name).filter((name) => !simulated.has(name));
  const planned = await loggedPlans(platform.db);
  assert.ok(planned.length > 500, `${planned.length} statements were logged`);
  const found = new Map(planned.map((one) => [one.text, unboundIn(one, new Set(tables))]));
  const unbound = [...found].filter(([, open]) => open.length > 0);
  const texts = unbound.map(([text, open]) => `${text}\n  ${open.join(', ')}`);
  assert.deepEqual(unexcused(texts, ALL_TENANTS), []);
});

test('no statement that changes rows asks a clock', async () => {
  const changing = (await loggedPlans(platform.db)).filter(({ text }) => changes(text));
  assert.ok(changing.length > 100, `${changing.length} statements were logged`);
  const asking = changing.map(({ text }) => text).filter(asksClock);
  assert.deepEqual(unexcused(asking, OWN_CLOCK), []);
});

function unexcused(texts: readonly string[], rows: Readonly<Record<string, string>>): string[] {
  return texts.filter((text) => !Object.keys(rows).some((start) => text.startsWith(start)));
}
