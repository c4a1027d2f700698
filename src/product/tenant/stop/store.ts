// Kill switches: what operators have stopped, for one tenant or for the whole installation.
// Stopping takes one person; resuming takes a second one.
import { isUuid } from '../../../core/ids.ts';
import { defineRefusals, no, refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { sql, type Database, type Queryable } from '../../../db/index.ts';
import type { ProviderKind } from '../../../providers/port.ts';
import { dependentOn } from '../../access/operator/index.ts';
import { audit } from '../../tell/audit/index.ts';

/** What can be stopped, with what that means. */
export const STOPPABLE = {
  writes: 'requests that change something are refused; reads go on, and so does what is under way',
  payments: 'no new charge at the card processor; those under way, refunds and wallets go on',
  payouts: 'payouts are accepted but not sent: they wait',
} as const;
export const PROVIDER_STOPPED =
  'nothing new at that provider: charges are refused, payouts and identity checks wait; what is ' +
  'under way, look-ups, webhooks and refunds go on';

export type Stoppable = keyof typeof STOPPABLE | `provider:${string}`;

/** True for the name of something that can be stopped. */
export function isStoppable(text: string): text is Stoppable {
  return Object.hasOwn(STOPPABLE, text) || /^provider:[a-z][a-z0-9_-]{0,63}$/.test(text);
}

/** What to stop or to resume. */
export interface StopTarget {
  readonly what: Stoppable;
  /** The tenant's id; null: all of them. */
  readonly integrator: string | null;
}

/** A stop that holds. */
export interface Stop extends StopTarget {
  readonly since: Instant;
  readonly actor: string;
}

export const refusals = defineRefusals({
  PAYOUTS_STOPPED: no(409, 'operator', 'G-91',
    'Payouts are stopped by an operator: nothing is handed to the bank until they are resumed.'),
  WRITES_STOPPED: no(409, 'operator', 'G-06',
    'Writes are stopped by an operator: nothing is changed until they are resumed.'),
  STOP_OF_ONE: no(409, 'operator', 'G-91',
    'Whoever stopped it, and whom they depend on, may not resume it: another supervisor does.'),
});

const SAME = 'what = $1 and integrator is not distinct from $2::uuid';

/** Stops something; false if it is stopped already. */
export function stop(db: Database, { what, integrator }: StopTarget, actor: string) {
  return db.transaction(async (tx): Promise<boolean> => {
    const made = await tx.execute(sql`
      insert into stop (what, integrator, actor) values (${what}, ${integrator}, ${actor})
      on conflict (what, integrator) do nothing`);
    if (made === 0) return false;
    const subject = integrator ?? '';
    await audit(tx, { workspace: 0, actor, act: 'stopped', subject, detail: { what } });
    return true;
  });
}

/**
 * Resumes something; false if it is not stopped. Throws a Refusal where the actor stopped it, or
 * made or reset whoever did, or the other way round.
 */
export function resume(db: Database, { what, integrator }: StopTarget, actor: string) {
  return db.transaction(async (tx): Promise<boolean> => {
    const [ended] = await tx.query<{ actor: string }>({
      text: `delete from stop where ${SAME} returning actor`,
      values: [what, integrator],
    });
    if (ended === undefined) return false;
    const by = actor.replace('operator:', '');
    const near = isUuid(by) ? await dependentOn(tx, by) : [];
    const stopper = ended.actor.replace('operator:', '');
    if ([by, ...near].includes(stopper)) throw refuse(refusals.STOP_OF_ONE);
    const detail = { what, stopped_by: ended.actor };
    await audit(tx, { workspace: 0, actor, act: 'resumed', subject: integrator ?? '', detail });
    return true;
  });
}

/** What is stopped, the oldest first. */
export function stopsNow(db: Queryable): Promise<Stop[]> {
  return db.query<Stop>('select what, integrator, since, actor from stop order by since');
}

/** SQL: a stop that fits holds for workspace `of`. Nothing else is read while there is none. */
function holds(fits: string, of: string): string {
  return `(exists (select from stop) and exists (
    select from stop s join workspace w on w.workspace = ${of}
    where ${fits} and coalesce(s.integrator, w.integrator) = w.integrator))`;
}

/** SQL: the payouts of workspace `of` are stopped. */
export function payoutsStopped(of: string): string {
  return holds("s.what = 'payouts'", of);
}

/** SQL: the provider of a kind that workspace `of` is connected to is stopped. */
export function providerStopped(kind: ProviderKind, of: string): string {
  const name = `select 'provider:' || c.provider from provider_connection c
    where c.workspace = ${of} and c.kind = '${kind}'`;
  return holds(`s.what = (${name})`, of);
}

/** Throws a Refusal while the payouts of the workspace are stopped. */
export async function requirePayouts(db: Queryable, workspace: number): Promise<void> {
  const [row] = await db.query<{ stopped: boolean }>({
    name: 'payouts_stopped',
    text: `select ${payoutsStopped('$1::int')} as stopped`,
    values: [workspace],
  });
  if (row?.stopped === true) throw refuse(refusals.PAYOUTS_STOPPED);
}

/** Throws a Refusal while the writes of the workspace are stopped. */
export async function requireWrites(db: Queryable, workspace: number): Promise<void> {
  const [row] = await db.query<{ stopped: boolean }>({
    name: 'writes_stopped',
    text: `select ${holds("s.what = 'writes'", '$1::int')} as stopped`,
    values: [workspace],
  });
  if (row?.stopped === true) throw refuse(refusals.WRITES_STOPPED);
}
