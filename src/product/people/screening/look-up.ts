// Finds the entries of the watch-lists that a person or an organization resembles: candidates by
// shared keys in one indexed query, then each is scored. [G-51]
import type { Queryable } from '../../../db/index.ts';
import type { CheckedPerson } from '../../../providers/identity/port.ts';
import type { Entry } from './entry.ts';
import {
  keysOfName,
  keysOfOrganization,
  keysOfYears,
  wordsOfOrganization,
  wordsOfPerson,
} from './names.ts';
import { screeningScore, SCREENING_THRESHOLD, type Screened } from './score.ts';

/** Entries read for one person; the keys of the commonest names have hundreds. */
const CANDIDATES_MAX = 5_000;
/** Hits kept for one person, the best ones. */
const HITS_MAX = 50;

/** Kinds of entries; `LegalEntity` is either. */
const PERSONS = ['Person', 'LegalEntity'];
const ORGANIZATIONS = ['Company', 'Organization', 'PublicBody', 'LegalEntity'];

/** What is compared of a person. Absent texts are ''. */
export type ScreenedPerson = Pick<
  CheckedPerson,
  'first' | 'middle' | 'last' | 'date_of_birth' | 'country' | 'document_country'
>;

/** An entry that a person resembles. */
export interface Hit {
  readonly list: string;
  readonly entry: string;
  /** The list's version that first said it so. */
  readonly list_version: number;
  /** In ten-thousandths. */
  readonly score: number;
  /** JSON of `Entry`. */
  readonly listed: string;
}

/** The hits of a person among entries of imports after `after`, best first. */
export function findHits(
  db: Queryable,
  { first, middle, last, date_of_birth: birth, country, document_country }: ScreenedPerson,
  after = 0,
): Promise<Hit[]> {
  const words = wordsOfPerson(`${first} ${middle} ${last}`);
  const year = birth === '' ? null : Number(birth.slice(0, 4));
  const keys = [...keysOfName(words), ...keysOfYears(words, year === null ? [] : [year])];
  const countries = [country, document_country].filter(Boolean).map((code) => code.toLowerCase());
  const wanted = { kinds: PERSONS, keys, after, year };
  return found(db, wanted, { names: [words], birth, countries }, wordsOfPerson);
}

/** The hits of an organization by its name among entries of imports after `after`, best first. */
export function findOrganizations(
  db: Queryable,
  name: string,
  country: string,
  after = 0,
): Promise<Hit[]> {
  const words = wordsOfOrganization(name);
  const wanted = { kinds: ORGANIZATIONS, keys: keysOfOrganization(words), after, year: null };
  const countries = country === '' ? [] : [country.toLowerCase()];
  return found(db, wanted, { names: [words], birth: '', countries }, wordsOfOrganization);
}

interface Wanted {
  readonly kinds: readonly string[];
  readonly keys: readonly string[];
  readonly after: number;
  readonly year: number | null;
}

async function found(
  db: Queryable,
  { kinds, keys, after, year }: Wanted,
  screened: Screened,
  split: (name: string) => readonly string[],
): Promise<Hit[]> {
  if (keys.length === 0) return [];
  const candidates = await db.query<Omit<Hit, 'score'>>({
    name: 'screening_candidates',
    text: `select e.list, e.entry, l.version as list_version, e.body as listed
      from screening_entry e join screening_list l on l.id = e.import
      where e.keys && $1::text[] and e.import > $2 and e.schema = any($4::text[])
        and ($3::smallint is null or e.years = '{}' or $3 = any(e.years))
      limit ${CANDIDATES_MAX}`,
    values: [keys, after, year, kinds],
  });
  return candidates
    .map((one) => ({ ...one, score: Math.round(scoreOf(screened, one.listed, split) * 10_000) }))
    .filter(({ score }) => score >= SCREENING_THRESHOLD * 10_000)
    .toSorted((a, b) => b.score - a.score || (a.entry < b.entry ? -1 : 1))
    .slice(0, HITS_MAX);
}

function scoreOf(
  screened: Screened,
  listed: string,
  split: (name: string) => readonly string[],
): number {
  const { names, births, countries } = JSON.parse(listed) as Entry;
  const words = names.map((name) => split(name));
  return screeningScore(screened, { names: words, births, countries });
}
