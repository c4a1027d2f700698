// Draws by shares: numbers from a seed, and names from a list whose rarer names are made.
import type { NameList } from './people.ts';

/** A number from 0 to below 1; the seed fixes the sequence. */
export type Rng = () => number;

/** Mulberry32: small, fast, and good enough for names. */
export function rngOf(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of a list. */
export function pick<T>(rng: Rng, list: readonly T[]): T {
  return list[Math.floor(rng() * list.length)] as T;
}

/** A whole number from 0 to below `count`. */
export function below(rng: Rng, count: number): number {
  return Math.floor(rng() * count);
}

export function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** The listed names with their shares of one; each name once. */
export function sharesOf(listed: string): Map<string, number> {
  const shares = new Map<string, number>();
  let share = 0;
  for (const word of wordsIn(listed)) {
    if (/^\d/.test(word)) share = Number(word) / 1_000;
    else if (!shares.has(word)) shares.set(word, share);
  }
  return shares;
}

/** An index of cumulative shares, by halving. */
function indexIn(sums: Float64Array, at: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Draws an index by its weight. */
export function byWeight(weights: readonly number[]): (rng: Rng) => number {
  let sum = 0;
  const sums = Float64Array.from(weights, (weight) => (sum += weight));
  return (rng) => indexIn(sums, rng() * sum);
}

/** A word of one syllable of each list, the same for the same number. */
export function made(parts: readonly (readonly string[])[], at: number): string {
  // A multiplier without a common factor scatters neighbours.
  let rest = Math.imul(at + 1, 0x9e3779b1) >>> 0;
  return parts
    .map((list) => {
      const one = list[rest % list.length] as string;
      rest = Math.floor(rest / list.length);
      return one === '-' ? '' : one;
    })
    .join('');
}

/** At least that share of people has a name that is not listed. */
const LEFT = 0.02;

/**
 * Draws names by their shares. A name of the tail has the rank's share: s / (1 + rank / k), from
 * the smallest listed s on, with that k by which all shares sum to one. Rounded shares may sum to
 * more than is left for the others; then they are scaled.
 */
export function namesOf(list: NameList): (rng: Rng) => string {
  const shares = sharesOf(list.listed);
  const names = [...shares.keys()];
  const listed = [...shares.values()].reduce((sum, share) => sum + share, 0);
  const total = Math.min(1 - LEFT, listed);
  const left = 1 - total;
  const draw = byWeight([...shares.values()]);
  const parts = list.parts.map(wordsIn);
  const least = (Math.min(...shares.values()) * total) / listed;
  const knee = kneeOf(left / least, list.rarer);
  return (rng) => {
    if (rng() < total) return names[draw(rng)] as string;
    const rank = knee * ((1 + list.rarer / knee) ** rng() - 1);
    return made(parts, Math.floor(rank));
  };
}

/** The k for which k ln(1 + count / k) is `sum`; where even equal shares are too few, `count`. */
function kneeOf(sum: number, count: number): number {
  let [low, high] = [1e-3, 1e9];
  for (let step = 0; step < 80; step += 1) {
    const middle = Math.sqrt(low * high);
    if (middle * Math.log1p(count / middle) < sum) low = middle;
    else high = middle;
  }
  return low;
}

/** Numbers of a seed and a name, so that populations of one seed differ. */
export function rngFor(seed: number, name: string): Rng {
  const sum = [...name].reduce((text, sign) => (text * 31 + sign.charCodeAt(0)) >>> 0, 7);
  return rngOf((sum + seed * 0x9e3779b1) >>> 0);
}
