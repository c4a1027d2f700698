// The stored form of steps. A move of sales has a number, and two steps of one commit that differ
// in nothing else are one row; every other step is stored as it is. The view `history` reads both.
// Until an upgrade is finished the database stores all steps as they are.
import { isUuid } from '../core/ids.ts';
import { tableOf, type RowOf, type Table, type WorkspaceRow } from '../core/table.ts';
import { stepTable, type StepRow } from './tables.ts';

export const storedStepTable = tableOf('step', 0, {
  resource_id: 'uuid',
  version: 'int4',
  machine: 'text?',
  from_state: 'text?',
  event: 'text?',
  to_state: 'text?',
  at: 'timestamptz',
  actor: 'text?',
  detail: 'json?',
  /** Not constant in a batch. */
  request_id: 'uuid?',
  trace_id: 'uuid?',
  actor_client: 'uuid?',
  actor_account: 'uuid?',
  moved: 'int2?',
}, {
  constant: [
    ...['workspace', 'machine', 'from_state', 'event', 'to_state', 'at', 'actor', 'detail'],
    ...['trace_id', 'actor_account'],
  ],
});
type StoredStepRow = RowOf<typeof storedStepTable>;

/** Moves by number, from 1, as `machine from event to`; the same as in the database, for ever. */
export const SHORT_MOVES: readonly string[] = [
  'invoice  create open',
  'invoice open pay processing',
  'invoice processing payment_succeeded success',
  'invoice processing payment_failed failed',
  'invoice  commit success',
  'invoice  give_back success',
  'invoice  give_back processing',
  'escrow  create OPEN',
  'escrow OPEN payment_succeeded ESCROWED',
  'escrow OPEN payment_failed ESCROW-FAILED',
  'escrow ESCROWED commit COMMITTED',
  'escrow ESCROWED cancel CANCELLED',
  'escrow ESCROWED release ESCROWED',
  'escrow ESCROWED return ESCROWED',
  'escrow ESCROWED reschedule ESCROWED',
  'escrow ESCROWED deliver ESCROWED',
  'escrow ESCROWED near ESCROWED',
  'escrow ESCROWED release_on_date ESCROWED',
  'escrow ESCROWED release_on_date COMMITTED',
  'escrow ESCROWED return_on_date CANCELLED',
  'escrow ESCROWED warn ESCROWED',
  'escrow ESCROWED expire CANCELLED',
  'escrow ESCROWED expire COMMITTED',
];

const numbers = new Map(SHORT_MOVES.map((move, at) => [move, at + 1]));

/** From here on a number is that of two moves. */
const TWO = 256;

interface Actor {
  readonly actor: string | null;
  readonly actor_client: string | null;
  readonly actor_account: string | null;
}

const actors = new Map<string, Actor>();
const MOST_ACTORS = 1_000;

function actorFrom(actor: string): Actor {
  const [kind, client = '', account, ...more] = actor.split(':');
  const isKnown = kind === (account === undefined ? 'client' : 'user') && more.length === 0;
  if (!isKnown || !isUuid(client) || (account !== undefined && !isUuid(account))) {
    return { actor, actor_client: null, actor_account: null };
  }
  return { actor: null, actor_client: client, actor_account: account ?? null };
}

/** An actor by its ids, or as it is. */
function shortActor(name: string): Actor {
  let actor = actors.get(name);
  if (actor === undefined) {
    if (actors.size >= MOST_ACTORS) actors.clear();
    actors.set(name, (actor = actorFrom(name)));
  }
  return actor;
}

/** Whether a step and the one after it differ in nothing but their moves. */
function areOne(step: StepRow, next: StepRow): boolean {
  return (
    step.resource_id === next.resource_id &&
    step.version + 1 === next.version &&
    step.workspace === next.workspace &&
    step.at === next.at &&
    step.actor === next.actor &&
    step.request_id === next.request_id &&
    step.trace_id === next.trace_id &&
    step.detail === null
  );
}

/** The rows of steps, in their order. */
function storedSteps(steps: readonly StepRow[]): StoredStepRow[] {
  const rows: StoredStepRow[] = [];
  let before: StepRow | null = null;
  let moved = 0;
  for (const step of steps) {
    const { machine, from_state: from, event, to_state: to } = step;
    const number = numbers.get(`${machine} ${from} ${event} ${to}`) ?? 0;
    if (number === 0) {
      rows.push({ ...step, actor_client: null, actor_account: null, moved: null });
      before = null;
      continue;
    }
    const isSecond: boolean = before !== null && areOne(before, step);
    if (isSecond) rows.pop();
    moved = isSecond ? moved * TWO + number : number;
    const names = { machine: null, from_state: null, event: null, to_state: null };
    rows.push({ ...step, ...names, ...shortActor(step.actor), moved });
    before = isSecond ? null : step;
  }
  return rows;
}

/** Where the rows of a table are stored, and how: as they are, but for steps. */
export function storedAs(
  table: Table,
  rows: readonly WorkspaceRow[],
): readonly [Table, readonly WorkspaceRow[]] {
  if (table !== (stepTable as unknown as Table)) return [table, rows];
  return [storedStepTable as unknown as Table, storedSteps(rows as readonly StepRow[])];
}
