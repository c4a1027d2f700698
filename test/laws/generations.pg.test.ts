// Generations: a past goes when its time has come and not before, with what has ended in it; what
// is unique stays so across both; nobody waits for a turn, and no look-up reads more than two.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid } from '../../src/core/ids.ts';
import { sqlState, turnGenerations } from '../../src/db/index.ts';
import { settleReplays } from '../../src/engine/discover.ts';
import { ENGINE_SETTINGS } from '../../src/engine/index.ts';
import { takeNotice } from '../../src/product/money/reconciliation/api.ts';
import { openBench, type Bench } from '../kit/domain-bench.ts';
import { age, turn } from '../kit/generations.ts';
import { catalogueOf } from '../migrations/catalogue.ts';

const TABLES = [
  ...['delivery', 'delivery_attempt', 'idempotency', 'processor_notice_seen', 'request_note'],
];

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench?.close());

async function count(from: string): Promise<number> {
  const [row] = await bench.db.query<{ n: number }>(`select count(*)::int as n from ${from}`);
  return row?.n ?? -1;
}

const claim = (scope: string, status = 0) => ({
  text: `insert into idempotency (workspace, scope, fingerprint, status) values ($1, $2, 'f', $3)
    on conflict do nothing`,
  values: [bench.home.workspace, scope, status],
});

test('the tables are these, and a table and its past are made alike', async () => {
  const names = await bench.db.query<{ name: string }>('select name from generation order by name');
  assert.deepEqual(names.map(({ name }) => name), TABLES);
  const lines = await catalogueOf(bench.db);
  for (const name of TABLES) {
    const past = new RegExp(`\\b(${name})_past(?=\\b|_pkey)`, 'g');
    const of = (table: string): string[] => {
      const kind = new RegExp(`^(?:table|column|constraint) ${table} |^trig.* ON public.${table} `);
      return lines.filter((line) => kind.test(line)).map((line) => line.replaceAll(past, '$1'));
    };
    assert.ok(of(name).length > 5);
    assert.deepEqual(of(`${name}_past`), of(name));
    const indexes = new RegExp(`^index .* ON public.(${name}|${name}_past) USING (.*)$`);
    const all = lines.flatMap((line) => indexes.exec(line)?.slice(1) ?? []);
    const ways = (table: string): unknown => all.filter((_, at) => all[at - 1] === table).sort();
    assert.deepEqual(ways(`${name}_past`), ways(name));
  }
});

test('a past is emptied when its time has come, not before, and by nobody else', async () => {
  const since = Date.now();
  await bench.db.execute(claim('first', 201));
  await turn(bench.db, 'idempotency');
  await bench.db.execute(claim('second', 201));
  assert.equal(await turnGenerations(bench.db), 0);
  await age(bench.db, 'idempotency', 0.5);
  assert.equal(await turnGenerations(bench.db), 0);
  const early = await bench.db.query(
    `select turn_generation(name) as done from (values ('idempotency'), ('posting')) t(name)`,
  );
  assert.deepEqual(early, [{ done: false }, { done: false }], 'too young, and without a past');
  assert.deepEqual([await count('idempotency'), await count('only idempotency')], [2, 1]);
  await sleep(500);
  const both = await Promise.all([turnGenerations(bench.db), turnGenerations(bench.db)]);
  assert.deepEqual(both.toSorted(), [0, 1], 'by one process');
  const left = await bench.db.query<{ scope: string }>('select scope from idempotency');
  assert.deepEqual(left, [{ scope: 'second' }]);
  const audited = await bench.db.query<{ workspace: number; detail: string }>(
    `select workspace, detail from audit_entry where act = 'retention_applied'`,
  );
  assert.equal(audited.length, 1, 'the first turn had nothing to remove');
  const { class: of, until } = JSON.parse(audited[0]?.detail ?? '') as Record<string, string>;
  assert.equal(of, 'idempotency');
  const age30 = (since - Date.parse(until ?? '')) / 86_400_000;
  assert.ok(Math.abs(age30 - 30) < 0.01, until);
  for (const table of ['delivery_past', 'delivery_attempt_past']) {
    await assert.rejects(bench.db.execute(`truncate ${table}`), /append-only/, table);
  }
});

