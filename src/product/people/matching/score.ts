// How likely it is that two descriptions are of one person: match weights of the fields in bits,
// added up after Fellegi and Sunter, and from the sum a score from 0 to 1. The weights are fixed
// here: no tenant's data changes them. Pure. [G-53]
import type { Features } from './features.ts';
import { areForms, COMMON_GIVEN, COMMON_SURNAMES } from './names-data.ts';
import { isOneEdit, jaroWinkler } from './similarity.ts';

/** The score from which two applications are reported as a match. */
export const MATCH_THRESHOLD = 0.85;
/** The score from which an application that the vendor accepts is reviewed. */
export const REVIEW_THRESHOLD = 0.99;

/** Bits needed for a match to be as likely as not: one person among a million. */
const PRIOR = 20;
/** A household shares name, place and telephone: together they weigh no more than this. */
const HOUSEHOLD_MAX = 19;
/** Neighbours share a place: by itself it weighs no more than this. */
const PLACE_MAX = 15;
/** Many towns have a street of that name: in another town it weighs no more than this. */
const STREET_ELSEWHERE_MAX = 5;
/** The most that a birth date weighs under another given name in one family: twins share it. */
const TWINS_BIRTH = 7;

/** Bits for each degree of similarity of a field; a missing field adds none. */
interface Weights {
  readonly same: number;
  readonly close: number;
  readonly near: number;
  readonly differs: number;
}

const SURNAME: Weights = { same: 10, close: 7, near: 3, differs: -3 };
const GIVEN: Weights = { same: 8, close: 5, near: 2, differs: -3.5 };
const MIDDLE: Weights = { same: 3, close: 2, near: 0, differs: -0.5 };
const BIRTH: Weights = { same: 14, close: 8, near: 3, differs: -5 };
const TAX: Weights = { same: 13, close: 4, near: 0, differs: -4 };
const PHONE: Weights = { same: 12, close: 6, near: 0, differs: -1 };
const STREET: Weights = { same: 10, close: 7, near: 3, differs: -1.5 };
const HOUSE: Weights = { same: 5, close: 0.5, near: 0, differs: -1.5 };
const PLACE: Weights = { same: 6, close: 4, near: 2, differs: -0.5 };
const CITY: Weights = { same: 8, close: 5, near: 2, differs: -1.5 };
const ZIP: Weights = { same: 10, close: 4, near: 0, differs: -1.5 };
const REGION: Weights = { same: 1, close: 0.5, near: 0, differs: -1 };
const COUNTRY: Weights = { same: 0, close: 0, near: 0, differs: -3 };
/** How many bits less a name weighs because many have it. */
const COMMON_SURNAME = 4;
const COMMON_NAME = 3;
const CLOSE = 0.92;
const NEAR = 0.82;
/** Up to this length of both texts, one edit makes another word. */
const SHORT = 4;
/** Of two fields about one area, such as town and postcode, the weaker adds this share. */
const REPEATED = 0.35;

type Degree = keyof Weights | 'missing';

function joined(text: string): string {
  return text.replaceAll(' ', '');
}

/** Compares text: misspelt words, and one shared word of several, are close; less alike is near. */
function likeness(one: string, other: string): Degree {
  if (one === '' || other === '') return 'missing';
  const [mine, theirs] = [joined(one), joined(other)];
  if (mine === theirs) return 'same';
  const constant = jaroWinkler(mine, theirs);
  const isLong = Math.max(mine.length, theirs.length) > SHORT;
  if (constant >= CLOSE || (isLong && isOneEdit(mine, theirs))) return 'close';
  const words = other.split(' ');
  const shared = one.split(' ').some((word) => word.length > 2 && words.includes(word));
  if (shared && (words.length > 1 || one.includes(' '))) return 'close';
  return constant >= NEAR ? 'near' : 'differs';
}

/** Compares numbers: one wrong digit or two swapped neighbours are close. */
function digits(one: string, other: string): Degree {
  if (one === '' || other === '') return 'missing';
  if (one === other) return 'same';
  return isOneEdit(one, other) ? 'close' : 'differs';
}

function bits(weights: Weights, degree: Degree): number {
  return degree === 'missing' ? 0 : weights[degree];
}

function givenLikeness(one: string, other: string): Degree {
  const degree = likeness(one, other);
  return degree !== 'same' && areForms(one, other) ? 'close' : degree;
}

