// The state of a resource and what comes next: due work with its time, and the moves that are
// possible now.
import { prepared, type Queryable } from '../../../db/index.ts';
import type { Machine, Move } from '../../../core/machine.ts';
import type { Instant } from '../../../core/time.ts';
import type { EscrowStanding } from './escrow.ts';
import type { Question } from './source.ts';
import type { Entry, NextStep } from './schema.ts';

/** The state of a resource; null for one without states. */
export interface Standing {
  readonly state: string | null;
  readonly machine: Machine | null;
  /** An escrow that is disputed, at the bank or by its sides. [G-93, G-96] */
  readonly frozen?: boolean;
}

export async function standingOf(q: Question): Promise<Standing> {
  const { subject, workspace } = q;
  const rows = await q.db.query<{ machine: string; state: string; frozen: boolean }>(
    prepared('explain_state')`
    select machine, to_state as state, machine = 'escrow' and exists (select from escrow
        where workspace = ${workspace} and id = ${subject.uuid} and time_left is not null) as frozen
    from history where workspace = $1 and resource_id = $2 order by version desc limit 1`);
  const row = rows[0];
  if (row === undefined) return { state: await plainState(q), machine: null };
  const { state, frozen } = row;
  return { state, machine: q.machines.get(row.machine) ?? null, frozen };
}

/** Queries for the state of resources without a lifecycle. */
const PLAIN: Readonly<Record<string, string>> = {
  payment_method: 'select pm_state as state from payment_method where workspace = $1 and id = $2',
  webhook_endpoint: 'select state from webhook_endpoint where workspace = $1 and id = $2',
  kyc_application: 'select state from kyc_application where workspace = $1 and id = $2',
  event: `select 'sealed' as state from event where workspace = $1 and event_id = $2`,
  link: `select case when used_at is not null then 'opened'
    when expires < workspace_now(workspace) then 'expired' else 'open' end as state
    from link where workspace = $1 and id = $2`,
  delivery: `select state from delivery
    where workspace = $1 and endpoint_id = $2 and sequence = $3`,
};

