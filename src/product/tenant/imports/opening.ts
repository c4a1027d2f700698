// The commands of a file of opening balances. One operator prepares it, an independent one confirms
// it, and only then are its lines booked, each block as one step with balanced entries. [G-97]
import { command, EngineFault, type Command, type Decision } from '../../../engine/index.ts';
import type { ReadSet } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { systemAccount } from '../../../ledger/index.ts';
import { accountTable } from '../../people/account/index.ts';
import { addFunds, lockFunds } from '../../money/treasury/index.ts';
import {
  creditLine,
  needCredit,
  walletsOfAccount,
  walletTable,
  type WalletRow,
} from '../../money/wallet/index.ts';
import { openingMachine, type OpeningState } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { openingTable, type OpeningRow } from './tables.ts';

/** What an operator states about a file before it is read. */
export interface OpeningRequest {
  readonly id: string;
  readonly currency: string;
  /** Minor units. */
  readonly total: bigint;
  readonly lines: number;
  /** UUID of the operator. */
  readonly operator: string;
}

/** What opening commands answer. */
export interface OpeningAnswer {
  readonly id: string;
  readonly state: OpeningState;
}

function answer({ id, state }: Pick<OpeningRow, 'id' | 'state'>) {
  const payload: OpeningAnswer = { id, state };
  return { status: 200, payload } as const;
}

/** Creates the opening whose lines are about to be read. */
export const beginOpening: Command<OpeningRequest> = {
  name: 'begin_opening',
  load() {},
  decide(decision, { operator, ...stated }) {
    const { workspace, now } = decision;
    const begun = { state: 'reading', version: 1, created: now, updated: now } as const;
    const row = {
      ...{ workspace, ...stated, booked: 0, last_line: 0, digest: '' },
      ...{ prepared_by: operator, confirmed_by: null },
      ...begun,
    };
    decision.create(openingMachine, openingTable, 'begin', row);
    return answer(row);
  },
};

/** An act on an opening. */
interface OpeningAct {
  readonly id: string;
}

function lockOpening(rows: ReadSet, { id }: OpeningAct): void {
  if (rows.read(openingTable, id)) rows.lock(openingTable, id);
}

function openingIn(
  decision: Decision,
  { id }: OpeningAct,
  states: readonly OpeningState[],
): OpeningRow {
  const row = decision.get(openingTable, id);
  if (row === null) throw refuse(no.OPENING_NOT_FOUND);
  if (!states.includes(row.state)) throw refuse(no.OPENING_NOT_WAITING);
  return row;
}

/** All lines are stored, and their count and total are the stated ones. */
export const prepareOpening: Command<OpeningAct & { readonly digest: string }> = {
  name: 'prepare_opening',
  load: lockOpening,
  decide(decision, act) {
    const { id } = openingIn(decision, act, ['reading']);
    const { digest } = act;
    decision.move(openingMachine, openingTable, id, 'prepare', 'prepared', { digest }, { digest });
    return answer({ id, state: 'prepared' });
  },
};

/** Gives an opening up before it is confirmed. Its lines are removed afterwards. */
export const cancelOpening: Command<OpeningAct> = {
  name: 'cancel_opening',
  load: lockOpening,
  decide(decision, act) {
    const { id } = openingIn(decision, act, ['reading', 'prepared']);
    decision.move(openingMachine, openingTable, id, 'cancel', 'cancelled');
    return answer({ id, state: 'cancelled' });
  },
};

interface ConfirmInput extends OpeningAct {
  readonly operator: string;
  /** Operators who created or reset this one, or whom this one created or reset. */
  readonly dependent: readonly string[];
}

/** Confirms an opening as its second person. Repeating changes nothing. */
export const confirmOpening: Command<ConfirmInput> = {
  name: 'confirm_opening',
  load: lockOpening,
  decide(decision, act) {
    const { operator, dependent } = act;
    const waiting = ['prepared', 'confirmed', 'booking', 'booked'] as const;
    const { id, state, prepared_by, confirmed_by } = openingIn(decision, act, waiting);
    if (prepared_by === operator) throw refuse(no.OPENING_SAME_PERSON);
    if (dependent.includes(prepared_by)) throw refuse(no.OPENING_NOT_INDEPENDENT);
    if (confirmed_by === operator) return answer({ id, state });
    if (state !== 'prepared') throw refuse(no.OPENING_NOT_WAITING);
    const second = { confirmed_by: operator };
    decision.move(openingMachine, openingTable, id, 'confirm', 'confirmed', second);
    return answer({ id, state: 'confirmed' });
  },
};

/** A line as it is booked. */
export interface OpeningLine {
  readonly line: number;
  readonly wallet_id: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** The next lines of an opening, after `booked` others. */
export interface OpeningBlock {
  readonly id: string;
  readonly booked: number;
  readonly lines: readonly OpeningLine[];
}

/** Credits the next lines. A block that was booked meanwhile changes nothing. */
export const bookOpening = command({
  name: 'book_opening',
  load(rows, block: OpeningBlock) {
    lockOpening(rows, block);
    const opening = rows.read(openingTable, block.id);
    if (opening !== null) lockFunds(rows, 'elsewhere', opening.currency);
    return block.lines.map(({ wallet_id, amount }) => {
      const wallet = walletOf(rows, wallet_id);
      if (wallet !== null) needCredit(rows, wallet.id);
      return { wallet, amount };
    });
  },
  decide(decision, { id, booked: before, lines }, credited) {
    const row = decision.get(openingTable, id);
    if (row === null) throw refuse(no.OPENING_NOT_FOUND);
    const open = row.state === 'confirmed' || row.state === 'booking';
    const last = lines.at(-1);
    if (!open || row.booked !== before || last === undefined) return answer(row);
    const booked = before + lines.length;
    const state = booked === row.lines ? 'booked' : 'booking';
    const patch = { booked, last_line: last.line };
    const version = decision.move(openingMachine, openingTable, id, 'book', state, patch, patch);
    const sum = lines.reduce((all, { amount }) => all + amount, 0n);
    decision.post(id, version, [
      systemAccount(decision.lineage, 'opening_balances', row.currency, -sum),
      ...credited.map(({ wallet, amount }) => {
        if (wallet === null) throw new EngineFault('an opening names a wallet that is not there');
        return creditLine(decision, wallet, amount);
      }),
    ]);
    addFunds(decision, 'elsewhere', row.currency, sum);
    return answer({ id, state });
  },
});

/** The wallet, or that of the account into which its owner was merged since. [G-22] */
function walletOf(rows: ReadSet, id: string): WalletRow | null {
  let wallet = rows.read(walletTable, id);
  for (;;) {
    const owner = wallet?.account_id ?? null;
    const into = owner === null ? null : rows.read(accountTable, owner)?.merged_to;
    if (wallet === null || !into) return wallet;
    const { currency } = wallet;
    wallet = rows.find(walletsOfAccount, into).find((one) => one.currency === currency) ?? null;
  }
}