/** Compares birth dates: swapped day and month are close too, two equal parts of three are near. */
function births(one: string, other: string): Degree {
  const degree = digits(one, other);
  if (degree !== 'differs') return degree;
  const parts = (text: string) => [text.slice(0, 4), text.slice(4, 6), text.slice(6)] as const;
  const [year, month, day] = parts(one);
  const [theirYear, theirMonth, theirDay] = parts(other);
  if (year === theirYear && month === theirDay && day === theirMonth) return 'close';
  const same = [year === theirYear, month === theirMonth, day === theirDay].filter(Boolean).length;
  return same === 2 ? 'near' : 'differs';
}

function less(weight: number, isCommon: boolean, worth: number): number {
  return isCommon && weight > worth ? weight - worth : weight;
}

interface Names {
  readonly surname: number;
  readonly given: number;
}

/** Weights of surname and given name: as they stand, or with the other's swapped. */
function ofNames(one: Features, other: Features): Names {
  const pair = (surname: string, given: string, turned: number): Names => ({
    surname: less(
      bits(SURNAME, likeness(one.surname, surname)) - turned,
      COMMON_SURNAMES.has(one.surname) || COMMON_SURNAMES.has(surname),
      COMMON_SURNAME,
    ),
    given: less(
      bits(GIVEN, givenLikeness(one.given, given)) - turned,
      COMMON_GIVEN.has(one.given) || COMMON_GIVEN.has(given),
      COMMON_NAME,
    ),
  });
  const straight = pair(other.surname, other.given, 0);
  const turned = pair(other.given, other.surname, 1);
  return straight.surname + straight.given >= turned.surname + turned.given ? straight : turned;
}

function ofArea(one: Features, other: Features): number {
  const zip = bits(ZIP, digits(one.zip, other.zip));
  const city = bits(CITY, likeness(one.city, other.city));
  const both = zip > 0 && city > 0;
  return both ? Math.max(zip, city) + REPEATED * Math.min(zip, city) : zip + city;
}

/** Street and second line: as they stand, or with the other's swapped. */
function ofLines(one: Features, other: Features): number {
  const lines = (street: string, place: string): number =>
    bits(STREET, likeness(one.street, street)) + bits(PLACE, likeness(one.place, place));
  return Math.max(lines(other.street, other.place), lines(other.place, other.street) - 1);
}

function ofPlace(one: Features, other: Features): number {
  const area = ofArea(one, other);
  const address = ofLines(one, other) + bits(HOUSE, digits(one.house, other.house));
  const place =
    area +
    (area < 0 ? Math.min(address, STREET_ELSEWHERE_MAX) : address) +
    bits(REGION, likeness(one.region, other.region)) +
    bits(COUNTRY, digits(one.country, other.country));
  return Math.min(place, PLACE_MAX);
}

/**
 * Bits of weight that two descriptions are of one person; below 0: of two. Symmetric: nobody can
 * tell which of the two swapped names or lines, so the higher weight counts.
 */
export function matchWeightOf(one: Features, other: Features): number {
  return Math.max(matchWeightIfTurned(one, other), matchWeightIfTurned(other, one));
}

/** The weight where only the other may have swapped names or lines. */
function matchWeightIfTurned(one: Features, other: Features): number {
  const { surname, given } = ofNames(one, other);
  const phone = bits(PHONE, digits(one.phone, other.phone));
  const household = Math.min(ofPlace(one, other) + phone + surname, HOUSEHOLD_MAX);
  const birth = bits(BIRTH, births(one.birth, other.birth));
  const tax = bits(TAX, digits(one.tax, other.tax));
  const areTwins = surname > 0 && given < 0 && tax <= 0;
  const own =
    given +
    bits(MIDDLE, likeness(one.middle, other.middle)) +
    (areTwins ? Math.min(birth, TWINS_BIRTH) : birth) +
    tax;
  return household + own - PRIOR;
}

/** The highest score of a match that is not perfect. */
const NEARLY = 0.9999;

/** The score of a weight: 0 to 1 with four digits; 1 where all fields are equal. */
export function scoreFrom(weight: number, isPerfect: boolean): number {
  if (isPerfect && weight > 0) return 1;
  const odds = 2 ** weight;
  return Math.min(NEARLY, Math.round((odds / (1 + odds)) * 10_000) / 10_000);
}
