// Every state of every machine with every event: the rows say what is legal, the draft and the
// database both enforce it, and everything else is a fault or refused. [M14]
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { machines } from '../../src/catalogue.ts';
import { brokenConstraint, type Transaction } from '../../src/db/index.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import {
  EngineFault,
  loadMoves,
  tableOf,
  type Command,
  type Decision,
  type MessageEvent,
} from '../../src/engine/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { findMove, type Machine, type Move } from '../../src/core/machine.ts';
import { systemAccount } from '../../src/ledger/index.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { freshId } from './market-people.ts';
import { CURRENCY, MemoryCore, WORKSPACE } from './memory-core.ts';

interface Triple {
  readonly from: string | null;
  readonly on: string;
  readonly to: string;
}

/**
 * Every birth and every move that could be written with the machine's own words, and one foreign.
 */
function triplesOf(machine: Machine): Triple[] {
  const { states } = machine;
  const events = [...new Set(machine.moves.map((move) => move.on)), 'nudge'];
  const froms = [null, ...states];
  const tos = [...states, 'elsewhere'];
  return froms.flatMap((from) => events.flatMap((on) => tos.map((to) => ({ from, on, to }))));
}

test('every lifecycle in the sources is in the catalogue, and so in these tests', () => {
  const root = new URL('../../src/', import.meta.url).pathname;
  const texts = globSync('**/*.ts', { cwd: root })
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(root + name, 'utf8'));
  const found = texts.flatMap((text) => {
    return [...text.matchAll(/ = defineMachine\('(\w+)'/g)].map(([, name]) => name);
  });
  const known = machines.map(({ name }) => name);
  assert.deepEqual(found.toSorted(), known.toSorted());
});

const headTable = tableOf('head', 1, {
  id: 'uuid',
  state: 'text',
  version: 'int4',
  updated: 'timestamptz',
});

/** What a decision does beside the move itself. */
type Beside = (decision: Decision, id: string, version: number) => void;

/** Makes one move of a resource in its state before, and what is done beside it. */
function tryMove(machine: Machine, { from, on, to }: Triple, beside: Beside) {
  const core = new MemoryCore();
  const id = freshId();
  const head = { workspace: WORKSPACE, id, version: 1, updated: '2026-01-01T00:00:00.000000Z' };
  if (from !== null) core.force(headTable, { ...head, state: from });
  const command: Command<null> = {
    name: 'try',
    batchable: true,
    load: (rows) => rows.lock(headTable, id),
    decide(decision) {
      if (from === null) decision.create(machine, headTable, on, { ...head, state: to });
      else decision.move(machine, headTable, id, on, to);
      beside(decision, id, from === null ? 1 : 2);
      return { status: 200, payload: null };
    },
  };
  return { core, outcome: core.run(command, null) };
}

/** Posts and announces what a row leaves to the decision. */
function asRow({ posts, emits }: Pick<Move, 'posts' | 'emits'>): Beside {
  return (decision, id, version) => {
    if (posts !== undefined) decision.post(id, version, []);
    if (emits !== undefined && emits.record === undefined) {
      decision.announce(emits as MessageEvent, id, version, {});
    }
  };
}

test("a decision can only make its machine's transitions; anything else is a fault", (t) => {
  let tried = 0;
  for (const machine of machines) {
    for (const triple of triplesOf(machine)) {
      tried += 1;
      const row = findMove(machine, triple.from, triple.on, triple.to);
      const { core, outcome } = tryMove(machine, triple, asRow(row ?? {}));
      const legal = row !== null;
      const name = `${machine.name}: ${JSON.stringify(triple)}`;
      if (!legal) assert.ok(outcome.kind === 'fault' && outcome.error instanceof EngineFault, name);
      assert.equal(outcome.kind, legal ? 'answer' : 'fault', name);
      assert.equal(core.steps.length, legal ? 1 : 0, name);
    }
  }
  t.diagnostic(`${tried} triples of ${machines.length} machines`);
});

