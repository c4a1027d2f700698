// Arithmetic on minor units: caps, fees, splitting, conversion to the wire. All in bigint; only
// where a docstring says so is anything rounded.

/** Largest amount of a line item, recipient or fee, in minor units. [G-30] */
export const LINE_CAP = 99_999_999_999n;
/** Largest total, in minor units: 2^53 - 1, the last integer every JSON reader keeps. [G-30] */
export const TOTAL_CAP = 9_007_199_254_740_991n;

const FRACTION = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;
const FRACTION_DIGITS = 6;
const MILLION = 1_000_000n;

/** True for a plain decimal from 0 to 1 with at most 6 digits after the point, such as `0.029`. */
export function isFraction(text: string): boolean {
  return text.length <= FRACTION_DIGITS + 2 && FRACTION.test(text);
}

/**
 * The fee for `amount` minor units at `fraction` (0.029 is 2.9 %), in minor units, rounded half up:
 * 0.5 of a minor unit becomes 1. Exact; between 0 and `amount`. A negative amount or a fraction
 * that `isFraction` refuses is a fault.
 */
export function feeOf(amount: bigint, fraction: string): bigint {
  if (amount < 0n) throw new Error('a fee was asked for a negative amount');
  if (!isFraction(fraction)) throw new Error('a fee fraction is not a decimal from 0 to 1');
  const digits = fraction.slice(2).padEnd(FRACTION_DIGITS, '0');
  const millionths = BigInt(fraction[0] + digits);
  return (amount * millionths * 2n + MILLION) / (2n * MILLION);
}

/**
 * `amount` times `part` over `whole`, in minor units, rounded half up: exact, and between 0 and
 * `amount` where `part` is between 0 and `whole`. Of a `whole` that is 0 it is 0.
 */
export function proportionOf(amount: number, part: number, whole: number): number {
  if (amount === 0 || whole === 0) return 0;
  const [a, b, c] = [BigInt(amount), BigInt(part), BigInt(whole)];
  return Number((a * b * 2n + c) / (2n * c));
}

/**
 * Splits `total` in proportion to `weights` by largest remainder: each share is rounded down, and
 * the units left over go one each to the largest remainders, ties to the earlier weight. The parts
 * sum to `total`. A negative total or weight, or zero weights for a non-zero total, is a fault.
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  let sum = 0n;
  for (const weight of weights) {
    if (weight < 0n) throw new Error('a weight is negative');
    sum += weight;
  }
  if (total < 0n) throw new Error('a total to split is negative');
  if (sum === 0n) {
    if (total > 0n) throw new Error('there is money to split and nobody to get it');
    return weights.map(() => 0n);
  }
  const parts = weights.map((weight) => (total * weight) / sum);
  let left = total - parts.reduce((a, b) => a + b, 0n);
  if (left === 0n) return parts;
  const remainders = weights.map((weight, at) => ({ at, rest: (total * weight) % sum }));
  remainders.sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1));
  for (const { at } of remainders) {
    if (left === 0n) break;
    parts[at] = (parts[at] as bigint) + 1n;
    left -= 1n;
  }
  return parts;
}

/** The amount as a JSON number; a fault beyond +-(2^53 - 1), where digits would be lost. */
export function toWire(amount: bigint): number {
  if (amount > TOTAL_CAP || amount < -TOTAL_CAP) {
    throw new Error('an amount is too large for the wire');
  }
  return Number(amount);
}
