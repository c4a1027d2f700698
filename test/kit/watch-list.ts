// An invented watch-list in OpenSanctions' simple CSV form, as long as wanted and the same at every
// run: names in two scripts, aliases, dates that are whole, a year or absent.
import { COMMON_GIVEN, COMMON_SURNAMES } from '../../src/product/people/matching/names-data.ts';

/** The columns of the form, some of which are not read. */
const HEADER =
  'id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,' +
  'emails,dataset,first_seen,last_seen,last_change';

const SYLLABLES = 'ba ko ri men dal tu sha vor el nim ga zor pe kul ho'.split(' ');
const CYRILLIC = 'ба ко ри мен дал ту ша вор эл ним га зор пе кул хо'.split(' ');
const COUNTRIES = ['ru', 'ir', 'kp', 'sy', 'by', 'gb', 'us', 'au'];
/** Each name has this many syllables. */
const LENGTH = 3;

/** Someone on the list, by number. */
export interface ListedPerson {
  readonly first: string;
  readonly last: string;
  readonly birth: string;
}

/** Numbers in a fixed order that looks random. */
function mixed(number: number, salt: number): number {
  let word = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d);
  return (word ^ (word >>> 13)) >>> 0;
}

function syllables(of: readonly string[], number: number, salt: number): string {
  return Array.from({ length: LENGTH }, (_, at) => {
    return of[mixed(number, salt + at) % of.length] ?? '';
  }).join('');
}

const given = [...COMMON_GIVEN];
const surnames = [...COMMON_SURNAMES];

/** Person `number`: one in four has two names that many people have. */
export function listedPerson(number: number): ListedPerson {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const [month, day] = [1 + (mixed(number, 92) % 12), 1 + (mixed(number, 93) % 28)];
  const birth = `${1935 + (mixed(number, 91) % 70)}-${pad(month)}-${pad(day)}`;
  const [one, other] = [mixed(number, 94), mixed(number, 95)];
  if (number % 4 === 0) {
    const first = given[one % given.length] ?? '';
    return { first, last: surnames[other % surnames.length] ?? '', birth };
  }
  return { first: syllables(SYLLABLES, number, 1), last: syllables(SYLLABLES, number, 11), birth };
}

function rowOf(number: number, version: number): string {
  const { first, last, birth } = listedPerson(number);
  const other = `${syllables(CYRILLIC, number, 1)} ${syllables(CYRILLIC, number, 11)}`;
  const aliases = number % 4 === 0 ? `"${last}, ${first}"` : `${other};${last} ${first}`;
  const dates = [birth, birth, birth, birth.slice(0, 4), ''];
  const fields = [
    ...[`inv-${number}`, 'Person', `${first} ${last}`, aliases, dates[number % 5] ?? ''],
    ...[COUNTRIES[number % COUNTRIES.length] ?? '', '', '', `Program ${number % 9}`, '', ''],
    ...['invented', '2020-01-01', `2026-01-0${version}`, '2020-01-01'],
  ];
  return `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\n`;
}

/** The file of a version, piece by piece. */
export async function* watchListFile(count: number, version = 1): AsyncGenerator<string> {
  yield `${HEADER}\n`;
  for (let number = 0; number < count; number += 1) yield rowOf(number, version);
}