test('what has not ended goes on; what is young is not deleted, in both generations', async () => {
  const { workspace } = bench.home;
  const [endpoint, resource] = [newUuid(), newUuid()];
  const write = (text: string, ...values: unknown[]): Promise<number> =>
    bench.db.execute({ text, values });
  await write(`insert into seal values ($1, 3)
    on conflict (workspace) do update set sequence = 3`, workspace);
  await write(
    `insert into webhook_endpoint (workspace, id, url, state, signing, created, updated)
      values ($1, $2, 'https://receiver.example', 'enabled', 'v1', now(), now())`,
    ...[workspace, endpoint],
  );
  await write(
    `insert into event (workspace, sequence, event_id, name, resource_id, resource_version, at,
        body) select $1, n, gen_random_uuid(), 'x', $2, n, clock_timestamp(), '{}'
      from generate_series(1, 3) n`,
    ...[workspace, resource],
  );
  await write(
    `insert into delivery (workspace, endpoint_id, sequence, resource_id, state, lease)
      select $1, $2, n, $3, ($4::text[])[n], case n when 2 then gen_random_uuid() end
      from generate_series(1, 3) n`,
    ...[workspace, endpoint, resource, ['delivered', 'pending', 'dead']],
  );
  const before = await bench.db.query('select * from delivery where sequence = 2');
  const early = [/kept longer/, /append-only/, /kept longer/];
  for (const table of ['delivery', 'delivery_past']) {
    for (const [at, why] of early.entries()) {
      await assert.rejects(write(`delete from ${table} where sequence = $1`, at + 1), why);
    }
    await turn(bench.db, 'delivery');
    if (table === 'delivery') assert.equal(await count('delivery_past'), 3);
  }
  assert.deepEqual(await bench.db.query('select * from delivery'), before);
  assert.equal(await count('delivery_past'), 1, 'it is of the past again');
  await turn(bench.db, 'delivery');
  assert.deepEqual(await bench.db.query('select * from delivery'), before);
  await write(`update delivery set state = 'delivered', lease = null`);
  await turn(bench.db, 'delivery');
  assert.equal(await count('delivery'), 0);
});

test('a key or a webhook of the past is not taken again', async () => {
  const { workspace } = bench.home;
  const notice = { workspace, id: 'one', key: newUuid(), about: 'statement' } as const;
  const seen = `select seen from processor_notice_seen where notice_id = 'one'`;
  await takeNotice(bench.db, notice);
  const first = await bench.db.query(seen);
  assert.equal(await bench.db.execute(claim('of the past', 201)), 1);
  await turn(bench.db, 'idempotency');
  await turn(bench.db, 'processor_notice_seen');
  await takeNotice(bench.db, notice);
  assert.deepEqual(await bench.db.query(seen), first);
  assert.equal(await bench.db.execute(claim('of the past')), 0, 'as on a conflict');
  const answer = bench.db.execute(claim('of the past', 200));
  await assert.rejects(answer, (error) => sqlState(error) === '23505');
});

test('a key is taken once, by its hashes or as it is, and a turn goes on to hashes', async () => {
  const indexOf = async (table: string): Promise<string> => {
    const text = `select pg_get_indexdef(indexrelid) as made from pg_index
      where indisunique and indrelid = $1::regclass`;
    const [row] = await bench.db.query<{ made: string }>({ text, values: [table] });
    return /\((.*)\)$/.exec(row?.made ?? '')?.[1] ?? '';
  };
  const takenOnce = async (scope: string): Promise<void> => {
    assert.equal(await bench.db.execute(claim(scope, 201)), 1);
    assert.equal(await bench.db.execute(claim(scope, 201)), 0);
    const text = `insert into idempotency (workspace, scope, fingerprint, status)
      values ($1, $2, 'f', 200)`;
    const again = bench.db.execute({ text, values: [bench.home.workspace, scope] });
    await assert.rejects(again, (error) => sqlState(error) === '23505');
  };
  const HASHES = 'workspace, hashtext(scope), hashtextextended(scope, (1)::bigint)';
  assert.equal(await indexOf('idempotency'), HASHES);
  await takenOnce('by its hashes');
  // As the last release left it.
  await bench.db.transaction(async (tx) => {
    await tx.execute(`drop index idempotency_workspace_hashtext_hashtextextended_idx,
      idempotency_past_workspace_hashtext_hashtextextended_idx`);
    for (const table of ['idempotency', 'idempotency_past']) {
      await tx.execute(`alter table ${table} add primary key (workspace, scope)`);
    }
  });
  await takenOnce('as it is');
  await turn(bench.db, 'idempotency');
  assert.equal(await indexOf('idempotency'), HASHES);
  assert.equal(await indexOf('idempotency_past'), 'workspace, scope');
  assert.equal(await bench.db.execute(claim('as it is')), 0);
  await takenOnce('after a turn');
  await turn(bench.db, 'idempotency');
  assert.equal(await indexOf('idempotency_past'), HASHES);
});

