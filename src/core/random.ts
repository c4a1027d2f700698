// The source of every random byte and fresh id, replaceable by a seeded one for tests. Of the
// core's files only this one may read a clock or the system's randomness.
import { randomBytes, randomFillSync } from 'node:crypto';

/** Where ids and secrets come from. */
export interface Random {
  /** A fresh UUIDv7, greater (as text) than every one this source gave before. [G-82] */
  uuid(): string;
  /** `n` random bytes fit for secrets, except from a seeded source. */
  bytes(n: number): Buffer;
}

const POOL_BYTES = 8192;
const BYTES_PER_ID = 8;
const COUNTER_LIMIT = 4096;
/** The counter starts below this in each millisecond, so that a burst has room above. */
const COUNTER_START_MASK = 0x3ff;
const HEX2 = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));
const HEX4_VERSION_7 = Array.from(
  { length: COUNTER_LIMIT },
  (_, n) => `7${n.toString(16).padStart(3, '0')}-`,
);

/** First 14 characters of a UUIDv7 of this millisecond. */
function timePrefix(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`;
}

/**
 * A source of UUIDv7 (RFC 9562, method 1: the 12 bits after the version are a counter that starts
 * at a random value below 1,024 each millisecond; 62 bits are random). If a burst overruns the
 * counter or the clock steps back, it continues from the last millisecond, so ids stay ordered.
 */
export function uuidSource(nowMillis: () => number, fill: (pool: Buffer) => void): () => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let next = POOL_BYTES;
  let lastMs = -1;
  let counter = 0;
  let prefix = '';
  /** Offset of the next unused bytes of the pool. */
  const take = (): number => {
    if (next === POOL_BYTES) {
      fill(pool);
      next = 0;
    }
    next += BYTES_PER_ID;
    return next - BYTES_PER_ID;
  };
  return () => {
    const now = nowMillis();
    if (now > lastMs || counter + 1 === COUNTER_LIMIT) {
      lastMs = now > lastMs ? now : lastMs + 1;
      counter = pool.readUInt16LE(take()) & COUNTER_START_MASK;
      prefix = timePrefix(lastMs);
    } else {
      counter += 1;
    }
    return prefix + HEX4_VERSION_7[counter] + tail(pool, take());
  };
}

/** The last 17 characters: the variant and 62 random bits taken at `at`. */
function tail(pool: Buffer, at: number): string {
  return (
    HEX2[((pool[at] as number) & 0x3f) | 0x80]! +
    HEX2[pool[at + 1] as number]! +
    '-' +
    HEX2[pool[at + 2] as number]! +
    HEX2[pool[at + 3] as number]! +
    HEX2[pool[at + 4] as number]! +
    HEX2[pool[at + 5] as number]! +
    HEX2[pool[at + 6] as number]! +
    HEX2[pool[at + 7] as number]!
  );
}

/** The system's randomness and clock. */
export const systemRandom: Random = {
  uuid: uuidSource(Date.now, (pool) => void randomFillSync(pool)),
  bytes: (n) => randomBytes(n),
};
