// A histogram of latencies with a relative error under 1 %, cheap enough for every request: two
// shifts and one addition.

const SUB_BITS = 7;
const SUB = 1 << SUB_BITS;
const MAX_VALUE = 0x7fffffff;
const BUCKETS = (31 - SUB_BITS + 1) * SUB;

/** Non-empty buckets as pairs of number and count, as kept in a report. */
export type Buckets = readonly (readonly [number, number])[];

function bucketOf(value: number): number {
  if (value < SUB) return value;
  const shift = 31 - Math.clz32(value) - SUB_BITS;
  return (shift + 1) * SUB + (value >>> shift) - SUB;
}

/** The highest value that falls into a bucket: a percentile is never reported too low. */
function topOf(bucket: number): number {
  if (bucket < SUB) return bucket;
  const shift = Math.floor(bucket / SUB) - 1;
  return ((bucket % SUB) + SUB + 1) * 2 ** shift - 1;
}

/** Counts of whole microseconds in buckets of equal relative width. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #total = 0;

  /** Number of recorded values. */
  get total(): number {
    return this.#total;
  }

  /** Records one value in microseconds; negative ones count as 0, huge ones as the largest. */
  record(micros: number): void {
    const value = micros <= 0 ? 0 : micros >= MAX_VALUE ? MAX_VALUE : Math.round(micros);
    const bucket = bucketOf(value);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#total += 1;
  }

  /** Adds the buckets of another histogram. */
  add(buckets: Buckets): void {
    for (const [bucket, count] of buckets) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
      this.#total += count;
    }
  }

  /** The value in microseconds at or below which `share` (0 to 1) of all values lie; 0 if empty. */
  percentile(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.#total));
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= wanted) return topOf(bucket);
    }
    return 0;
  }

  /** The non-empty buckets, for a report or another process. */
  buckets(): Buckets {
    const pairs: [number, number][] = [];
    for (const [bucket, count] of this.#counts.entries()) {
      if (count > 0) pairs.push([bucket, count]);
    }
    return pairs;
  }
}
