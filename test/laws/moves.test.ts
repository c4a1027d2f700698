// Each row of the lifecycles that the programs of money.test.ts do not go along: what it says is
// announced and posted is what happens when the move is made. Money of the person lies restricted
// meanwhile, so that a move which releases it shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeEntity, needEntity } from '../../src/product/people/business/change.ts';
import { entityMachine } from '../../src/product/people/business/machine.ts';
import { entityTable } from '../../src/product/people/business/tables.ts';
import {
  explainDiscrepancy,
  findDiscrepancy,
  matchLine,
  returnSecondCapture,
  settleSecondCapture,
} from '../../src/product/money/reconciliation/discrepancy.ts';
import { discrepancyMachine } from '../../src/product/money/reconciliation/machine.ts';
import { decideTransfer } from '../../src/product/money/reconciliation/resolve.ts';
import { statementLineTable } from '../../src/product/money/reconciliation/tables.ts';
import { refundedAmountsTable } from '../../src/product/money/refund/tables.ts';
import { attemptTable, transferTable } from '../../src/product/money/wallet/index.ts';
import { addSeconds, instantFromMillis } from '../../src/core/time.ts';
import { advanceIdentity } from '../../src/product/people/identity/index.ts';
import { changeKyc, needKyc } from '../../src/product/people/identity/change.ts';
import { kycMachine } from '../../src/product/people/identity/machine.ts';
import { kycTable } from '../../src/product/people/identity/tables.ts';
import type { Command } from '../../src/engine/index.ts';
import type { Machine, Move } from '../../src/core/machine.ts';
import { balanceTable } from '../../src/ledger/index.ts';
import { fixture, freshId, type Person } from './market-people.ts';
import { BY_HAND, checkMoves, toBeSeen } from './market-moves.ts';
import type { RefundedAmounts } from './market.ts';
import { CURRENCY, MemoryCore, WORKSPACE } from './memory-core.ts';

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

/** The clock finds the document of the person about to expire. */
function warned(core: MemoryCore): void {
  const row = core.get(kycTable, person.id);
  assert.ok(row !== null);
  const now = instantFromMillis(core.now);
  core.force(kycTable, { ...row, due: now, document_expires: addSeconds(now, WEEK).slice(0, 10) });
  must(core, advanceIdentity, { account: person.id });
}

function made(core: MemoryCore, machine: Machine, move: Move, command: Partial<Command<null>>) {
  const whole = { name: move.on, batchable: false, load() {}, ...command } as Command<null>;
  const outcome = core.run(whole, null);
  const name = `${machine.name}: ${move.from} -${move.on}-> ${move.to}`;
  assert.equal(outcome.kind, 'answer', `${name}: ${JSON.stringify(outcome)}`);
}

const DONE = { status: 200, payload: null };
/** Seconds. */
const WEEK = 7 * 86_400;

/** All but how a resource comes into being: other code does it. */
function moves<M extends Machine>(machine: M): M {
  const here = machine.moves.filter(({ from }) => from !== null);
  return { ...machine, moves: here };
}

test('an identity state announces and posts what its rows say, along every arrow', () => {
  const seen: RefundedAmounts = new Map();
  for (const move of moves(kycMachine).moves) {
    const { on, to } = move;
    const core = coreWith(move.from ?? '');
    const patch = on === 'set' ? { requirements: 'NONE' as const } : {};
    if (on === 'warn') {
      warned(core);
      checkMoves(core, seen);
      continue;
    }
    made(core, kycMachine, move, {
      load: (rows) => needKyc(rows, person.id),
      decide: (decision) => (changeKyc(decision, person.id, { on, to, patch }), DONE),
    });
    checkMoves(core, seen);
  }
  assert.deepEqual(toBeSeen(moves(kycMachine)).filter((what) => !seen.has(what)), []);
});

