// A source of ids and bytes that gives the same ones in every run.
import { createHash } from 'node:crypto';
import { uuidSource, type Random } from '../../src/core/random.ts';

const STORY_START_MS = Date.UTC(2026, 0, 1);

/**
 * The same ids and bytes for the same seed; never for secrets. Its clock
 * starts on 2026-01-01 and advances one millisecond per id.
 */
export function seededRandom(seed: string | number): Random {
  let block = 0;
  let left = Buffer.alloc(0);
  const bytes = (n: number): Buffer => {
    const parts: Buffer[] = [];
    let missing = n;
    while (missing > 0) {
      if (left.length === 0) {
        left = createHash('sha256').update(`${seed}:${block}`).digest();
        block += 1;
      }
      const part = left.subarray(0, missing);
      left = left.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  };
  let ms = STORY_START_MS;
  let ids = 0;
  const fill = (pool: Buffer): void => {
    // Pools have their own numbering, so that drawing a secret does not change later ids.
    for (let at = 0; at < pool.length; at += 32) {
      createHash('sha256').update(`${seed}:id:${ids}`).digest().copy(pool, at);
      ids += 1;
    }
  };
  return { bytes, uuid: uuidSource(() => (ms += 1), fill) };
}
