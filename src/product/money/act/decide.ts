// The commands of an act on money: ask for it or propose it, a second person's word, and what came
// of it. An object has one open act at a time; a form that is sent again changes nothing. [G-88]
import { command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { balance, needBalance } from './balance.ts';
import { moneyActMachine as machine, type MoneyActState } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { actsOfSubject, moneyActTable, type MoneyActRow } from './tables.ts';

/** States in which an act is not finished. */
const OPEN: readonly MoneyActState[] = ['proposed', 'agreed', 'running'];

/** The act of balancing the books, which has no object but itself. */
export const BALANCE = 'balance';

/** What an operator asks for. */
export interface AskedAct extends Pick<
  MoneyActRow,
  'id' | 'act' | 'subject_id' | 'fields' | 'seen' | 'currency' | 'amount' | 'reason'
> {
  readonly operatorId: string;
  /** True where a second person has to agree. */
  readonly takesTwo: boolean;
}

/** An act as it is now; `fresh`: this command moved it there. */
export interface ActAnswer {
  readonly id: string;
  readonly state: MoneyActState;
  readonly fresh: boolean;
}

function answer(id: string, state: MoneyActState, fresh = true) {
  const payload: ActAnswer = { id, state, fresh };
  return { status: 200, payload };
}

/** Stores what an operator asks for; a form whose id is known already is not fresh. */
export const askForAct = command({
  name: 'ask_for_money_act',
  load(rows, { id, subject_id }: AskedAct) {
    return { known: rows.read(moneyActTable, id), others: rows.find(actsOfSubject, subject_id) };
  },
  decide(decision, { operatorId, takesTwo, ...asked }, { known, others }) {
    if (known !== null) return answer(known.id, known.state, false);
    if (others.some(({ state }) => OPEN.includes(state))) throw refuse(no.MONEY_ACT_WAITS);
    const { workspace, now } = decision;
    const row = {
      ...{ workspace, ...asked, operator_id: operatorId, second_id: null, code: '' },
      ...{ created: now, version: 1, updated: now },
    };
    const { act } = asked;
    if (takesTwo) {
      decision.create(machine, moneyActTable, 'propose', { ...row, state: 'proposed' }, { act });
      return answer(asked.id, 'proposed');
    }
    decision.create(machine, moneyActTable, 'ask', { ...row, state: 'agreed' }, { act });
    return answer(asked.id, 'agreed');
  },
});

interface OnAct {
  readonly id: string;
}

function lockAct(rows: ReadSet, { id }: OnAct): MoneyActRow | null {
  return rows.read(moneyActTable, id) === null ? null : rows.lock(moneyActTable, id);
}

/** The act, in one of the states. Throws a Refusal. */
function requireAct(row: MoneyActRow | null, ...states: readonly MoneyActState[]): MoneyActRow {
  if (row === null) throw refuse(no.MONEY_ACT_NOT_FOUND);
  if (!states.includes(row.state)) throw refuse(no.MONEY_ACT_ENDED);
  return row;
}

/** The word of a second person. */
export interface ActWord extends OnAct {
  readonly operatorId: string;
  readonly agrees: boolean;
  /** Operators who depend on this one, or this one on them. */
  readonly dependent: readonly string[];
}

/** Confirms or rejects what another operator proposed. What balances the books is booked. */
export const secondAct = command({
  name: 'second_money_act',
  load(rows, input: ActWord) {
    const row = lockAct(rows, input);
    if (row?.act === BALANCE) needBalance(rows, row);
    return row;
  },
  decide(decision, { operatorId, agrees, dependent }, loaded) {
    const row = requireAct(loaded, 'proposed');
    const { id, operator_id: first } = row;
    if (first === operatorId) throw refuse(no.MONEY_ACT_SAME_PERSON);
    if (dependent.includes(first)) throw refuse(no.MONEY_ACT_NOT_INDEPENDENT);
    const second = { second_id: operatorId };
    if (!agrees) return end(decision, id, 'reject', 'rejected', second);
    if (row.act === BALANCE) {
      const version = decision.move(machine, moneyActTable, id, 'book', 'done', second);
      decision.post(id, version, balance(decision, row));
      return answer(id, 'done');
    }
    decision.move(machine, moneyActTable, id, 'confirm', 'agreed', second);
    return answer(id, 'agreed');
  },
});

function end(
  decision: Decision,
  id: string,
  ...[on, to, patch]: ['reject', 'rejected', Partial<MoneyActRow>]
    | ['finish', 'done', Partial<MoneyActRow>] | ['refuse', 'refused', Partial<MoneyActRow>]
) {
  const detail = patch.code === undefined ? undefined : { code: patch.code };
  decision.move(machine, moneyActTable, id, on, to, patch, detail);
  return answer(id, to);
}

/** Takes back what the operator proposed, and nobody has agreed to yet. */
export const takeBackAct = command({
  name: 'take_back_money_act',
  load: (rows, input: OnAct & { readonly operatorId: string }) => lockAct(rows, input),
  decide(decision, { operatorId }, loaded) {
    const { id, operator_id: first } = requireAct(loaded, 'proposed');
    if (first !== operatorId) throw refuse(no.MONEY_ACT_NOT_OWN);
    return end(decision, id, 'reject', 'rejected', {});
  },
});

/** The operation is about to run. */
export const beginAct = command({
  name: 'begin_money_act',
  load: (rows, input: OnAct) => lockAct(rows, input),
  decide(decision, _, loaded) {
    const { id } = requireAct(loaded, 'agreed');
    decision.move(machine, moneyActTable, id, 'begin', 'running');
    return answer(id, 'running');
  },
});

/** What came of the operation: it is done, or met a refusal. Repeating it changes nothing. */
export const endAct = command({
  name: 'end_money_act',
  load: (rows, input: OnAct & { readonly refusal: RefusalSpec | null }) => lockAct(rows, input),
  decide(decision, { refusal }, loaded) {
    const row = requireAct(loaded, 'agreed', 'running', 'done', 'refused');
    const { id, state } = row;
    if (state === 'done' || state === 'refused') return answer(id, state, false);
    return refusal === null
      ? end(decision, id, 'finish', 'done', {})
      : end(decision, id, 'refuse', 'refused', { code: refusal.code });
  },
});