test('a business announces what its rows say, along every arrow', () => {
  const seen: RefundedAmounts = new Map();
  for (const move of moves(entityMachine).moves) {
    const { on, to } = move;
    const core = coreWith('NODATA');
    const at = '2026-01-01T00:00:00.000000Z';
    const entity = {
      workspace: WORKSPACE,
      id: freshId(),
      account_id: person.id,
      state: move.from ?? 'INCOMPLETE',
      version: 1,
      ...{ entity_type: '', country: '', tax_id_given: false, lacks: '[]' },
      course: 'people' as const,
      ...{ agents: '[]', people: 0, documents: '[]', reasons: '[]', rules: '[]' },
      ...{ sealed: null, due: null, created: at, updated: at },
    };
    core.force(entityTable, entity);
    made(core, entityMachine, move, {
      load: (rows) => needEntity(rows, entity.id),
      decide: (decision) => (changeEntity(decision, entity, { on, to }), DONE),
    });
    checkMoves(core, seen);
  }
  assert.deepEqual(toBeSeen(moves(entityMachine)).filter((what) => !seen.has(what)), []);
});

const CHARGE = { id: freshId(), invoice: freshId() };
const AMOUNT = 5n;
const charged = { workspace: WORKSPACE, currency: CURRENCY, amount: AMOUNT, version: 1 };

/** A core with a line of the statement about a charge that was captured before. */
function coreWithLine(): { readonly core: MemoryCore; readonly lineId: string } {
  const core = new MemoryCore(start.core);
  const lineId = freshId();
  const at = '2026-01-01T00:00:00.000000Z';
  core.force(attemptTable, {
    ...charged,
    id: CHARGE.id,
    resource_id: CHARGE.invoice,
    payment_method_id: person.methods[1] ?? '',
    ...{ purpose: 'invoice', processor_token: 'token', state: 'captured' },
    ...{ processor_reference: 'ch', failure_code: null, connection_id: null, updated: at },
    authentication_url: null,
  });
  core.force(statementLineTable, {
    ...charged,
    id: lineId,
    key: CHARGE.id,
    subject: CHARGE.id,
    ...{ line: 1n, reference: 'ch', kind: 'capture', part: 1, reason: null, due_by: null },
    ...{ verdict: 'waiting', why: null },
  });
  return { core, lineId };
}

function must<I>(core: MemoryCore, command: Command<I>, input: I): void {
  assert.equal(core.run(command, input).kind, 'answer', command.name);
}

/** The second capture goes back; the id of what is sent. */
function sentBack(core: MemoryCore, lineId: string): string {
  must(core, returnSecondCapture, { lineId });
  return core.all(transferTable).find(({ resource_id }) => resource_id === lineId)?.id ?? '';
}

test('a discrepancy posts what its rows say, along every arrow', () => {
  const seen: RefundedAmounts = new Map();
  const why = 'test';
  for (const end of ['match', 'explain', 'send', 'send at once'] as const) {
    const { core, lineId } = coreWithLine();
    if (end !== 'send at once') must(core, findDiscrepancy, { lineId, why });
    if (end === 'match') must(core, matchLine, { lineId, why });
    else if (end === 'explain') must(core, explainDiscrepancy, { id: lineId, note: why });
    else {
      const transferId = sentBack(core, lineId);
      const sum = { amount: AMOUNT, currency: CURRENCY };
      const outcome = { state: 'paid', reference: 're', ...sum } as const;
      must(core, settleSecondCapture, { transferId, outcome });
    }
    checkMoves(core, seen);
  }
  assert.deepEqual(toBeSeen(discrepancyMachine).filter((what) => !seen.has(what)), []);
});

test('what was refused and reached the buyer by their bank is kept for the integrator', () => {
  const seen: RefundedAmounts = new Map();
  const { core, lineId } = coreWithLine();
  core.force(refundedAmountsTable, {
    ...{ workspace: WORKSPACE, id: CHARGE.invoice, currency: CURRENCY, version: 1, lines: '{}' },
    taxes: '{}',
    ...{ charged: AMOUNT, refunded: 0n, charged_back: AMOUNT },
    methods: JSON.stringify({ [CHARGE.id]: { refunded: 0, charged_back: Number(AMOUNT) } }),
  });
  const transferId = sentBack(core, lineId);
  const refused = { state: 'declined', reference: 're', code: 'processing_error' } as const;
  must(core, settleSecondCapture, { transferId, outcome: refused });
  const accepted = { transferId, outcome: { state: 'accept_decided' } } as const;
  must(core, decideTransfer('double_capture'), accepted);
  checkMoves(core, seen);
  for (const what of BY_HAND) assert.ok(seen.has(what), what);
});