test('one effect for each key, while the generation turns under many callers', async () => {
  const body = (username: string): object => ({ body: { username } });
  for (let round = 0; round < 4; round += 1) {
    const key = `race ${round}`;
    const before = await count('account');
    const name = newUuid();
    const calls = Array.from({ length: 16 }, async (_, n) => {
      await sleep(n * 2);
      return bench.call('registerAccount', { ...body(name), key });
    });
    await sleep(round * 10);
    await turn(bench.db, 'idempotency');
    const replies = await Promise.all(calls);
    assert.deepEqual([...new Set(replies.map(({ code }) => code))], [null]);
    assert.equal(new Set(replies.map(({ payload }) => JSON.stringify(payload))).size, 1);
    assert.equal(await count('account'), before + 1);
    const other = await bench.call('registerAccount', { ...body(newUuid()), key });
    assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED');
  }
  await bench.proved();
});

test('a table in use is left for the next time, and who comes meanwhile hardly waits', async () => {
  await age(bench.db, 'idempotency');
  const begun = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const reader = bench.db.transaction(async (tx) => {
    await tx.query('select from idempotency limit 1');
    begun.resolve();
    await free.promise;
  });
  await begun.promise;
  const turning = turnGenerations(bench.db);
  await sleep(10);
  const started = performance.now();
  assert.equal(await bench.db.execute(claim('meanwhile', 201)), 1);
  assert.ok(performance.now() - started < 1_000);
  assert.equal(await turning, 0);
  free.resolve();
  await reader;
  assert.equal(await turnGenerations(bench.db), 1);
});

/** A node of a plan. */
interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
}

/** The nodes that read tables. */
function scans(node: Node): Node[] {
  const below = (node.Plans ?? []).flatMap(scans);
  return node['Relation Name'] === undefined ? below : [node, ...below];
}

test('the look-up of keys probes one index of each of two generations', async () => {
  await bench.db.transaction(async (tx) => {
    for (const [name, value] of Object.entries(ENGINE_SETTINGS)) {
      await tx.query(`set local ${name} = ${value}`);
    }
    let plan: readonly Node[] = [];
    const reads = {
      async query({ text }: { text: string }) {
        await tx.query(`prepare look_up as ${text}`);
        const explain = `explain (format json) execute look_up ('{1,1}', '{a,b}')`;
        const [row] = await tx.query<{ 'QUERY PLAN': string }>(explain);
        await tx.query('deallocate look_up');
        const read = JSON.parse(row?.['QUERY PLAN'] ?? '') as { Plan: Node }[];
        plan = read.flatMap(({ Plan }) => scans(Plan));
        return [];
      },
    };
    const check = async (): Promise<void> => {
      await settleReplays({ reads, compose: async () => null } as never, [
        { submission: { workspace: 1, idempotency: { scope: 'a', fingerprint: 'f' } } } as never,
      ]);
      const tables = plan.map((node) => node['Relation Name']);
      assert.deepEqual(tables.toSorted(), ['idempotency', 'idempotency_past']);
      for (const node of plan) {
        assert.equal(node['Node Type'], 'Index Scan');
        assert.match(node['Index Cond'] ?? '', /workspace = .*(?:scope = |hashtextextended\()/);
      }
    };
    await check();
    await tx.execute(`insert into idempotency (workspace, scope, fingerprint, status)
      select 1, md5(g::text), 'f', 200 from generate_series(1, 5000) g`);
    await tx.execute('analyze idempotency');
    await check();
    await turn(tx, 'idempotency');
    await check();
    await tx.execute('analyze idempotency');
    await check();
  });
});
