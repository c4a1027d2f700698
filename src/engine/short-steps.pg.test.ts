// Steps in their stored form: what is written comes back as it was, also while an upgrade is open;
// two steps in one row are guarded as they are in two.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machines } from '../catalogue.ts';
import { newUuid } from '../core/ids.ts';
import type { Table } from '../core/table.ts';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { SHORT_MOVES } from './short-steps.ts';
import { loadMoves, stepLaws, stepTable, type StepRow } from './tables.ts';
import { Writes, writeStatement } from './write.ts';

const CLIENT = newUuid();
const AT = '2026-06-01T10:00:00.000001Z';

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
  await loadMoves(base.db, machines, true);
});
after(() => base?.drop());

/** A step by the words of its move. */
function step(id: string, version: number, move: string, more: Partial<StepRow> = {}): StepRow {
  const [machine = '', from_state = '', event = '', to_state = ''] = move.split(' ');
  const names = { machine, from_state, event, to_state };
  const none = { detail: null, request_id: null, trace_id: null };
  const of = { workspace: 1, resource_id: id, version, at: AT as StepRow['at'] };
  return { ...of, ...names, actor: `client:${CLIENT}`, ...none, ...more };
}

async function write(rows: readonly StepRow[]): Promise<void> {
  const writes = new Writes();
  for (const row of rows) writes.addInsert(stepTable as unknown as Table, row);
  await base.db.query(writeStatement(writes));
}

function read(id: string): Promise<StepRow[]> {
  const text = 'select * from history where resource_id = $1 order by version';
  return base.db.query<StepRow>({ text, values: [id] });
}

async function rowsOf(id: string): Promise<number> {
  const text = 'select from step where resource_id = $1';
  return (await base.db.query({ text, values: [id] })).length;
}

const CREATE = 'invoice  create open';
const PAY = 'invoice open pay processing';
const SUCCEED = 'invoice processing payment_succeeded success';

/** Histories, with how many rows they take. */
function histories(): (readonly [rows: number, history: readonly StepRow[]])[] {
  const request = { request_id: newUuid(), trace_id: newUuid() };
  const user = `user:${CLIENT}:${newUuid()}`;
  const [PAID, FAILED] = [[PAY, SUCCEED], [PAY, 'invoice processing payment_failed failed']];
  const all = (moves: readonly string[], ...more: Partial<StepRow>[]): StepRow[] => {
    const id = newUuid();
    return moves.map((move, at) => step(id, at + 1, move, more[at] ?? more[0]));
  };
  const later = { at: '2026-06-01T10:00:01.000001Z' as StepRow['at'] };
  return [
    [2, all([CREATE, ...PAID], request)],
    [2, all([CREATE, ...PAID], { actor: user })],
    [2, all([CREATE, ...PAID], { actor: 'system' })],
    [2, all([CREATE, ...PAID], {}, { detail: null }, { detail: '{"code":"a"}' })],
    [2, all([CREATE, ...FAILED], {}, { detail: '{"code":"a"}' })],
    [2, all([CREATE, ...PAID], {}, later, later)],
    [2, all([CREATE, ...PAID], {}, {}, later)],
    [3, all([CREATE, ...PAID], {}, { ...request, ...later }, later)],
    [3, all([CREATE, ...PAID], {}, later, { ...later, actor: user })],
    [1, all(['escrow  create OPEN', 'escrow OPEN payment_succeeded ESCROWED'])],
    [2, all(['deposit  request requested', 'deposit requested succeed success'])],
  ];
}

test('every history is read as it was written, in as few rows as it can be', async () => {
  const texts = SHORT_MOVES.map((move) => move.split(' '));
  const legal = machines.flatMap(({ name, moves }) =>
    moves.map(({ from, on, to }) => [name, from ?? '', on, to]),
  );
  const known = (words: readonly string[]): string => words.join(' ');
  assert.deepEqual(SHORT_MOVES.filter((move) => !legal.map(known).includes(move)), []);
  assert.equal(new Set(texts.map(known)).size, SHORT_MOVES.length);
  const [row] = await base.db.query<{ moves: string[] }>('select short_moves() as moves');
  assert.deepEqual(row?.moves, SHORT_MOVES);
  for (const [rows, history] of histories()) {
    const [first] = history;
    const words = history.map(({ from_state, event, to_state }) => [from_state, event, to_state]);
    await write(history);
    const id = first?.resource_id ?? '';
    const there = await read(id);
    assert.deepEqual(there, history.map((one) => ({ ...one })), JSON.stringify(words));
    assert.equal(await rowsOf(id), rows, JSON.stringify(words));
  }
});