test('a move announces what its row names; it posts and announces nothing else', () => {
  const entry = [
    systemAccount(WORKSPACE, 'holding', CURRENCY, 1n),
    systemAccount(WORKSPACE, 'processor_clearing', CURRENCY, -1n),
  ];
  const post: Beside = (decision, id, version) => decision.post(id, version, entry);
  const foreign: Beside = (decision, id, version) => {
    decision.announce({ name: 'foreign', when: '', cites: '' }, id, version, {});
  };
  for (const machine of machines) {
    for (const row of machine.moves) {
      const { posts, emits } = row;
      const name = `${machine.name}: ${row.from} -${row.on}-> ${row.to}`;
      const kindOf = (beside: Beside) => tryMove(machine, row, beside).outcome.kind;
      const { core } = tryMove(machine, row, asRow(row));
      assert.deepEqual(
        core.outbox.map((one) => one.name),
        emits ? [emits.name] : [],
        name,
      );
      const composed = emits !== undefined && emits.record === undefined;
      const nothingElse = posts === undefined && !composed ? 'answer' : 'fault';
      assert.equal(
        kindOf(() => {}),
        nothingElse,
        `${name} with nothing done beside it`,
      );
      const announced = asRow(emits === undefined ? {} : { emits });
      const [without, posting] = posts === undefined ? ['answer', 'fault'] : ['fault', 'answer'];
      assert.equal(kindOf(announced), without, `${name} posts nothing`);
      assert.equal(kindOf(both(announced, post)), posting, `${name} posts`);
      assert.equal(kindOf(both(asRow(row), foreign)), 'fault', `${name} announces another event`);
    }
  }
});

function both(first: Beside, second: Beside): Beside {
  return (...args) => {
    first(...args);
    second(...args);
  };
}

let base: TestDatabase;
let workspace = 0;
before(async () => {
  base = await testDatabase();
  await base.db.execute(TRY);
  ({ workspace } = await createWorkspace(base.db, { name: 'machines', currencies: ['USD'] }));
});
after(() => base.drop());

interface Step extends Triple {
  readonly version: number;
  readonly machine: string;
}

const AT = '2026-01-01T00:00:00.000000Z';

function insertStep(tx: Transaction, id: string, step: Step, at = AT): Promise<number> {
  return tx.execute({
    text: `insert into step
        (workspace, resource_id, version, machine, from_state, event, to_state, at, actor)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 'test')`,
    values: [workspace, id, step.version, step.machine, step.from ?? '', step.on, step.to, at],
  });
}

/** The shortest history that ends in each state. */
function pathsOf(machine: Machine): Map<string, Move[]> {
  const paths = new Map<string, Move[]>([['', []]]);
  for (const [state, path] of paths) {
    for (const move of machine.moves) {
      if ((move.from ?? '') === state && !paths.has(move.to)) paths.set(move.to, [...path, move]);
    }
  }
  return paths;
}

/** Tries a step and undoes it, in the database: thousands are tried. */
const TRY = `create function try_step(workspace int, id uuid, step jsonb, at timestamptz)
  returns text language plpgsql as $$
  declare
    broken text;
  begin
    insert into step
      (workspace, resource_id, version, machine, from_state, event, to_state, at, actor)
    values (workspace, id, (step->>'version')::int, step->>'machine', coalesce(step->>'from', ''),
      step->>'on', step->>'to', at, 'test');
    raise sqlstate 'UNDO1';
  exception
    when sqlstate 'UNDO1' then return null;
    when others then
      get stacked diagnostics broken = constraint_name;
      return coalesce(nullif(broken, ''), sqlerrm);
  end $$`;

