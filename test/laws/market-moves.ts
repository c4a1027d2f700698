// What a move announced and posted, against what its row says (`emits`, `posts`), in both
// directions: nothing happens that the row does not name, and what it names is seen to happen.
import assert from 'node:assert/strict';
import { walletTable } from '../../src/product/money/wallet/index.ts';
import type { StepRow } from '../../src/engine/index.ts';
import { postsOf, type Machine } from '../../src/core/machine.ts';
import {
  SYSTEM_ACCOUNT_KINDS,
  systemAccountId,
  type SystemAccountKind,
} from '../../src/ledger/index.ts';
import {
  arrowName,
  movementOf,
  rowsByArrow,
  shownEntry,
  type Kind,
  type Leg,
} from '../kit/movements.ts';
import { CURRENCY, WORKSPACE, type MemoryCore } from './memory-core.ts';
import { count, type RefundedAmounts } from './market.ts';

const systemAccounts = new Map<string, Kind>(
  (Object.keys(SYSTEM_ACCOUNT_KINDS) as SystemAccountKind[]).map((kind) => {
    return [systemAccountId(WORKSPACE, kind, CURRENCY), kind];
  }),
);

/** What people decide in the console, which no program uses; moves.test.ts makes these moves. */
export const BY_HAND: readonly string[] = [
  'transfer: parked -accept-> paid posts',
  'transfer posts keep_for_integrator',
];

/** What must be seen of a lifecycle: each arrow, that money moves along it, each named movement. */
export function toBeSeen({ name, moves }: Machine): string[] {
  const seen = moves.flatMap((move) => {
    const arrow = arrowName(name, move);
    const movements = postsOf(move).map((movement) => `${name} posts ${movement}`);
    return movements.length === 0 ? [arrow] : [arrow, `${arrow} posts`, ...movements];
  });
  return [...new Set(seen)];
}

/** Holds every step of a history to its row; counts the arrows and the movements along them. */
export function checkMoves(core: MemoryCore, arrows: RefundedAmounts): void {
  const events = grouped(core.outbox, (row) => keyOf(row.resource_id, row.resource_version));
  const entries = entriesIn(core);
  const commands = grouped(core.steps, (step) => String(core.commandOf.get(step)));
  const lies = new Set<string>();
  for (const step of core.steps) {
    const { machine, from_state, event, to_state } = step;
    const arrow = arrowName(machine, { from: from_state, on: event, to: to_state });
    const row = rowsByArrow.get(arrow);
    assert.ok(row !== undefined, `${arrow} has no row`);
    count(arrows, arrow);
    const told = events.get(keyOf(step.resource_id, step.version)) ?? [];
    const names = told.map(({ name }) => name).join(', ');
    if (names !== (row.emits?.name ?? '')) lies.add(`${arrow} announces ${names || 'nothing'}`);
    const together = commands.get(String(core.commandOf.get(step))) ?? [];
    for (const { resource_id, version } of [step, ...invoicesBeside(step, together)]) {
      const entry = entries.get(keyOf(resource_id, version));
      if (entry === undefined) continue;
      const name = movementOf(row, entry);
      if (name === undefined) lies.add(`${arrow} posts ${shownEntry(entry)}`);
      else for (const what of [`${arrow} posts`, `${machine} posts ${name}`]) count(arrows, what);
    }
  }
  assert.deepEqual([...lies], [], 'the row of a move says something else than the move does');
}

/** An escrow or a refund moves its money along the invoice that ends with it or is made for it. */
function invoicesBeside(of: StepRow, together: readonly StepRow[]): StepRow[] {
  if (of.machine !== 'escrow' && of.machine !== 'refund') return [];
  const invoices = together.filter((step) => step.machine === 'invoice' && step.event !== 'pay');
  const moves = together.filter(({ machine }) => machine === of.machine);
  if (moves.length === 1) return invoices;
  // A command that divides an escrow makes each invoice just after its move.
  const next = moves[moves.indexOf(of) + 1];
  const end = next === undefined ? together.length : together.indexOf(next);
  return together.slice(together.indexOf(of), end).filter((step) => invoices.includes(step));
}

function entriesIn(core: MemoryCore): Map<string, Leg[]> {
  const wallets = new Map<string, Kind>();
  for (const { id, kept_back_id } of core.all(walletTable)) {
    wallets.set(id, 'wallet');
    if (kept_back_id !== null) wallets.set(kept_back_id, 'kept_back');
  }
  const entries = new Map<string, Leg[]>();
  for (const { resource_id, version, account_id, amount } of core.postings) {
    const kind = systemAccounts.get(account_id) ?? wallets.get(account_id);
    assert.ok(kind !== undefined, `${account_id} is no account of the books`);
    const key = keyOf(resource_id, version);
    const legs = entries.get(key);
    const leg = { kind, gets: amount > 0n };
    if (legs === undefined) entries.set(key, [leg]);
    else legs.push(leg);
  }
  return entries;
}

function keyOf(resource: string, version: number): string {
  return `${resource}:${version}`;
}

function grouped<V>(list: readonly V[], keyOf: (one: V) => string): Map<string, V[]> {
  const groups = new Map<string, V[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
