// Answers for one timeline out of all sources: in the order of the world's time, bounded, newest
// kept. Refuses to know what the sources read.
import type { Queryable } from '../../db/index.ts';
import type { Machine } from '../../kernel/machine.ts';
import { acts, records } from './acts.ts';
import { exchanges } from './exchanges.ts';
import { postings, transitions } from './lifecycle.ts';
import { nextOf, nowText, standingOf } from './now.ts';
import { kindsOf, MOST_ENTRIES, type Question } from './question.ts';
import { requests } from './requests.ts';
import type { Entry, Explanation } from './schema.ts';
import { ownersOf, partsOf, spelled, subjectOf } from './subject.ts';
import { deliveries, events, tries } from './told.ts';
import { WorldTime } from './world-time.ts';

const SOURCES = [
  ...[requests, transitions, postings, exchanges, records],
  ...[events, deliveries, tries, acts],
];

/** Of one moment: what was asked, what moved, what it moved, what was told. */
const ORDER: readonly Entry['kind'][] = [
  ...(['request', 'operator', 'transition', 'posting', 'record', 'exchange'] as const),
  ...(['event', 'delivery', 'attempt'] as const),
];

/** Of one commit, a birth follows the move that caused it. */
function placeOf(entry: Entry): number {
  if (entry.kind === 'transition') return entry.from === null ? 1_000_000 : entry.version;
  if (entry.kind === 'posting') return entry.line;
  return 'sequence' in entry ? (entry.sequence ?? Number.MAX_SAFE_INTEGER) : 0;
}

function compare(a: Entry, b: Entry): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  const kinds = ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  return kinds === 0 ? placeOf(a) - placeOf(b) : kinds;
}

/** Everything about an id; null where it names nothing in this world. */
export async function explain(
  db: Queryable,
  world: number,
  id: string,
  lifecycles: readonly Machine[],
): Promise<Explanation | null> {
  const subject = await subjectOf(db, world, id);
  if (subject === null) return null;
  const [ids, owners, time] = [
    await partsOf(db, subject),
    await ownersOf(db, subject),
    await WorldTime.read(db, world),
  ];
  const kinds = await kindsOf(db, world, ids);
  const machines = new Map(lifecycles.map((machine) => [machine.name, machine]));
  const q: Question = { db, world, subject, ids, kinds, machines, time };
  const found = await Promise.all(SOURCES.map((source) => source(q)));
  const all = found.flatMap(({ entries }) => entries).toSorted(compare);
  const timeline = all.slice(-MOST_ENTRIES);
  const standing = await standingOf(q);
  const next = await nextOf(q, standing, timeline);
  const total = found.reduce((sum, one) => sum + one.total, 0);
  return {
    id: subject.sequence === null ? spelled(subject.kind, subject.uuid).id : id,
    kind: subject.kind,
    state: standing.state,
    now: nowText(subject.kind, standing, next),
    next: [...next],
    belongs_to: [...owners],
    timeline,
    left_out: total - timeline.length,
  };
}
