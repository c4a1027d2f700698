// Finds whom in the workspace an application may match: candidates by shared hashes in one indexed
// query, then the likeliest are opened and compared. The cost is bounded, however many persons
// there are or share a blocking key. [G-53]
import { ERASED, openSealer } from '../account/index.ts';
import { loadPopulation } from './counts.ts';
import { isSame, type Features } from './features.ts';
import { namesOf, USUAL, valuesOf, type Population } from './population.ts';
import { matchWeightOf, REVIEW_THRESHOLD, scoreFrom } from './score.ts';
import { keysOf, openStatements, type Statement, type StoreParts, type Whose } from './store.ts';

/** Persons read for one blocking key; a key that more share says little by itself. */
const SHARING_MAX = 64;
/** Who shares one blocking key alone is opened if at most so many have it. */
const ALONE_MAX = 5;
/** Candidates opened; those that share most blocking keys first. */
const OPENED_MAX = 20;
/** What a key is worth that nobody else has; by whole numbers the order is always the same. */
const WORTH = 1_000_000;
/** Matches reported for one application. */
const TOLD_MAX = 20;

/** A match: another account's person. */
export interface Found {
  readonly account: string;
  /** The best-matching application of that person. */
  readonly application: string;
  /** 0 to 1. */
  readonly score: number;
}

interface Candidate {
  readonly id: string;
  readonly sealed: Buffer;
  readonly wrapped_key: string;
}

// Who shares a rare key is likelier than who shares one with many. A person shares at least three
// keys, whatever single field is wrong or missing.
const CANDIDATES = `
  select p.id, p.sealed, a.wrapped_key from (
    select m.id, sum(${WORTH} / m.sharing) as shared
    from unnest($2::bigint[]) as mine (key)
    cross join lateral (select id, count(*) over () as sharing from (
      select id from match_key
      where workspace = $1 and key = mine.key order by id desc limit ${SHARING_MAX}) s) m
    where m.id <> $3 group by m.id
    having count(*) > 1 or sum(${WORTH} / m.sharing) >= ${WORTH / ALONE_MAX}
    order by shared desc, m.id desc limit ${OPENED_MAX}
  ) best
  join match_person p on p.workspace = $1 and p.id = best.id
  join account_person a on a.workspace = $1 and a.id = best.id
  where a.wrapped_key <> '${ERASED}'`;

interface Opened {
  readonly account: string;
  readonly statements: readonly Statement[];
}

/** Persons to compare with, never the account's own, and the population they are weighed in. */
export async function openCandidates(
  parts: StoreParts,
  { workspace, account }: Whose,
  features: Features,
): Promise<{ readonly opened: readonly Opened[]; readonly population: Population }> {
  const candidates = await parts.db.query<Candidate>({
    name: 'match_candidates',
    text: CANDIDATES,
    values: [workspace, keysOf(parts.keys, workspace, features), account],
  });
  if (candidates.length === 0) return { opened: [], population: USUAL };
  const opened = await Promise.all(
    candidates.map(async (row) => {
      const sealer = await openSealer(parts, workspace, row.id, row);
      return { account: row.id, statements: openStatements(sealer, row.id, row.sealed) };
    }),
  );
  // Of others their names alone: whether a name that is like another is itself usual.
  const theirs = opened.flatMap(({ statements }) => statements.map((one) => one.features));
  const values = [...valuesOf(features), ...theirs.flatMap(namesOf)];
  return { opened, population: await loadPopulation(parts.db, parts.keys, workspace, values) };
}

/** Matches from the review threshold on, highest first. */
export async function findMatches(
  parts: StoreParts,
  whose: Whose,
  features: Features,
): Promise<Found[]> {
  const { opened, population } = await openCandidates(parts, whose, features);
  return opened
    .map((one) => likest(one.account, one.statements, features, population))
    .filter(({ score }) => score >= REVIEW_THRESHOLD)
    .sort((one, other) => other.score - one.score || other.weight - one.weight)
    .slice(0, TOLD_MAX);
}

interface Likeness extends Found {
  readonly weight: number;
}

/** The best match among a person's statements; the latest of equals. */
export function likest(
  account: string,
  statements: readonly Statement[],
  features: Features,
  population: Population,
): Likeness {
  const none = { account, application: '', score: 0, weight: -Infinity };
  return statements.reduce<Likeness>((best, one) => {
    const weight = matchWeightOf(features, one.features, population);
    if (weight < best.weight) return best;
    const score = scoreFrom(weight, isSame(features, one.features));
    return { account, application: one.application, score, weight };
  }, none);
}
