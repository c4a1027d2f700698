// What operators ask for at the console: an act on an object, a second person's word about one, an
// entry that balances the books. The caller has checked role and tenant. [G-88]
import { isUuid } from '../../../core/ids.ts';
import { wrong } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { foldCredits, systemAccountId } from '../../../ledger/index.ts';
import { secondFrom } from '../../context.ts';
import { dependentOn } from '../../access/operator/index.ts';
import { isOwnAccount } from '../../people/review/index.ts';
import { requireWrites } from '../../tenant/stop/index.ts';
import { unitsOf } from '../bank/index.ts';
import { ACTS } from './acts.ts';
import { pairOf, type BalancedPair } from './balance.ts';
import { askForAct, BALANCE, secondAct, takeBackAct, type ActAnswer } from './decide.ts';
import {
  inputOf,
  isPossible,
  operationOf,
  perform,
  type ActCatalogue,
  type ActingOperator,
  type ActParts,
} from './perform.ts';
import { moneyAct } from './read.ts';
import { refusals as no } from './refusals.ts';
import type { ActField, ActFields, MoneyAct } from './row.ts';
import { digestOf, subjectOf, type Subject, type SubjectKind } from './subject.ts';

const REASON_MAX = 500;

/** The acts that an object allows now. */
export function actsOn(catalogue: ActCatalogue, subject: Subject): readonly MoneyAct[] {
  return ACTS.filter((act) => isPossible(catalogue, act, subject));
}

function reasonIn({ reason = '' }: ActFields): string {
  const text = reason.trim();
  if (text === '' || text.length > REASON_MAX) {
    throw wrong('reason', `must have 1 to ${REASON_MAX} characters`);
  }
  return text;
}

async function amountIn(
  { services: { workspaces } }: ActParts,
  workspace: number,
  currency: string,
  { name, zero }: Pick<ActField, 'name' | 'zero'>,
  form: ActFields,
): Promise<bigint> {
  const text = form[name]?.trim() ?? '';
  if (zero && text === '') return 0n;
  const enabled = (await workspaces.currencies(workspace)).get(currency);
  const units = enabled === undefined ? null : unitsOf(text, enabled.digits);
  const least = zero ? 0n : 1n;
  if (units === null || units < least || units > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw wrong(name, 'must be an amount of the currency, such as 12.50');
  }
  return units;
}

async function fieldsOf(
  parts: ActParts,
  workspace: number,
  act: MoneyAct,
  subject: Subject,
  form: ActFields,
): Promise<ActFields> {
  const fields: Record<string, string> = {};
  for (const field of act.fields?.(subject) ?? []) {
    const { name, options } = field;
    const text = form[name] ?? '';
    if (options === undefined) {
      fields[name] = String(await amountIn(parts, workspace, subject.currency, field, form));
    } else if (options.some(([value]) => value === text)) fields[name] = text;
    else throw wrong(name, 'must be one of the choices');
  }
  return fields;
}

/** A form of an act, as it was sent. */
export interface ActForm {
  readonly kind: SubjectKind;
  /** UUID of the object. */
  readonly subjectId: string;
  readonly act: string;
  /** With the form's own id as `token`, and as `seen` the hash of what its page showed. */
  readonly form: ActFields;
}

/**
 * Does what a form asks for, or proposes it from the limit of the tenant on. A form that is sent
 * again does nothing more: its answer is not fresh. Throws a Refusal.
 */
export async function askFor(
  parts: ActParts,
  operator: ActingOperator,
  { kind, subjectId, act: name, form }: ActForm,
): Promise<ActAnswer> {
  const { services } = parts;
  const { db, engine } = services;
  const { operatorId, workspace } = operator;
  const { token: id = '', seen = '' } = form;
  if (!isUuid(id)) throw wrong('token', 'is missing: reload the page');
  const before = await moneyAct(db, workspace, id);
  if (before !== null) return { id, state: before.state, fresh: false };
  const act = ACTS.find((one) => one.name === name);
  const subject = await subjectOf(db, workspace, kind, subjectId);
  if (act?.kind !== kind || subject === null) throw refuse(no.MONEY_ACT_NOT_FOUND);
  await requireWrites(db, workspace);
  await requireOther(parts, operator, subject);
  if (digestOf(subject) !== seen) throw refuse(no.MONEY_ACT_OUTDATED);
  if (!isPossible(parts, act, subject)) throw refuse(no.MONEY_ACT_NOT_POSSIBLE);
  const reason = reasonIn(form);
  const given = await fieldsOf(parts, workspace, act, subject, form);
  inputOf(operationOf(parts, act), act, subject, given, reason);
  const refused = act.refused?.(subject, given) ?? null;
  if (refused !== null) throw refuse(refused);
  const amount = act.moves?.(subject, given) ?? 0n;
  const counted = amount + (act.before?.(subject) ?? 0n);
  const limit = await secondFrom(services, workspace, subject.currency);
  const takesTwo = amount > 0n && counted >= limit;
  const fields = JSON.stringify(given);
  const asked = {
    ...{ id, act: name, subject_id: subjectId, fields, seen, currency: subject.currency, amount },
    reason,
  };
  const by = { workspace, actor: `operator:${operatorId}` };
  const input = { ...asked, operatorId, takesTwo };
  const { payload } = await engine.run(askForAct, input, by);
  const answer = payload as ActAnswer;
  if (!answer.fresh || takesTwo) return answer;
  await perform(parts, operator, { ...asked, operator_id: operatorId, begun: false });
  return { id, state: 'done', fresh: true };
}

