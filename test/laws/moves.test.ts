// Each row of an identity's and a business's lifecycle, made by the one function that moves them:
// what it says is announced and posted is what happens. Money lies restricted meanwhile, so that
// a move which releases it shows. The lifecycles of money are held to their rows in money.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeEntity, needEntity } from '../../src/domain/business/change.ts';
import { entityMachine, type KybState } from '../../src/domain/business/machine.ts';
import { entityTable } from '../../src/domain/business/tables.ts';
import { changeKyc, needKyc } from '../../src/domain/identity/change.ts';
import { kycMachine, type KycState } from '../../src/domain/identity/machine.ts';
import { kycTable } from '../../src/domain/identity/tables.ts';
import type { Command } from '../../src/engine/index.ts';
import type { Machine, Move } from '../../src/kernel/machine.ts';
import { balanceTable } from '../../src/ledger/index.ts';
import { fixture, freshId, type Person } from './market-people.ts';
import { checkMoves, toBeSeen } from './market-moves.ts';
import type { Tally } from './market.ts';
import { MemoryCore, WORLD } from './memory-core.ts';

const start = fixture();
const person = start.people[0] as Person;

/** The person in an identity state, with money that is restricted unless they are accepted. */
function coreWith(state: string): MemoryCore {
  const core = new MemoryCore(start.core);
  const row = core.get(kycTable, person.id);
  const kept = core.get(balanceTable, person.kept);
  assert.ok(row !== null && kept !== null);
  core.force(kycTable, { ...row, state, requirements: 'FULL_KYC' });
  if (state !== 'ACCEPT') core.force(balanceTable, { ...kept, amount: 5n, accrues: false });
  return core;
}

function made(core: MemoryCore, machine: Machine, move: Move, command: Partial<Command<null>>) {
  const whole = { name: move.on, batchable: false, needs() {}, ...command } as Command<null>;
  const outcome = core.run(whole, null);
  const name = `${machine.name}: ${move.from} -${move.on}-> ${move.to}`;
  assert.equal(outcome.kind, 'answer', `${name}: ${JSON.stringify(outcome)}`);
}

const DONE = { status: 200, payload: null };

/** Everything but how a resource comes into being, which is other code. */
function moves(machine: Machine): Machine {
  return { ...machine, moves: machine.moves.filter(({ from }) => from !== null) };
}

test('an identity state announces and posts what its rows say, along every arrow', () => {
  const seen: Tally = new Map();
  for (const move of moves(kycMachine).moves) {
    const { on } = move;
    const to = move.to as KycState;
    const core = coreWith(move.from ?? '');
    const patch = on === 'set' ? { requirements: 'NONE' } : {};
    made(core, kycMachine, move, {
      needs: (want) => needKyc(want, person.id),
      decide: (decision) => (changeKyc(decision, person.id, { on, to, patch }), DONE),
    });
    checkMoves(core, seen);
  }
  assert.deepEqual(toBeSeen(moves(kycMachine)).filter((what) => !seen.has(what)), []);
});

test('a business announces what its rows say, along every arrow', () => {
  const seen: Tally = new Map();
  for (const move of moves(entityMachine).moves) {
    const { on } = move;
    const to = move.to as KybState;
    const core = coreWith('NODATA');
    const at = '2026-01-01T00:00:00.000000Z';
    const entity = {
      world: WORLD,
      id: freshId(),
      account_id: person.id,
      state: move.from ?? '',
      version: 1,
      ...{ entity_type: '', country: '', tax_id_given: false, course: 'review' },
      ...{ agents: '[]', people: 0, documents: '[]', reasons: '[]', rules: '[]' },
      ...{ sealed: null, due: null, created: at, updated: at },
    };
    core.force(entityTable, entity);
    made(core, entityMachine, move, {
      needs: (want) => needEntity(want, entity.id),
      decide: (decision) => (changeEntity(decision, entity, { on, to }), DONE),
    });
    checkMoves(core, seen);
  }
  assert.deepEqual(toBeSeen(moves(entityMachine)).filter((what) => !seen.has(what)), []);
});
