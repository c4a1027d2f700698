// The blocking keys under which a person is looked up. Each combines at least two fields that few
// people share, so that no single field can be read off, and there are enough of them that one
// wrong or missing field loses nobody. Only keyed hashes of these texts are stored. [G-53]
import type { Features } from './features.ts';
import { leadingForm } from './names-data.ts';
import { soundOf } from './similarity.ts';

/** A part of a blocking key; with an empty part there is no key. */
type Part = string | undefined;

/** Shorter words are articles and the like. */
const WORD = 3;

function firstWord(words: string): string {
  return words.split(' ').find((word) => word.length >= WORD) ?? '';
}

/** How names sound: each part, and the whole, which some write as one word. */
function soundsOf(words: readonly string[]): string[] {
  const ends = [words[0] ?? '', words.at(-1) ?? '', words.join('')];
  return [...new Set(ends.map(soundOf))].filter(Boolean);
}

/** The texts of all blocking keys that a person's features allow, each once. */
export function blockingKeysOf(features: Features): string[] {
  const { birth, tax, phone, house } = features;
  const given = soundOf(leadingForm(features.given.split(' ')[0] ?? ''));
  const surnames = soundsOf(features.surname.split(' '));
  // Given name and surname may be swapped.
  const names = [...new Set([given, ...surnames])].filter(Boolean);
  const pairs = given === '' ? [] : surnames.map((surname) => [given, surname].sort().join(' '));
  const area = features.zip || features.city.replaceAll(' ', '');
  const lane = soundOf(firstWord(features.street));
  const all: readonly (readonly Part[])[] = [
    ['birth tax', birth, tax],
    ['birth phone', birth, phone],
    ['birth area', birth, area],
    ['birth lane', birth, lane],
    ['tax area', tax, area],
    ['tax lane', tax, lane],
    ...pairs.flatMap((pair) => [
      ['names year', pair, birth.slice(0, 4)],
      // Day and month, or two digits, may be swapped.
      ['names digits', pair, [...birth].sort().join('')],
      ['names lane', pair, lane, house],
    ]),
    ...names.flatMap((name) => [
      ['birth name', birth, name],
      ['tax name', tax, name],
      ['phone name', phone, name],
      ['name address', name, area, lane],
      ['name house', name, area, house],
    ]),
  ];
  const whole = all.filter((parts) => parts.every((part) => part !== '' && part));
  return [...new Set(whole.map((parts) => parts.join('|')))];
}