test('until the upgrade is finished each step is a row with its names', async () => {
  await base.db.execute(`create trigger step_form before insert on step for each row
    when (new.moved is not null) execute function store_old_steps()`);
  for (const [, history] of histories()) {
    await write(history);
    const id = history[0]?.resource_id ?? '';
    assert.deepEqual(await read(id), history.map((one) => ({ ...one })));
    const text = `select from step where resource_id = $1 and machine is not null
      and actor is not null and moved is null and actor_client is null`;
    assert.equal((await base.db.query({ text, values: [id] })).length, history.length);
  }
  await base.db.execute('drop trigger step_form on step');
});

test('two steps in one row are legal, follow, and are told once', async () => {
  const number = (move: string): number => SHORT_MOVES.indexOf(move) + 1;
  const put = (id: string, version: number, first: string, last: string): Promise<unknown> => {
    const moved = (first === '' ? 0 : number(first) * 256) + number(last);
    return base.db.query({
      text: `insert into step (workspace, resource_id, version, at, actor, moved)
        values (1, $1, $2, $3, 'test', $4)`,
      values: [id, version, AT, moved],
    });
  };
  const fails = (act: Promise<unknown>, constraint: string): Promise<void> =>
    assert.rejects(act, (error: { constraint?: string }) => error.constraint === constraint);
  const made = async (...more: readonly string[]): Promise<string> => {
    const id = newUuid();
    await write([CREATE, ...more].map((move, at) => step(id, at + 1, move, { actor: `t:${at}` })));
    return id;
  };
  const id = await made();
  await fails(put(id, 3, SUCCEED, PAY), 'step_legal');
  await fails(put(id, 3, PAY, 'escrow  create OPEN'), 'step_legal');
  await fails(put(id, 3, PAY, PAY), 'step_legal');
  await fails(put(id, 4, PAY, SUCCEED), 'step_legal');
  await fails(put(id, 2, PAY, SUCCEED), 'step_legal');
  await fails(put(id, 2, '', SUCCEED), 'step_legal');
  await fails(put(newUuid(), 1, CREATE, PAY), 'step_named');
  await put(id, 3, PAY, SUCCEED);
  await fails(put(id, 2, '', PAY), 'step_legal');
  await fails(put(id, 3, PAY, SUCCEED), 'step_pkey');
  await fails(put(await made(PAY), 3, PAY, SUCCEED), 'step_legal');
  await fails(put(await made(PAY, SUCCEED), 3, PAY, SUCCEED), 'step_pkey');
  const born = newUuid();
  await put(born, 2, CREATE, PAY);
  await fails(put(born, 1, '', CREATE), 'step_legal');
  const unnamed = `insert into step (workspace, resource_id, version, at, actor, moved)
    values (1, gen_random_uuid(), 1, now(), 'test', 99)`;
  await fails(base.db.query(unnamed), 'step_legal');
});

test('two that tell one step at the same moment, by hand, are found by the law', async () => {
  const id = newUuid();
  await write([step(id, 1, CREATE)]);
  const pay = `insert into step (workspace, resource_id, version, at, actor, moved)
    values (1, $1, $2, $3, 'test', $4)`;
  const [two, one] = [await base.db.connection(), await base.db.connection()];
  try {
    for (const tx of [two, one]) await tx.execute('begin');
    const [first, last] = [PAY, SUCCEED].map((move) => SHORT_MOVES.indexOf(move) + 1);
    await two.query({ text: pay, values: [id, 3, AT, Number(first) * 256 + Number(last)] });
    await one.query({ text: pay, values: [id, 2, AT, first] });
    for (const tx of [two, one]) await tx.execute('commit');
  } finally {
    for (const tx of [two, one]) tx.release();
  }
  assert.equal((await read(id)).length, 4);
  const [law] = stepLaws([]);
  assert.equal(law?.name, 'steps_follow');
  const found = await base.db.query<{ what: string }>(law?.text ?? '');
  assert.deepEqual(new Set(found.map(({ what }) => what)), new Set([id]));
});