async function plainState({ db, workspace, subject }: Question): Promise<string | null> {
  const text = PLAIN[subject.kind];
  if (text === undefined) return null;
  const values = [
    workspace,
    subject.uuid,
    ...(subject.kind === 'delivery' ? [subject.sequence] : []),
  ];
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
    where workspace = $1 and ${id} = any ($2)`;
const limit = (table: string, what: string, whose = 'any ($2)'): string =>
  `select '${what}', false, due from ${table}
    where workspace = $1 and id = ${whose} and due is not null`;

/** What is next for an escrow, where its own words do not say it. */
const HOLDING = 'the clock acts on the escrow';

/** Work that waits for its time, soonest first. */
const DUE = [
  job('attempt_job', 'attempt_id', 'the card payment is re-queried at the processor'),
  job('transfer_job', 'transfer_id', 'the outbound transfer is re-queried at the processor'),
  job('dispute_answer_job', 'answer_id', 'the answer to the dispute is sent to the processor'),
  job('identity_job', 'check_id', 'the identity vendor is queried'),
  limit('escrow', HOLDING),
  limit('payout', 'the payout continues automatically'),
  // Of the subject alone: an escrow or invoice waits for the bank, not for this.
  limit('dispute', 'the deadline of the dispute is near or passes', '($2::uuid[])[1]'),
  limit('disagreement', 'the limit of the disagreement is near or passes', '($2::uuid[])[1]'),
  limit('reserve', 'the reserve releases what is due'),
  limit('kyc', 'the identity review expires'),
  limit('entity', 'the business verification expires'),
].join(' union all ');

async function dueOf(db: Queryable, q: Question): Promise<readonly NextStep[]> {
  const rows = await db.query<DueRow>({
    name: 'explain_due',
    text: `${DUE} order by due limit 20`,
    values: [q.workspace, q.ids],
  });
  return rows.map(({ what, real, due }) => {
    const at = real ? q.time.virtualOf(due) : due;
    return { what, by: 'system', at, text: `${what} at ${moment(at)}` };
  });
}

/** The next retry among the deliveries, and the replay of the latest failed one. */
function retries(timeline: readonly Entry[]): readonly NextStep[] {
  const all = timeline.filter((entry) => entry.kind === 'delivery');
  const [first, ...more] = all
    .filter(({ next_try }) => next_try !== null)
    .toSorted((a, b) => ((a.next_try ?? '') < (b.next_try ?? '') ? -1 : 1));
  const steps: NextStep[] = [];
  if (first !== undefined) {
    const what = `event ${first.sequence} is sent to endpoint ${first.endpoint_id}`;
    const others = more.length === 0 ? '' : ` (and ${more.length} more deliveries later)`;
    const text = `${what} at ${moment(first.next_try ?? '')}${others}`;
    steps.push({ what, by: 'system', at: first.next_try, text });
  }
  const dead = all.findLast(({ state }) => state === 'dead');
  if (dead !== undefined) {
    const what = `replay event ${dead.sequence}`;
    const text = `${what} (caller) once endpoint ${dead.endpoint_id} answers 2XX`;
    steps.push({ what, by: 'caller', at: null, text });
  }
  return steps;
}

/** The moves out of a state, one for each event. */
function movesOf({ state, machine, frozen }: Standing, noun = ''): readonly NextStep[] {
  const possible = ({ on, by }: Move): boolean => {
    return frozen === true ? by === 'processor' : on !== 'resume' && on !== 'settle';
  };
  const all = machine?.moves.filter(({ from }) => from === state) ?? [];
  const moves = all.filter(possible);
  const events = Map.groupBy(moves, ({ on, by }) => `${noun}${on} (${by})`);
  return [...events].map(([name, rows]) => {
    const states = [...new Set(rows.map(({ to }) => to))].join(' or ');
    const { on, by } = rows[0] as (typeof moves)[number];
    return { what: on, by, at: null, text: `${name} -> ${states}` };
  });
}

/** Parts that wait for a manual decision, or for a buyer on the bank's page. */
async function partsWaiting(q: Question): Promise<readonly NextStep[]> {
  const rows = await q.db.query<{ machine: string; state: string }>(prepared('explain_parts_state')`
    select s.machine, s.to_state as state
    from unnest(${q.ids.filter((id) => id !== q.subject.uuid)}::uuid[]) as n(id)
    cross join lateral (select machine, to_state from history
      where workspace = ${q.workspace} and resource_id = n.id order by version desc limit 1) s`);
  const texts = new Map<string, NextStep>();
  for (const { machine: name, state } of rows) {
    const machine = q.machines.get(name) ?? null;
    const people = movesOf({ state, machine }, `${name} ${state}: `).filter(
      ({ by }) => by === 'operator' || state === 'challenged',
    );
    for (const step of people) texts.set(step.text, step);
  }
  return [...texts.values()];
}

/** What may come next: soonest first, then what has no time. */
export async function nextOf(
  q: Question,
  standing: Standing,
  timeline: readonly Entry[],
  escrow: EscrowStanding | null,
): Promise<readonly NextStep[]> {
  const told = [...(escrow?.next ?? []), ...retries(timeline)];
  const waiting = (await dueOf(q.db, q)).filter(({ what }) => !escrow || what !== HOLDING);
  const due = [...waiting, ...told.filter(({ at }) => at !== null)];
  due.sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1));
  const moves = escrow?.disputed ? [] : movesOf(standing);
  const open = [...(await partsWaiting(q)), ...moves];
  return [...due, ...told.filter(({ at }) => at === null), ...open];
}

/** A time for readers, in UTC. */
function moment(at: Instant): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}

const MOST_TOLD = 2;
/** Actors who act on request. */
const ASKED: ReadonlySet<string> = new Set(['caller', 'user', 'operator']);

/** One sentence for readers: `Now: processing; next: ...`. */
export function nowText(
  kind: string,
  { state, machine }: Standing,
  next: readonly NextStep[],
  money = '',
): string {
  const noun = kind.replaceAll('_', ' ');
  const where = money === '' ? '' : ` (${money})`;
  const stands = state === null ? `this ${noun} has no state` : `${noun} ${state}${where}`;
  const due = next.filter(({ at }) => at !== null).slice(0, MOST_TOLD);
  const open = next.filter(({ at }) => at === null);
  const asked = open.filter(({ by }) => ASKED.has(by));
  const awaited = due.length === 0 ? open.filter(({ by }) => !ASKED.has(by)) : [];
  const list = (word: string, steps: readonly NextStep[]): string[] =>
    steps.length === 0 ? [] : [`${word} ${steps.map(({ text }) => text).join(', ')}`];
  const told = [
    ...due.map(({ text }) => text),
    ...list('possible:', asked),
    ...list('waiting for', awaited),
  ];
  const rest = machine === null ? 'nothing scheduled' : 'nothing; this state is final';
  return `Now: ${stands}; next: ${told.join('; ') || rest}.`;
}
