// Lists over HTTP: every list shows the rows of its tenant alone, by its filters, page by page, and
// refuses what is no filter, no value and no cursor of it. [G-57]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lists } from '../../src/catalogue.ts';
import { timeFilters, type List, type ListFilter } from '../../src/core/list.ts';
import { furnish, type Fixtures } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { saleLine } from '../api/market.ts';
import { accountId, newUuid, uuidOfWireId } from '../../src/core/ids.ts';
import type { Reply } from '../kit/api.ts';
import { until } from '../kit/until.ts';

let platform: Platform;
let mine: Fixtures;
let theirs: Fixtures;
let workspace = 0;
before(async () => {
  platform = await startPlatform();
  const tenant = await platform.tenant();
  workspace = tenant.workspace;
  mine = await furnish(platform, tenant);
  theirs = await furnish(platform, await platform.tenant());
  await mailed(mine);
  await held(mine);
});
after(() => platform?.stop());

/** Escrows that hold money, each with a date of its own. */
async function held({ account, method, sellerWallet, token }: Fixtures): Promise<void> {
  for (const days of [3, 1, 2]) {
    const at = new Date(Date.now() + days * 86_400_000).toISOString().replace('Z', '000Z');
    const body = {
      ...{ account_id: account, payment_methods: [{ payment_method_id: method }] },
      ...{ line_items: [saleLine(sellerWallet, 1)], return_at: at },
    };
    const call = { body, token };
    type Made = { id: string };
    const { id } = await platform.api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', call);
    await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`, { token });
  }
}

/** Somebody with an address is denied, which is told by mail. */
async function mailed({ account, token }: Fixtures): Promise<void> {
  const { api } = platform;
  const email = { address: 'zoe@people.example' };
  await api.must(200, 'accounts', 'PUT', `/user-info/${account}`, { body: { email }, token });
  const state = `/v2/kyc/account/${account}/state`;
  await api.must(200, 'pii', 'PUT', state, { body: { state: 'DENY' }, token });
  await until('a mail', async () => {
    return (await pageOf({ name: 'mails' }, {}, mine)).rows.length > 0 || null;
  });
}

type Row = Readonly<Record<string, string | number | boolean | null>>;
interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}
type Query = Readonly<Record<string, string | number>>;

function ask({ name }: Pick<List, 'name'>, query: Query = {}, of = mine): Promise<Reply> {
  const words = new URLSearchParams();
  for (const [key, one] of Object.entries(query)) words.set(key, String(one));
  const path = `/v1/search/${name}?${words}`;
  return platform.api.send('invoicing', 'GET', path, { token: of.token });
}

async function pageOf(list: Pick<List, 'name'>, query: Query = {}, of = mine): Promise<Page> {
  const reply = await ask(list, query, of);
  assert.equal(reply.status, 200, reply.text);
  return reply.payload as Page;
}

/** The texts that tell one row from all others. */
const keyOf = (list: List, row: Row): string => {
  return Object.entries(list.columns).filter(([, { kind }]) => kind === 'id' || kind === 'number')
    .map(([name]) => row[name]).join(' ');
};

/** Lists of which nothing is there without a fault of somebody, or an operator. */
const QUIET: ReadonlySet<string> = new Set(['unpublished_events', 'open_items', 'disputes',
  'incoming_transfers', 'outbound_transfers', 'money_acts']);

for (const list of lists) {
  test(`${list.name}: rows of its own tenant, page by page as all at once`, async () => {
    const all = await pageOf(list, { limit: 500 });
    assert.equal(all.next, null);
    if (!QUIET.has(list.name)) assert.ok(all.rows.length > 0, 'nothing to see');
    const others = await pageOf(list, { limit: 500 }, theirs);
    const keys = new Set(others.rows.map((row) => keyOf(list, row)));
    assert.deepEqual(all.rows.filter((row) => keys.has(keyOf(list, row))), []);
    const paged: Row[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: Page = await pageOf(list, { limit: 2, ...(next === '' ? {} : { cursor: next }) });
      assert.ok(page.rows.length <= 2);
      paged.push(...page.rows);
      next = page.next;
    }
    // The age of an open item goes on.
    if (list.name !== 'open_items') assert.deepEqual(paged, all.rows);
  });

  test(`${list.name}: each filter lets through what fits it`, async () => {
    const { rows } = await pageOf(list, { limit: 500 });
    for (const [name, filter] of Object.entries(list.filters)) {
      for (const value of valuesOf(filter, name, rows)) {
        const found = await pageOf(list, { limit: 500, [name]: value });
        const fits = rows.filter((row) => String(row[name]) === value);
        assert.deepEqual(found.rows.length, fits.length, `${name}=${value}`);
      }
    }
    if (list.dated === undefined) return;
    const [from = '', before = ''] = timeFilters(list);
    const past = await pageOf(list, { [before]: '2000-01-31' });
    assert.deepEqual(past, { rows: [], next: null });
    const since = await pageOf(list, { limit: 500, [from]: '2000-01-31' });
    assert.deepEqual(since.rows.length, rows.length);
  });

  test(`${list.name}: a wrong filter, value, limit or cursor is refused by its name`, async () => {
    const [from = 'created_from'] = timeFilters(list);
    for (const [query, code] of [
      [{ colour: 'red' }, 'UNKNOWN_FIELD'],
      [{ limit: 0 }, 'INVALID_FIELD'],
      [{ limit: 501 }, 'INVALID_FIELD'],
      [{ cursor: "' or 1=1" }, 'INVALID_FIELD'],
      [{ cursor: `${newUuid()}~${newUuid()}~1~2~3` }, 'INVALID_FIELD'],
      [{ [from]: '2026-02-31' }, `${list.dated ? 'INVALID' : 'UNKNOWN'}_FIELD`],
    ] as const) {
      const reply = await ask(list, query);
      assert.deepEqual([reply.status, reply.code], [400, code], JSON.stringify(query));
      assert.deepEqual(Object.keys(reply.errors), Object.keys(query));
    }
    for (const [name, { kind }] of Object.entries(list.filters)) {
      const reply = await ask(list, { [name]: "x'; drop table step" });
      if (['id', 'party', 'text'].includes(kind)) {
        assert.deepEqual(reply.payload, { rows: [], next: null });
      } else {
        assert.deepEqual([reply.status, reply.code], [400, 'INVALID_FIELD'], name);
      }
    }
  });
}

/** Values of a filter that rows have, one that nobody has, and one of another tenant. */
function valuesOf({ kind }: ListFilter, name: string, rows: readonly Row[]): readonly string[] {
  const seen = [...new Set(rows.map((row) => row[name]))].filter((one) => one != null);
  const some = seen.slice(0, 4).map(String);
  if (kind === 'party') return [...some, accountId(newUuid()), theirs.account];
  return kind === 'id' ? [...some, newUuid(), theirs.invoice, theirs.escrow] : some;
}

test('a cursor of another tenant is a position and shows nothing of it', async () => {
  const [list] = lists.filter(({ name }) => name === 'invoices');
  assert.ok(list);
  const { next } = await pageOf(list, { limit: 1 }, theirs);
  assert.ok(next !== null);
  const own = new Set((await pageOf(list, { limit: 500 })).rows.map(({ id }) => id));
  const { rows } = await pageOf(list, { limit: 500, cursor: next });
  assert.ok(rows.every(({ id }) => own.has(id)));
});

test('a page that looked at all it may ends early, and its cursor goes on', async () => {
  // Rows that the filter lets none of through, newer than one that it lets through.
  await platform.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute({
      text: `insert into account (workspace, id, username_key, created, updated)
        select $1, ('ffffffff-ffff-7fff-bfff-' || lpad(n::text, 12, '0'))::uuid, 'list ' || n,
          now(), now() from generate_series(1, 45000) n`,
      values: [workspace],
    });
    await tx.execute({
      text: 'update account set blocked = true where workspace = $1 and id = $2',
      values: [workspace, uuidOfWireId('acct', mine.account)],
    });
  });
  const found: Row[] = [];
  const sizes: number[] = [];
  for (let next: string | null = ''; next !== null;) {
    const more = next === '' ? {} : { cursor: next };
    const page: Page = await pageOf({ name: 'accounts' }, { blocked: 'true', ...more });
    sizes.push(page.rows.length);
    found.push(...page.rows);
    next = page.next;
  }
  assert.deepEqual(sizes.slice(0, 2), [0, 0]);
  assert.ok(found.some(({ id }) => id === mine.account));
  await platform.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute(`delete from account where username_key like 'list %'`);
    await tx.execute('update account set blocked = false where blocked');
  });
});
