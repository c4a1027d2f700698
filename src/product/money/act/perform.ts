// Carries out what operators agreed on: the operation of the interface runs in this process, with
// the operator in place of a client, under a key that is the act's. [G-88]
import type { z } from 'zod';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { readInput } from '../../../core/input.ts';
import type { Machine } from '../../../core/machine.ts';
import type { Caller } from '../../../core/operation.ts';
import { Refusal, refuse } from '../../../core/refusal.ts';
import type { DomainOperation, Services } from '../../context.ts';
import { ACTS } from './acts.ts';
import { beginAct, endAct } from './decide.ts';
import { refusals as no } from './refusals.ts';
import type { ActFields, MoneyAct } from './row.ts';
import { digestOf, subjectOf, type Subject } from './subject.ts';
import type { MoneyActRow } from './tables.ts';

/** What acts need of the catalogue. */
export interface ActCatalogue {
  readonly operations: readonly DomainOperation[];
  readonly machines: readonly Machine[];
}

export interface ActParts extends ActCatalogue {
  readonly services: Services;
}

/** The operator who acts, in one workspace of a tenant. */
export interface ActingOperator {
  readonly operatorId: string;
  readonly workspace: number;
  readonly integrator: string;
}

/** What an operator may have of a client's scopes. */
const SCOPES: ReadonlySet<string> = new Set(['write_invoices', 'write_process_credits']);

/** The operation of an act. One that clients may not call with those scopes is a fault. */
export function operationOf({ operations }: ActCatalogue, { operation }: MoneyAct) {
  const found = operations.find(({ id }) => id === operation);
  const access = found?.access;
  if (found === undefined || access === undefined || access === 'public') {
    throw new Error(`there is no operation ${operation} for an act on money`);
  }
  if (!SCOPES.has(access.client ?? '')) throw new Error(`${operation} is not for operators`);
  return found;
}

/** True where the object, as it is, allows an act. */
export function isPossible({ machines }: ActCatalogue, act: MoneyAct, subject: Subject): boolean {
  if (act.kind !== subject.kind || act.when?.(subject) === false) return false;
  if (act.on === undefined) return true;
  const leaving = machines.find(({ name }) => name === subject.kind)?.leaving.get(subject.state);
  return leaving?.some(({ on, by }) => on === act.on && by === 'caller') ?? false;
}

function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const found = readInput(schema, value);
  if (found.ok) return found.value;
  throw refuse(inputRefusals[found.codes[0] ?? 'INVALID_FIELD'], found.errors);
}

/** The input of the operation, as a request of a program is read. Throws a Refusal. */
export function inputOf(
  { params, query, body }: DomainOperation,
  act: MoneyAct,
  subject: Subject,
  fields: ActFields,
  reason: string,
) {
  const asked = act.request(subject, fields, reason);
  return {
    params: read(params, asked.params ?? {}),
    query: read(query, {}),
    body: body === null ? undefined : read(body, asked.body ?? {}),
  };
}

/** An act that was agreed on. */
export type AgreedAct = Pick<
  MoneyActRow,
  'id' | 'act' | 'subject_id' | 'fields' | 'seen' | 'reason' | 'operator_id'
> & {
  /** True where the operation may have run already. */
  readonly begun: boolean;
};

/**
 * Carries out an act that was agreed on; one that was begun before is repeated under its key. In
 * history the operation is of whoever asked for it. What refuses it ends it, unless it says to try
 * again. Throws a Refusal.
 */
export async function perform(
  parts: ActParts,
  { operatorId, workspace, integrator }: ActingOperator,
  row: AgreedAct,
): Promise<void> {
  const { db, engine } = parts.services;
  const { id, begun, reason } = row;
  const by = { workspace, actor: `operator:${operatorId}` };
  const ended = async (error: unknown): Promise<never> => {
    if (error instanceof Refusal && !error.spec.retry) {
      await engine.run(endAct, { id, refusal: error.spec }, by);
    }
    throw error;
  };
  const act = ACTS.find(({ name }) => name === row.act);
  const subject = act && await subjectOf(db, workspace, act.kind, row.subject_id);
  if (!act || !subject) return ended(refuse(no.MONEY_ACT_NOT_POSSIBLE));
  if (!begun) {
    if (digestOf(subject) !== row.seen) return ended(refuse(no.MONEY_ACT_OUTDATED));
    await engine.run(beginAct, { id }, by);
  }
  // A client's scope is a hash, so it is never one of these.
  const key = `act/${id}`;
  const caller: Caller = {
    ...{ workspace, integrator, clientId: '', kind: 'client', accountId: null, scopes: SCOPES },
    operatorId: row.operator_id,
  };
  try {
    const operation = operationOf(parts, act);
    await operation.run(parts.services, {
      ...inputOf(operation, act, subject, JSON.parse(row.fields) as ActFields, reason),
      ...{ caller, idempotency: { scope: key, fingerprint: key }, headers: {} },
    });
  } catch (error) {
    await ended(error);
  }
  await engine.run(endAct, { id, refusal: null }, by);
}
