// Estimates what a threshold costs a tenant: strangers put together from its persons, and its
// persons stated again with mistakes, are looked up as applications are, some in each round of the
// worker. Only how many had which score is kept. [G-53]
import type { Queryable } from '../../../db/index.ts';
import { defineRefusals, notYet, refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { ERASED, openSealer } from '../account/index.ts';
import { loadPopulation } from './counts.ts';
import type { Features } from './features.ts';
import { findMatches } from './look-up.ts';
import { wholeName, lanesOf, type Value } from './population.ts';
import { PERSONS_OF_ONE, statedAgain, strangerOf, type Chance } from './recombine.ts';
import { openStatements, type StoreParts } from './store.ts';
import { binsOf, figuresAt, type Scored, type ThresholdFigures } from './threshold-figures.ts';

/** With fewer persons a tenant has no figures of its own. */
export const LEAST_PERSONS = 1_000;
/** Strangers that are looked up, and as many of those stored. */
export const LOOK_UPS = 2_000;
/** Of each in one round, which takes 0.1 s among 1,200 persons. */
const AT_ONCE = 20;
/** Persons opened for one round. */
const OPENED = 60;
const KEY_BYTES = 8;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export const refusals = defineRefusals({
  MATCH_TOO_FEW_PERSONS: notYet(409, 'operator', 'G-53',
    'The tenant has too few persons for figures of its own: it needs 1,000. ' +
      'Until then the figures of invented populations are shown.'),
});

/** An estimate from a tenant's own persons. */
export interface MatchEstimate {
  readonly asked: Instant;
  /** Null while it is under way. */
  readonly ended: Instant | null;
  /** How many the tenant had. */
  readonly persons: number;
  /** How many strangers were looked up so far. */
  readonly strangers: number;
  readonly again: number;
  /** The figures of a threshold in ten-thousandths. */
  at(threshold: number): ThresholdFigures;
}

interface Row extends Scored {
  readonly workspace: number;
  readonly asked: Instant;
  readonly ended: Instant | null;
  readonly persons: bigint;
}

const COLUMNS = 'workspace, asked, ended, persons, strangers, again, strangers_at, again_at';

type Parts = Pick<StoreParts, 'db' | 'keys'>;

/** How many persons a tenant has. */
export async function personsOf({ db, keys }: Parts, workspace: number): Promise<number> {
  return (await loadPopulation(db, keys, workspace, [])).size;
}

/** Has the figures of a tenant estimated anew. Refuses where it has too few persons. */
export async function askEstimate(parts: Parts, workspace: number): Promise<void> {
  if ((await personsOf(parts, workspace)) < LEAST_PERSONS) {
    throw refuse(refusals.MATCH_TOO_FEW_PERSONS);
  }
  await parts.db.execute({
    text: `insert into match_estimate as e (workspace, asked) values ($1, $now)
      on conflict (workspace) do update set asked = excluded.asked, ended = null,
        leased_until = null, persons = 0, strangers = 0, again = 0,
        strangers_at = excluded.strangers_at, again_at = excluded.again_at
      where e.ended is not null`,
    values: [workspace],
  });
}

/** The latest estimate of a tenant; null: none was asked for. */
export async function estimateOf(db: Queryable, workspace: number): Promise<MatchEstimate | null> {
  const [row] = await db.query<Row>({
    name: 'match_estimate_of',
    text: `select ${COLUMNS} from match_estimate where workspace = $1`,
    values: [workspace],
  });
  if (row === undefined) return null;
  const { asked, ended, persons, strangers, again } = row;
  const at = (threshold: number): ThresholdFigures => figuresAt(threshold, row);
  return { asked, ended, persons: Number(persons), strangers, again, at };
}

/**
 * Does a part of an estimate that was asked for, of this workspace if one is given; false where
 * there is none. Safe in several processes: what is lost with one is looked up again.
 */
export async function continueEstimate(
  parts: StoreParts,
  chance: Chance,
  only: number | null = null,
): Promise<boolean> {
  const [row] = await parts.db.query<Row>({
    name: 'match_estimate_due',
    text: `update match_estimate set leased_until = $now + interval '1 minute'
      where workspace = (select workspace from match_estimate
        where ended is null and (leased_until is null or leased_until < $now)
          and workspace = coalesce($1, workspace)
        order by asked limit 1 for update skip locked)
      returning ${COLUMNS}`,
    values: [only],
  });
  if (row === undefined) return false;
  const persons = await openSome(parts, row.workspace);
  const isEnough = persons.length >= PERSONS_OF_ONE;
  const looked = isEnough ? await lookUp(parts, row.workspace, persons, chance) : null;
  await keep(parts, row, looked);
  return true;
}

/** Somebody stored, with what they stated last. */
export interface Opened {
  readonly account: string;
  readonly features: Features;
}

// The hashes are spread evenly, so the next one after a random number is of a random person.
const SOME = `
  select p.id, p.sealed, a.wrapped_key from (
    select distinct m.id from unnest($2::bigint[]) as start (key)
    cross join lateral (select id from match_key
      where workspace = $1 and key >= start.key order by key, id limit 1) m
  ) drawn
  join match_person p on p.workspace = $1 and p.id = drawn.id
  join account_person a on a.workspace = $1 and a.id = drawn.id
  where a.wrapped_key <> '${ERASED}'`;

/** Some persons drawn at random. */
export async function openSome(parts: StoreParts, workspace: number): Promise<Opened[]> {
  const starts = parts.random.bytes(OPENED * KEY_BYTES);
  const keys = Array.from({ length: OPENED }, (_, at) => starts.readBigInt64LE(at * KEY_BYTES));
  const rows = await parts.db.query<{ id: string; sealed: Buffer; wrapped_key: string }>({
    name: 'match_persons_drawn',
    text: SOME,
    values: [workspace, keys.map(String)],
  });
  const opened = await Promise.all(
    rows.map(async (row) => {
      const sealer = await openSealer(parts, workspace, row.id, row);
      const features = openStatements(sealer, row.id, row.sealed).at(-1)?.features;
      return features === undefined ? [] : [{ account: row.id, features }];
    }),
  );
  return opened.flat();
}

interface Looked {
  readonly persons: number;
  readonly strangers: readonly number[];
  readonly again: readonly number[];
}

/** The best scores of strangers, and the scores of some persons with themselves. */
async function lookUp(
  parts: StoreParts,
  workspace: number,
  opened: readonly Opened[],
  chance: Chance,
): Promise<Looked> {
  const persons = opened.map(({ features }) => features);
  const values = persons.flatMap((one): Value[] => [
    ['name', wholeName(one)],
    ...lanesOf(one).map((lane): Value => ['lane', lane]),
  ]);
  const population = await loadPopulation(parts.db, parts.keys, workspace, values);
  const whose = { workspace, account: NOBODY };
  const [strangers, again]: [number[], number[]] = [[], []];
  for (const { account, features } of opened.slice(0, AT_ONCE)) {
    const stranger = strangerOf(persons, population, chance);
    const [best] = await findMatches(parts, whose, stranger);
    strangers.push(best?.score ?? 0);
    const stated = statedAgain(features, persons, population, chance);
    const found = await findMatches(parts, whose, stated);
    again.push(found.find((one) => one.account === account)?.score ?? 0);
  }
  return { persons: population.size, strangers, again };
}

/** Adds what was looked up; null: there are too few persons left, and the estimate ends. */
async function keep(
  { db }: StoreParts,
  { workspace, asked, ...row }: Row,
  looked: Looked | null,
): Promise<void> {
  const { persons, strangers, again } = looked ?? { persons: 0, strangers: [], again: [] };
  const sum = (one: readonly number[], scores: readonly number[]): number[] =>
    binsOf(scores).map((count, at) => count + (one[at] ?? 0));
  const isOver = looked === null || row.strangers + strangers.length >= LOOK_UPS;
  await db.execute({
    name: 'match_estimate_keep',
    text: `update match_estimate set persons = $3, strangers = $4, again = $5,
        strangers_at = $6::int[], again_at = $7::int[], leased_until = null,
        ended = case when $8 then $now end
      where workspace = $1 and asked = $2`,
    values: [
      ...[workspace, asked, persons, row.strangers + strangers.length, row.again + again.length],
      ...[sum(row.strangers_at, strangers), sum(row.again_at, again), isOver],
    ],
  });
}

/** Of the latest 1,000 applications, how many had a match from each threshold on. */
export async function latestMatches(
  db: Queryable,
  workspace: number,
): Promise<{ readonly applications: number; from(threshold: number): number }> {
  const rows = await db.query<{ best: number }>({
    name: 'match_latest',
    text: `select coalesce((select max(score) from match_check c
        where c.workspace = $1 and c.application_id = a.id), 0) as best
      from (select id from kyc_application where workspace = $1 and sealed is not null
        order by id desc limit 1000) a`,
    values: [workspace],
  });
  const from = (threshold: number): number => rows.filter(({ best }) => best >= threshold).length;
  return { applications: rows.length, from };
}
