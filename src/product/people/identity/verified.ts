// What the identity vendor has read from a document, against what the person stated: the same rules
// for every vendor, so that none of them accepts somebody else. Pure; only results leave it. [G-52]
import type { VerifiedPerson } from '../../../providers/identity/port.ts';
import { normalName, type Applicant } from './applicant.ts';

type Stated = Pick<Applicant, 'first' | 'middle' | 'last' | 'date_of_birth' | 'ssn_last4'>;

/** Results as of our own rules: 0 the same, 1 the vendor does not tell, 2 it differs. */
export function comparedWith(stated: Stated, read: VerifiedPerson): string[] {
  const same = (ours: string, theirs: string): number => {
    if (theirs === '') return 1;
    return ours === theirs ? 0 : 2;
  };
  const birth = same(stated.date_of_birth, read.date_of_birth);
  const results = [`verified_name:${nameDigit(stated, read)}`, `verified_birth_date:${birth}`];
  if (stated.ssn_last4 === '') return results;
  return [...results, `verified_tax_number:${same(stated.ssn_last4, read.ssn_last4)}`];
}

/**
 * A document may have more given names than were stated, in any order; it lacks none of the stated
 * ones, and has no other last name. A middle name may be on one side alone.
 */
function nameDigit({ first, middle, last }: Stated, read: VerifiedPerson): number {
  const words = (...names: readonly string[]): string[] =>
    normalName(names.join(' ')).split(' ').filter(Boolean);
  const [given, family] = [words(read.first), words(read.last)];
  if (given.length === 0 || family.length === 0) return 1;
  const all = new Set(words(first, middle, last));
  const stated = [words(first), words(last)] as const;
  if (stated[0].length === 0 || stated[1].length === 0) return 1;
  const there = stated.flat().every((word) => given.includes(word) || family.includes(word));
  const ours = family.every((word) => all.has(word));
  // Somebody of the same last name is not the person: a given name must agree as such.
  const named = given.some((word) => stated[0].includes(word) || words(middle).includes(word));
  return there && ours && named ? 0 : 2;
}
