// Answers for where a resource stands and what comes next: work that is due, with its moment, and
// the moves that somebody may still make. Refuses to do any of it.
import type { Queryable } from '../../db/index.ts';
import type { Machine } from '../../kernel/machine.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Question } from './question.ts';
import type { Entry, NextStep } from './schema.ts';

/** Where a resource stands; null for what has no state. */
export interface Standing {
  readonly state: string | null;
  readonly machine: Machine | null;
}

/** The state of the subject itself. */
export async function standingOf(q: Question): Promise<Standing> {
  const { subject, world } = q;
  const rows = await q.db.query<{ machine: string; state: string }>({
    name: 'explain_state',
    text: `select machine, to_state as state from step
      where world = $1 and resource_id = $2 order by version desc limit 1`,
    values: [world, subject.uuid],
  });
  const row = rows[0];
  if (row === undefined) return { state: await plainState(q), machine: null };
  return { state: row.state, machine: q.machines.get(row.machine) ?? null };
}

/** State of what has one without a lifecycle. */
const PLAIN: Readonly<Record<string, string>> = {
  payment_method: 'select pm_state as state from payment_method where world = $1 and id = $2',
  webhook_endpoint: 'select state from webhook_endpoint where world = $1 and id = $2',
  kyc_application: 'select state from kyc_application where world = $1 and id = $2',
  event: `select 'sealed' as state from event where world = $1 and event_id = $2`,
  link: `select case when used_at is not null then 'opened'
    when expires < clock_timestamp() then 'expired' else 'open' end as state
    from link where world = $1 and id = $2`,
  delivery: `select state from delivery
    where world = $1 and endpoint_id = $2 and sequence = $3`,
};

async function plainState({ db, world, subject }: Question): Promise<string | null> {
  const text = PLAIN[subject.kind];
  if (text === undefined) return null;
  const values = [world, subject.uuid, ...(subject.kind === 'delivery' ? [subject.sequence] : [])];
  const rows = await db.query<{ state: string }>({ text, values });
  return rows[0]?.state ?? null;
}

interface DueRow {
  readonly what: string;
  readonly real: boolean;
  readonly due: Instant;
}

const job = (table: string, id: string, what: string): string =>
  `select '${what}' as what, true as real, due from ${table}
    where world = $1 and ${id} = any ($2)`;
const limit = (table: string, what: string): string =>
  `select '${what}', false, due from ${table}
    where world = $1 and id = any ($2) and due is not null`;

/** Work that waits for its moment, soonest first. */
const DUE = [
  job('attempt_job', 'attempt_id', 'the processor is asked about the card payment'),
  job('remittance_job', 'remittance_id', 'the processor is asked about the remittance'),
  job('identity_job', 'check_id', 'the identity vendor is asked'),
  limit('escrow', 'the escrow reaches its holding limit'),
  limit('payout', 'the payout goes on by itself'),
  limit('kyc', 'the review of identity ends without an answer'),
  limit('entity', 'the business ends without what is missing'),
].join(' union all ');

async function dueOf(db: Queryable, q: Question): Promise<readonly NextStep[]> {
  const rows = await db.query<DueRow>({
    name: 'explain_due',
    text: `${DUE} order by due limit 20`,
    values: [q.world, q.ids],
  });
  return rows.map(({ what, real, due }) => {
    const at = real ? q.time.virtualOf(due) : due;
    return { what, by: 'system', at, text: `${what} at ${moment(at)}` };
  });
}

/** Deliveries that are tried again. */
function retries(timeline: readonly Entry[]): readonly NextStep[] {
  return timeline.flatMap((entry) => {
    if (entry.kind !== 'delivery' || entry.next_try === null) return [];
    const what = `event ${entry.sequence} is sent to endpoint ${entry.endpoint_id}`;
    const text = `${what} at ${moment(entry.next_try)}`;
    return [{ what, by: 'system', at: entry.next_try, text }];
  });
}

const MOST_MOVES = 12;

function movesOf({ state, machine }: Standing): readonly NextStep[] {
  const moves = machine?.moves.filter(({ from }) => from === state) ?? [];
  const steps = moves.map(({ on, by, to }) => {
    return { what: on, by, at: null, text: `${on} (${by}) -> ${to}` };
  });
  const texts = new Set<string>();
  return steps.filter(({ text }) => !texts.has(text) && texts.add(text)).slice(0, MOST_MOVES);
}

/** What may come next, soonest first, and then what has no moment. */
export async function nextOf(
  q: Question,
  standing: Standing,
  timeline: readonly Entry[],
): Promise<readonly NextStep[]> {
  const due = [...(await dueOf(q.db, q)), ...retries(timeline)];
  due.sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1));
  return [...due, ...movesOf(standing)];
}

/** A moment as people read it, in UTC. */
function moment(at: Instant): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}

/** `Now: processing; next: ...`: who reads one line reads this one. */
export function nowText(kind: string, { state }: Standing, next: readonly NextStep[]): string {
  const noun = kind.replaceAll('_', ' ');
  const stands = state === null ? `this ${noun} has no state` : `${noun} ${state}`;
  const due = next.filter(({ at }) => at !== null).slice(0, 2);
  const asked = next.filter(({ by, at }) => at === null && by !== 'system' && by !== 'processor');
  const mays = asked.length === 0 ? [] : [`may be asked: ${asked.map(({ text }) => text).join(', ')}`];
  const steps = [...due.map(({ text }) => text), ...mays];
  const told = steps.length === 0 ? 'nothing happens by itself' : steps.join('; ');
  return `Now: ${stands}; next: ${told}.`;
}