async function requireOther(
  { services: { db } }: ActParts,
  { workspace, operatorId }: ActingOperator,
  { accounts }: Subject,
): Promise<void> {
  if (await isOwnAccount(db, workspace, operatorId, accounts)) throw refuse(no.MONEY_ACT_OWN_CASE);
}

/** Confirms or rejects what another operator proposed; what is confirmed is done at once. */
export async function secondWord(
  parts: ActParts,
  operator: ActingOperator,
  id: string,
  agrees: boolean,
): Promise<ActAnswer> {
  const { db, engine, workspaces } = parts.services;
  const { operatorId, workspace } = operator;
  const row = await moneyAct(db, workspace, id);
  if (row === null) throw refuse(no.MONEY_ACT_NOT_FOUND);
  const kind = ACTS.find(({ name }) => name === row.act)?.kind;
  if (agrees) {
    await requireWrites(db, workspace);
    const subject = kind && await subjectOf(db, workspace, kind, row.subject_id);
    if (subject) await requireOther(parts, operator, subject);
    const lineage = workspaces.lineageOf(workspace);
    const share = systemAccountId(lineage, 'integrator_share', row.currency);
    if (row.act === BALANCE) await foldCredits(db, workspace, share);
  }
  const dependent = await dependentOn(db, operatorId);
  const word = { id, operatorId, agrees, dependent };
  const by = { workspace, actor: `operator:${operatorId}` };
  const answer = (await engine.run(secondAct, word, by)).payload as ActAnswer;
  if (answer.state !== 'agreed') return answer;
  await perform(parts, operator, { ...row, begun: false });
  return { id, state: 'done', fresh: true };
}

/** Carries out what was agreed on and not finished, because something was away or broke off. */
export async function again(
  parts: ActParts,
  operator: ActingOperator,
  id: string,
): Promise<void> {
  const row = await moneyAct(parts.services.db, operator.workspace, id);
  if (row === null) throw refuse(no.MONEY_ACT_NOT_FOUND);
  if (row.state !== 'agreed' && row.state !== 'running') throw refuse(no.MONEY_ACT_ENDED);
  await perform(parts, operator, { ...row, begun: row.state === 'running' });
}

/** Takes back what the operator proposed. */
export async function takeBack(
  { services: { engine } }: ActParts,
  { operatorId, workspace }: ActingOperator,
  id: string,
): Promise<void> {
  const by = { workspace, actor: `operator:${operatorId}` };
  await engine.run(takeBackAct, { id, operatorId }, by);
}

/** Proposes an entry that balances the books; it always takes two. */
export async function proposeBalance(
  parts: ActParts,
  { operatorId, workspace }: ActingOperator,
  form: ActFields,
): Promise<ActAnswer> {
  const { db, engine } = parts.services;
  const { token: id = '', currency = '' } = form;
  if (!isUuid(id)) throw wrong('token', 'is missing: reload the page');
  await requireWrites(db, workspace);
  const pair: BalancedPair | null = pairOf(form['from'] ?? '', form['to'] ?? '');
  if (pair === null) throw wrong('to', 'must be another ledger account than the first');
  const amount = await amountIn(parts, workspace, currency, { name: 'amount' }, form);
  const asked = {
    ...{ id, act: BALANCE, subject_id: id, fields: JSON.stringify(pair), seen: '' },
    ...{ currency, amount, reason: reasonIn(form), operatorId, takesTwo: true },
  };
  const by = { workspace, actor: `operator:${operatorId}` };
  return (await engine.run(askForAct, asked, by)).payload as ActAnswer;
}
