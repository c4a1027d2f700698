// Merges all sources into one timeline, in the order of the workspace's time; bounded, keeping the
// newest.
import type { Queryable } from '../../../db/index.ts';
import type { Machine } from '../../../core/machine.ts';
import { acts, records } from './audited.ts';
import { exchanges } from './provider-calls.ts';
import { postings, transitions } from './lifecycle.ts';
import { nextOf, nowText, standingOf } from './current-state.ts';
import { escrowStanding } from './escrow.ts';
import { kindsOf, MOST_ENTRIES, type Question } from './source.ts';
import { requests } from './requests.ts';
import type { Entry, Explanation } from './schema.ts';
import { ownersOf, partsOf, spelled, subjectOf } from './resource.ts';
import { deliveries, events, tries } from './deliveries.ts';
import { WorkspaceTime } from './workspace-time.ts';

const SOURCES = [
  ...[requests, transitions, postings, exchanges, records],
  ...[events, deliveries, tries, acts],
];

/** The order at one moment: what was requested, what moved, the money, what was announced. */
const ORDER: readonly Entry['kind'][] = [
  ...(['request', 'operator', 'transition', 'posting', 'record', 'exchange'] as const),
  ...(['event', 'delivery', 'attempt'] as const),
];

type Transition = Extract<Entry, { kind: 'transition' }>;

const commitOf = ({ at, about }: Transition): string => `${at} ${about.id}`;

/** Machines of provider calls: they move the resource that they were begun for. */
const OUTSIDE: ReadonlySet<string> = new Set(['attempt', 'transfer', 'identity_check']);

/**
 * The order within one transaction: first what a provider answered, then the younger resource,
 * which moved the older; what was created follows its cause.
 */
function between(a: Transition, b: Transition, born: ReadonlySet<string>): number {
  if (a.about.id === b.about.id) return a.version - b.version;
  const births = Number(born.has(commitOf(a))) - Number(born.has(commitOf(b)));
  const asked = Number(OUTSIDE.has(b.about.kind)) - Number(OUTSIDE.has(a.about.kind));
  return births || asked || (a.about.id > b.about.id ? -1 : 1);
}

function placeOf(entry: Entry): number {
  if (entry.kind === 'posting') return entry.line;
  return 'sequence' in entry ? (entry.sequence ?? Number.MAX_SAFE_INTEGER) : 0;
}

function ordered(entries: readonly Entry[]): readonly Entry[] {
  const births = entries.filter((one) => one.kind === 'transition' && one.from === null);
  const born = new Set(births.map((one) => commitOf(one as Transition)));
  return entries.toSorted((a, b) => {
    if (a.at !== b.at) return a.at < b.at ? -1 : 1;
    if (a.kind === 'transition' && b.kind === 'transition') return between(a, b, born);
    return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || placeOf(a) - placeOf(b);
  });
}

/** The explanation of an id; null where it is unknown in this workspace. */
export async function explain(
  db: Queryable,
  workspace: number,
  id: string,
  lifecycles: readonly Machine[],
): Promise<Explanation | null> {
  const subject = await subjectOf(db, workspace, id);
  if (subject === null) return null;
  const [ids, owners, time] = [
    await partsOf(db, subject),
    await ownersOf(db, subject),
    await WorkspaceTime.read(db, workspace),
  ];
  const kinds = await kindsOf(db, workspace, ids);
  const machines = new Map(lifecycles.map((machine) => [machine.name, machine]));
  const q: Question = { db, workspace, subject, ids, kinds, machines, time };
  const found = await Promise.all(SOURCES.map((source) => source(q)));
  const timeline = ordered(found.flatMap(({ entries }) => entries)).slice(-MOST_ENTRIES);
  const standing = await standingOf(q);
  const escrow = await escrowStanding(q);
  const next = await nextOf(q, standing, timeline, escrow);
  const total = found.reduce((sum, one) => sum + one.total, 0);
  return {
    id: subject.sequence === null ? spelled(subject.kind, subject.uuid).id : id,
    kind: subject.kind,
    state: standing.state,
    now: nowText(subject.kind, standing, next, escrow?.money),
    next: [...next],
    belongs_to: [...owners],
    timeline,
    left_out: total - timeline.length,
  };
}
