// Where the people of the bench live: one city that all share, or many towns of sizes by rank, with
// postcodes, streets that lie in one of them, and numbers.
import { below, byWeight, made, pick, wordsIn, type Rng } from './draw.ts';
import type { Places } from './people.ts';

/** An address as stated. */
export interface Address {
  readonly street: string;
  readonly street2: string;
  readonly city: string;
  readonly region: string;
  readonly zip: string;
}

interface Town {
  readonly name: string;
  readonly region: string;
  readonly firstZip: number;
  readonly zips: number;
  readonly streets: number;
  /** Tells its streets from those of other towns. */
  readonly number: number;
}

/** One of sixteen regions; which town is where is fixed. */
const REGIONS = 16;
/** Of a street's name in two cases of five: one that many towns have. */
const USUAL = 0.4;
/** Households for one of the streets that a town has. */
const PEOPLE_A_STREET = 60;
/** Houses of an estate's street. */
const ESTATES_A_ZIP = 3;

function bigTown(places: Places): Town {
  const { city: name, region, zips, streets } = places;
  return { name, region, firstZip: 0, zips: zips.count, streets, number: 0 };
}

/** Towns by rank: the n-th has 1/n of the first one's people, and postcodes and streets by size. */
function townsOf(places: Places): { towns: Town[]; weights: number[] } {
  const parts = places.townParts.map(wordsIn);
  const weights = Array.from({ length: places.towns }, (_, at) => 1 / (at + 8));
  const most = weights[0] ?? 1;
  let firstZip = 0;
  const towns = weights.map((weight, number): Town => {
    const size = weight / most;
    const zips = Math.max(1, Math.round(size * 30));
    const streets = Math.max(15, Math.round((size * 200_000) / PEOPLE_A_STREET));
    const region = `r${number % REGIONS}`;
    const town = { name: made(parts, number), region, firstZip, zips, streets, number };
    firstZip += zips;
    return town;
  });
  return { towns, weights };
}

/** Draws addresses: in the city, or in the towns. */
export function addressesOf(places: Places, inCity: boolean): (rng: Rng) => Address {
  const { towns, weights } = inCity
    ? { towns: [bigTown(places)], weights: [1] }
    : townsOf(places);
  const townAt = byWeight(weights);
  const usual = wordsIn(places.usual);
  const parts = places.streetParts.map(wordsIn);
  const zipOf = (town: Town, at: number): string => {
    const { first, step } = places.zips;
    const number = inCity ? first + at * step : 10_007 + (town.firstZip + at) * 3;
    return String(number).padStart(places.zipDigits, '0');
  };
  return (rng) => {
    const town = towns[townAt(rng)] as Town;
    const isEstate = rng() < places.estates;
    const at = isEstate
      ? below(rng, town.zips * ESTATES_A_ZIP)
      : Math.floor(town.streets * rng() ** 1.3);
    const zip = at % town.zips;
    // The first streets of a town have the names that other towns' streets have too.
    const isUsual = inCity ? at < usual.length : ((at * 7 + town.number) % 100) / 100 < USUAL;
    const name = isUsual
      ? (usual[(at * 31 + town.number * 17) % usual.length] as string)
      : made(parts, at + town.number * 7_919);
    const house = isEstate
      ? 1 + ((at * 37) % places.highest)
      : 1 + Math.floor(places.highest * rng() ** 2);
    const line = places.line.replace('{n}', String(house)).replace('{s}', name);
    const hasSecond = isEstate || rng() < places.second.share;
    return {
      street: line.replaceAll('-', ' ').trim(),
      street2: hasSecond ? secondLine(rng, places, isEstate, zip) : '',
      city: town.name,
      region: town.region,
      zip: zipOf(town, zip),
    };
  };
}

function secondLine(rng: Rng, places: Places, isEstate: boolean, zip: number): string {
  const { text } = places.second;
  const unit = isEstate && !text.includes('{b}') ? `${pick(rng, ['a', 'b', 'c'])}{b} ` : '';
  return `${unit}${text}`
    .replace('{a}', String(1 + below(rng, 30)))
    .replace('{b}', String(101 + below(rng, 400)))
    .replace('{z}', made([wordsIn('san la el del los'), wordsIn(places.usual)], zip));
}
