// A database restored to an earlier time: first tried without calling anybody, then announced to
// readers of events, whose numbers are given again. [G-63, docs/decisions/0019]
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../kit/until.ts';
import { runProgram } from '../../src/cli/program.ts';
import { Database } from '../../src/db/index.ts';
import { openInstallation, startSystem } from '../../src/system.ts';
import { startReceiver } from '../cli/terminal.ts';
import { Api, type Ready, type Reply } from '../kit/api.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { dataFolder } from '../kit/platform.ts';

const folder = dataFolder();
let lived: TestDatabase;
let restored: TestDatabase;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
before(async () => {
  lived = await testDatabase();
  receiver = await startReceiver(() => 204);
});
after(async () => {
  // What a failed test left running.
  for (const run of runs) run.ask();
  await Promise.all(runs.map(({ code }) => code));
  receiver?.stop();
  await lived?.drop();
  await restored?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const runs: Run[] = [];

interface Run {
  readonly out: () => string;
  readonly err: () => string;
  readonly code: Promise<number>;
  ask(): void;
}

/** The program in this process, on a database. */
function program(url: string, ...args: string[]): Run {
  let [out, err] = ['', ''];
  const { promise: asked, resolve } = Promise.withResolvers<string>();
  const code = runProgram(args, {
    environment: { DATABASE_URL: url, HOLDFAST_DATA_DIR: folder },
    home: folder,
    print: (text) => void (out += text),
    say: (line) => void (err += `${line}\n`),
    colours: false,
    startSystem,
    openInstallation,
    asked,
  });
  const run = { out: () => out, err: () => err, code, ask: () => resolve('') };
  runs.push(run);
  return run;
}

interface Started {
  readonly api: Api;
  readonly ready: Ready & { readonly outbound?: boolean };
  readonly err: () => string;
  stop(): Promise<void>;
}

async function start(url: string, ...args: string[]): Promise<Started> {
  const run = program(url, 'start', '--json', '--port-base', '0', ...args);
  const failed = run.code.then((code) => assert.fail(`ended with ${code}: ${run.err()}`));
  while (run.out() === '') await Promise.race([sleep(20), failed]);
  const ready = JSON.parse(run.out()) as Ready;
  failed.catch(() => {});
  const stop = async (): Promise<void> => {
    run.ask();
    assert.equal(await run.code, 0, run.err());
  };
  return { api: await Api.open(ready), ready, err: run.err, stop };
}

interface Page {
  readonly events: readonly { readonly event_id: string; readonly sequence: number }[];
  readonly next_after: number;
  readonly epoch: string;
}

function ask(api: Api, query: string): Promise<Reply> {
  return api.send('invoicing', 'GET', `/v1/events?${query}`);
}

const WITHIN_MS = 15_000;

/** Reads on until there are `count` more events. */
async function read(api: Api, after: number, count: number, epoch = ''): Promise<Page> {
  const asked = `after=${after}&limit=1000${epoch === '' ? '' : `&epoch=${epoch}`}`;
  for (const end = Date.now() + WITHIN_MS; ; await sleep(20)) {
    const reply = await ask(api, asked);
    assert.equal(reply.status, 200, reply.text);
    const page = reply.payload as Page;
    if (page.events.length >= count) return page;
    assert.ok(Date.now() < end, `${page.events.length} events, not ${count}: ${reply.text}`);
  }
}

/** Every event of the database is in the stream. A copy of it is made next: nobody may stay. */
async function allSealed(url: string): Promise<void> {
  const db = new Database({ url, max: 1 });
  const none = async (): Promise<boolean> => (await db.query('select from outbox')).length === 0;
  await until('every event is in the stream', none).finally(() => db.close());
}

/** Makes an event: money from nowhere. */
const deposit = ({ api, ready }: Started): Promise<void> =>
  api.fund(ready.accounts.buyer.account_id, 1);

async function verb(url: string, ...args: string[]): Promise<Record<string, unknown>> {
  const run = program(url, ...args, '--json');
  await run.code;
  return JSON.parse(run.out()) as Record<string, unknown>;
}

/** Where the reader of before the restore stands, and what it knows that was lost. */
let known: Page;
let lost: Page['events'];
/** The moment of the backup. */
let backup = '';

test('a restored copy started with --no-outbound calls nobody, and work waits', async () => {
  const first = await start(lived.url);
  const target = { url: `http://127.0.0.1:${receiver.port}/` };
  await first.api.must(201, 'invoicing', 'POST', '/v1/webhook_endpoints', { body: target });
  await deposit(first);
  await allSealed(lived.url);
  const before = await read(first.api, 0, 5);
  assert.equal(before.epoch, 'first');
  await first.stop();
  restored = await testDatabase(lived.url);
  backup = new Date().toISOString();
  const second = await start(lived.url);
  for (let n = 0; n < 3; n += 1) await deposit(second);
  known = await read(second.api, 0, before.events.length + 3, 'first');
  await second.stop();
  const kept = await restored.db.query<{ id: string }>(
    'select event_id as id from event union select event_id from outbox',
  );
  lost = known.events.filter(({ event_id }) => !kept.some(({ id }) => id === event_id));
  assert.equal(lost.length, 3);

  const heard = receiver.received.length;
  const quiet = await start(restored.url, '--no-outbound');
  assert.equal(quiet.ready.outbound, false);
  assert.equal('shop' in quiet.ready.urls && quiet.ready.urls.shop !== '', false);
  assert.match(quiet.err(), /running with --no-outbound/);
  const { buyer } = quiet.ready.accounts;
  const parts = [{ payment_method_id: buyer.card_payment_method_id }];
  const sale = await quiet.api.created(quiet.api.sale(100, parts));
  assert.equal((await quiet.api.pay(sale)).status, 200);
  await deposit(quiet);
  await read(quiet.api, before.next_after, 1);
  const early = await verb(restored.url, 'restored');
  assert.match(String(early['error']), /^Nodes are running on this database: stop them/);
  await sleep(1_000);
  assert.equal((await quiet.api.read(sale)).state, 'processing');
  assert.equal(receiver.received.length, heard);
  await quiet.stop();
  const waiting = await restored.db.query<{ state: string; attempts: number }>(
    'select distinct state, attempts from delivery where sequence > 0 order by state',
  );
  assert.ok(waiting.some(({ state, attempts }) => state === 'pending' && attempts === 0));

  const loud = await start(restored.url);
  assert.equal((await loud.api.finished(sale)).state, 'success');
  await until('what waited is delivered', () => receiver.received.length > heard);
  await loud.stop();
});

test('after a restore readers are told from which number to read again', async () => {
  const made = await verb(restored.url, 'restored', '--to', backup);
  assert.equal(made['streams'], 1);
  const epoch = String(made['epoch']);
  const node = await start(restored.url);
  const page = await read(node.api, 0, 2);
  assert.equal(page.epoch, epoch);
  // What was given a number that the reader knows of another event.
  const reader = `after=${known.next_after}&epoch=${known.epoch}`;
  const refused = await ask(node.api, reader);
  assert.deepEqual([refused.status, refused.codes], [409, ['EVENTS_EPOCH_CHANGED']]);
  const { errors } = JSON.parse(refused.text).payload as { errors: Record<string, string> };
  assert.equal(errors['epoch'], epoch);
  const next = Number(errors['after']);
  assert.ok(next < Math.min(...lost.map(({ sequence }) => sequence)), 'none is left out');
  const { events } = await read(node.api, next, 1, epoch);
  const again = events.filter(({ sequence: n }) => lost.some(({ sequence }) => sequence === n));
  assert.ok(again.length > 0, 'numbers were given again');
  assert.ok(again.every(({ event_id: id }) => !lost.some(({ event_id }) => event_id === id)));
  assert.equal((await ask(node.api, 'after=9&epoch=nobody')).codes[0], 'EVENTS_EPOCH_CHANGED');
  await node.stop();

  // Without a moment, what is there stands; who is two restores behind goes back to the first.
  const head = await restored.db.query<{ sequence: bigint }>('select sequence from seal');
  const later = await verb(restored.url, 'restored');
  assert.notEqual(later['epoch'], epoch);
  const last = await start(restored.url);
  const errorsOf = async (asked: string): Promise<unknown> => {
    const { text } = await ask(last.api, `after=1000&epoch=${asked}`);
    return JSON.parse(text).payload.errors;
  };
  const from = (after: number): object => ({ epoch: later['epoch'], after: String(after) });
  assert.deepEqual(await errorsOf(epoch), from(Number(head[0]?.sequence)));
  assert.deepEqual(await errorsOf('first'), from(next));
  await last.stop();
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['yesterday', /--to must be a time with its zone/],
  ['2026-01-01T00:00:00', /--to must be a time with its zone/],
  ['2999-01-01T00:00:00Z', /--to must be in the past/],
];

test('an impossible time is refused, and so is a new database with --no-outbound', async () => {
  for (const [to, sentence] of WRONG) {
    assert.match(String((await verb(restored.url, 'restored', '--to', to))['error']), sentence);
  }
  const fresh = await testDatabase();
  try {
    const run = program(fresh.url, 'start', '--json', '--no-outbound');
    assert.equal(await run.code, 1);
    assert.match(run.err(), /--no-outbound needs a database that was used/);
  } finally {
    await fresh.drop();
  }
});
