// Lists as files: nothing of another tenant, no text that a spreadsheet would run, and a reader
// that is slow or hangs up holds neither rows nor a connection. [G-57]
import assert from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fastify, { type FastifyInstance } from 'fastify';
import { lists } from '../../src/catalogue.ts';
import { sendStream } from '../../src/console/mount.ts';
import { FORMATS, exportRows } from '../../src/product/tell/list/index.ts';
import type { Database } from '../../src/db/index.ts';
import { furnish } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market } from '../api/market.ts';
import { signedIn, type Browser } from '../console/kit.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

const ROWS = 100_000;

let platform: Platform;
let at: Browser;
/** All ids of another tenant, and some that filters take. */
let foreign: readonly string[] = [];
let named: readonly string[] = [];
before(async () => {
  // One connection for reads: an export that kept it would stop everything.
  platform = await startPlatform({ settings: { HOLDFAST_READ_CONNECTIONS: '1' } });
  const other = await furnish(platform, await platform.tenant());
  foreign = Object.values(other).filter((one) => typeof one === 'string' && one.length >= 30);
  named = [other.account, other.invoice, other.escrow, other.endpoint, other.wallet];
  at = await signedIn(platform.ready.urls.console, platform.ready.console);
  const own = /<option value="(\d+)"[^>]*>[^<]*<\/option>/.exec((await at.get('/')).text)?.[1];
  if (own !== undefined) await at.post('/tenant', { workspace: own });
});
after(() => platform?.stop());

test('an export has nothing of another tenant, by whatever filter or cursor', async () => {
  for (const { name, filters } of lists) {
    for (const format of ['csv', 'jsonl']) {
      const { status, text } = await at.get(`/lists/${name}/export?format=${format}`);
      assert.equal(status, 200, text);
      assert.deepEqual(foreign.filter((id) => text.includes(id)), [], name);
    }
    for (const [filter, { kind }] of Object.entries(filters)) {
      if (kind !== 'id' && kind !== 'party') continue;
      for (const id of named) {
        const query = new URLSearchParams({ format: 'jsonl', [filter]: id });
        const { status, text } = await at.get(`/lists/${name}/export?${query}`);
        assert.deepEqual([status, text], [200, ''], `${name} ${filter}=${id}`);
      }
    }
  }
  assert.equal((await at.get('/lists/nothing/export')).status, 404);
  assert.equal((await at.get('/lists/invoices/export?workspace=2')).status, 400);
});

test('a text that a spreadsheet would run comes back as it was, behind an apostrophe', async () => {
  const market = new Market(platform.api);
  const wanted = new Map<string, string>();
  for (const text of ['=1+1', '+1', '-2', '@SUM(A1)', '\tx', '\rx', '=A1,"b"', '=a\nb']) {
    const made = await market.tryCreate(market.sale(77, { description: text }));
    // What no text may have is refused before it is stored.
    if (made.status === 400) assert.match(text, /[\t\r\n]/);
    else wanted.set((made.payload as { invoice_id: string }).invoice_id, text);
  }
  assert.ok(wanted.size >= 5);
  const csv = await at.get('/lists/invoices/export?format=csv');
  const records = parse(csv.text, { columns: true }) as Record<string, string>[];
  const said = new Map(records.map(({ id = '', description = '' }) => [id, description]));
  const lines = (await at.get('/lists/invoices/export?format=jsonl')).text.trim().split('\n');
  const plain = new Map(lines.map((line) => {
    const { id, description } = JSON.parse(line) as { id: string; description: string };
    return [id, description];
  }));
  for (const [id, text] of wanted) {
    assert.equal(said.get(id), `'${text}`);
    assert.equal(plain.get(id), text);
  }
  for (const field of records.flatMap((record) => Object.values(record))) {
    assert.doesNotMatch(field, /^[=+@\t\r]|^-(?!\d+$)/);
  }
});

/** A table of many rows, its export behind a port of its own, and how far that got. */
interface Served {
  readonly base: TestDatabase;
  readonly db: Database;
  readonly app: FastifyInstance;
  readonly url: string;
  readonly pages: () => number;
  readonly ended: () => boolean;
}

async function serve(): Promise<Served> {
  const base = await testDatabase();
  const db = base.pool(1);
  await base.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute(`insert into account (workspace, id, username_key, created, updated)
      select 1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n, now(), now()
      from generate_series(1, ${ROWS}) n`);
  });
  const list = lists.find(({ name }) => name === 'accounts');
  assert.ok(list);
  let [pages, ended] = [0, false];
  const counted = { query: (asked: never) => (pages += 1, db.query(asked)) } as unknown as Database;
  async function* told(rows: AsyncIterable<string>) {
    try {
      yield* rows;
    } finally {
      ended = true;
    }
  }
  const app = fastify();
  app.get('/', (_, reply) => {
    [pages, ended] = [0, false];
    const stream = told(exportRows(counted, 1, list, { filters: {}, limit: 1 }, 'jsonl'));
    return sendStream(reply, { stream, type: FORMATS.jsonl, name: 'accounts.jsonl' });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return { base, db, app, url, pages: () => pages, ended: () => ended };
}

/** An answer of which nothing is read yet. */
function opened(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, (answer) => resolve(answer.pause())).on('error', reject).end();
  });
}

/** Waits until no page is being read: the export waits for its reader, or is over. */
async function still({ db, pages }: Served): Promise<number> {
  while (db.use.busy > 0 || pages() === 0) await pause(20);
  return pages();
}

test('a slow reader is waited for, and one who hangs up frees the connection', async (t) => {
  const served = await serve();
  t.after(async () => {
    await served.app.close();
    await served.base.drop();
  });
  const most = ROWS / 2_000;

  const slow = await opened(served.url);
  const held = await still(served);
  assert.ok(held < most / 2, `${held} of ${most} pages were read for nobody`);
  assert.equal(await still(served), held);
  let [rows, last] = [0, ''];
  for await (const piece of slow as AsyncIterable<Buffer>) {
    rows += piece.toString('latin1').split('\n').length - 1;
    last = piece.toString().slice(-200);
  }
  assert.equal(rows, ROWS);
  assert.match(last, /"updated":"[^"]+"\}\n$/);
  assert.ok(served.pages() <= most + 1);

  const gone = await opened(served.url);
  const before = await still(served);
  gone.destroy();
  while (!served.ended()) await pause(20);
  assert.equal(await still(served), before);
  assert.deepEqual(await served.db.query('select 1 as n'), [{ n: 1 }]);
});

test('people who hang up again and again stop nobody', async () => {
  for (let round = 0; round < 10; round += 1) {
    const headers = { cookie: at.cookie };
    await new Promise<void>((resolve, reject) => {
      const asked = request(`${at.base}/lists/ledger_entries/export`, { headers }, (answer) => {
        answer.once('data', () => {
          answer.destroy();
          resolve();
        });
      });
      asked.on('error', reject).end();
    });
  }
  assert.equal((await at.get('/lists/invoices')).status, 200);
});
