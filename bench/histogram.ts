// A histogram of latencies with a bounded relative error (under 1 %), cheap enough to be fed for
// each request: two shifts and one addition. Answers for percentiles; knows nothing of requests.

const SUB_BITS = 7;
const SUB = 1 << SUB_BITS;
const MAX_VALUE = 0x7fffffff;
const BUCKETS = (31 - SUB_BITS + 1) * SUB;

/** Buckets that hold something, as pairs of bucket number and count; what a report keeps. */
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

  /** How many values were recorded. */
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

  /** Adds buckets that another histogram gave. */
  add(buckets: Buckets): void {
    for (const [bucket, count] of buckets) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
      this.#total += count;
    }
  }

  /** The value in microseconds below or at which `share` (0 to 1) of all values lie; 0 if empty. */
  percentile(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.#total));
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= wanted) return topOf(bucket);
    }
    return 0;
  }

  /** The buckets that hold something, for a report or another process. */
  buckets(): Buckets {
    const pairs: [number, number][] = [];
    for (const [bucket, count] of this.#counts.entries()) {
      if (count > 0) pairs.push([bucket, count]);
    }
    return pairs;
  }
}