/** Tries each step after a history; the names of the constraints that refused it, or null. */
async function refusals(id: string, steps: readonly Step[]): Promise<(string | null)[]> {
  const rows = await base.db.query<{ broken: string | null }>({
    text: `select try_step($1, $2, step, $4) as broken
      from jsonb_array_elements($3::jsonb) with ordinality as tried (step, nth) order by nth`,
    values: [workspace, id, JSON.stringify(steps), AT],
  });
  return rows.map(({ broken }) => broken);
}

async function refusedBy(id: string, step: Step): Promise<string | null> {
  const [broken = null] = await refusals(id, [step]);
  return broken;
}

test('the database allows the same transitions in staging and refuses all others', async () => {
  await loadMoves(base.db, machines, true);
  for (const machine of machines) {
    const paths = pathsOf(machine);
    const reached = paths.size - 1;
    assert.equal(reached, machine.states.length, `${machine.name}: a state is out of reach`);
    for (const [state, path] of paths) {
      const id = newUuid();
      await base.db.transaction(async (tx) => {
        for (const [at, move] of path.entries()) {
          const { from, on, to } = move;
          await insertStep(tx, id, { from, on, to, version: at + 1, machine: machine.name });
        }
      });
      // Of the moves that start elsewhere, those that would be legal there are enough.
      const steps = triplesOf(machine)
        .filter(({ from, on, to }) => (from ?? '') === state || findMove(machine, from, on, to))
        .map((triple) => ({ ...triple, version: path.length + 1, machine: machine.name }));
      const broken = await refusals(id, steps);
      for (const [at, { from, on, to }] of steps.entries()) {
        const legal = (from ?? '') === state && findMove(machine, from, on, to) !== null;
        const name = `${machine.name} at ${state}: ${from} -${on}-> ${to}`;
        assert.equal(broken[at], legal ? null : 'step_legal', name);
      }
    }
  }
});

test('a step with a gap, a repeat, an earlier time or another machine is refused', async () => {
  const id = newUuid();
  const invoice = { machine: 'invoice' };
  await base.db.transaction(async (tx) => {
    await insertStep(tx, id, { ...invoice, version: 1, from: null, on: 'create', to: 'open' });
  });
  const pay = { from: 'open', on: 'pay', to: 'processing' };
  assert.equal(await refusedBy(id, { ...invoice, ...pay, version: 3 }), 'step_legal');
  assert.equal(await refusedBy(id, { ...invoice, ...pay, version: 1 }), 'step_pkey');
  assert.equal(await refusedBy(id, { ...invoice, ...pay, version: 0 }), 'step_version_check');
  assert.equal(await refusedBy(newUuid(), { ...invoice, ...pay, version: 1 }), 'step_legal');
  assert.equal(await refusedBy(newUuid(), { ...invoice, ...pay, version: 2 }), 'step_legal');
  const succeed = { from: 'requested', on: 'succeed', to: 'success', machine: 'deposit' };
  assert.equal(await refusedBy(id, { ...succeed, version: 2 }), 'step_legal');
  const early = base.db.transaction((tx) =>
    insertStep(tx, id, { ...invoice, ...pay, version: 2 }, '2025-12-31T23:59:59.999999Z'),
  );
  await assert.rejects(early, (error) => brokenConstraint(error) === 'step_legal');
  assert.equal(await refusedBy(id, { ...invoice, ...pay, version: 2 }), null);
});

test("production lacks the staging setter's transitions", async () => {
  const other = await testDatabase();
  try {
    await loadMoves(other.db, machines, false);
    const rows = await other.db.query<{ n: bigint }>(
      `select count(*) as n from machine_move where machine = 'kyc' and event = 'set'`,
    );
    assert.equal(rows[0]?.n, 0n);
    const staging = machines.flatMap((machine) => machine.moves.filter((move) => move.stagingOnly));
    assert.ok(staging.length > 0);
    const all = await other.db.query<{ n: bigint }>('select count(*) as n from machine_move');
    const moves = machines.flatMap((machine) => machine.moves);
    assert.equal(all[0]?.n, BigInt(moves.length - staging.length));
  } finally {
    await other.drop();
  }
});
