// Cache invalidation between processes, each with connections of its own to one database: an
// announcement returns when all have read it, is not held up by a dead process, and a process that
// was cut off reads what it missed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { listen, type Listening } from '../../../db/index.ts';
import { Lineages } from '../../../core/lineages.ts';
import {
  addClone,
  createWorkspace,
  isAlone,
  NEWS_CHANNEL,
  openCacheInvalidation,
  readLineages,
} from './index.ts';

const UNTIL_MS = 10_000;

let base: TestDatabase;
let workspace = 0;
before(async () => {
  base = await testDatabase();
  ({ workspace } = await createWorkspace(base.db, { name: 'Home', currencies: ['USD'] }));
});
after(() => base.drop());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The parts of one process. `before` runs ahead of each read. */
async function processOf(before: () => Promise<void> = async () => {}) {
  const db = base.pool(4);
  const lineages = new Lineages();
  const faults: unknown[] = [];
  const opened: Listening[] = [];
  const read = async (): Promise<void> => {
    await before();
    await readLineages(db, lineages);
  };
  const news = await openCacheInvalidation({
    db,
    read,
    async listen(told) {
      const line = await listen({ url: base.url }, NEWS_CHANNEL, told);
      opened.push(line);
      return line;
    },
    fault: (error) => faults.push(error),
  });
  const knows = (copy: number): boolean => {
    try {
      return lineages.lineageOf(copy) === workspace;
    } catch {
      return false;
    }
  };
  /** Cuts the listening connection at the server, as a dead process or network does. */
  const cut = async (): Promise<void> => {
    const rows = await opened.at(-1)?.query<{ pid: number }>('select pg_backend_pid() as pid');
    await base.db.query({ text: 'select pg_terminate_backend($1)', values: [rows?.[0]?.pid] });
  };
  return { db, lineages, news, faults, opened, knows, cut };
}

type Process = Awaited<ReturnType<typeof processOf>>;

async function copyBy({ news }: Process): Promise<number> {
  const request = { of: workspace, name: 'copy', snapshot: null };
  return (await news.announce((tx) => addClone(tx, request))).workspace;
}

async function eventually(what: () => boolean): Promise<void> {
  const end = performance.now() + UNTIL_MS;
  while (!what()) {
    assert.ok(performance.now() < end, 'it took too long');
    await pause(10);
  }
}

test('an announcement returns when every process knows, with many at once', async () => {
  assert.equal(await isAlone(base.db), true);
  const all = [await processOf(), await processOf(() => pause(20)), await processOf()];
  const wishes = Array.from({ length: 12 }, (_, n) => copyBy(all[n % 3] as Process));
  await Promise.all(
    wishes.map(async (request) => {
      const copy = await request;
      assert.deepEqual(all.map((one) => one.knows(copy)), [true, true, true]);
    }),
  );
  const late = await processOf();
  assert.equal(late.lineages.newest, all[0]?.lineages.newest, 'a start knows what is');
  for (const one of [...all, late]) await one.news.close();
  assert.equal(await isAlone(base.db), true, 'who has ended is not there');
  const began = performance.now();
  const alone = await processOf();
  assert.equal(await isAlone(base.db), false);
  assert.ok(alone.knows(await copyBy(alone)));
  assert.ok(performance.now() - began < 1_000, 'who has ended is not waited for');
  await alone.news.close();
  assert.deepEqual(all.flatMap((one) => one.faults), []);
});

test('what failed was not announced', async () => {
  const one = await processOf();
  const epoch = (): Promise<unknown> => base.db.query('select epoch from cache_invalidation');
  const before = await epoch();
  await assert.rejects(one.news.announce(async () => Promise.reject(new Error('no'))), /no/);
  assert.deepEqual(await epoch(), before);
  await one.news.close();
});

test('a process that reads for ever is waited for two seconds, a dead one not at all', async () => {
  const one = await processOf();
  let stuck = false;
  let release = (): void => {};
  const until = new Promise<void>((resolve) => (release = resolve));
  const other = await processOf(() => (stuck ? until : Promise.resolve()));
  stuck = true;
  let began = performance.now();
  const first = await copyBy(one);
  const took = performance.now() - began;
  assert.ok(took > 1_500 && took < 4_000, `${took} ms`);
  assert.deepEqual([one.knows(first), other.knows(first)], [true, false]);
  began = performance.now();
  const second = copyBy(one);
  await pause(100);
  await other.opened[0]?.close();
  await second;
  assert.ok(performance.now() - began < 1_500, 'its lock went with its connection');
  release();
  await one.news.close();
  await other.news.close();
});

test('a process whose connection broke reads what it missed', async () => {
  const [one, other] = [await processOf(), await processOf()];
  for (let turn = 0; turn < 3; turn += 1) {
    await other.cut();
    const copy = await copyBy(one);
    await eventually(() => other.knows(copy));
  }
  await eventually(() => other.opened.length === 4);
  const copy = await copyBy(one);
  assert.ok(other.knows(copy), 'it is waited for again');
  await one.cut();
  assert.ok(one.knows(await copyBy(one)), 'what it announced itself it knows without hearing it');
  await one.news.close();
  await other.news.close();
  assert.deepEqual([...one.faults, ...other.faults], []);
});
