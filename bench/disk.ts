// Measures how long the disk takes to flush a page: without it, database figures cannot be
// compared.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FLUSHES = 200;

/** Median milliseconds to write 8 kB and flush it, in a new folder under `parent`. */
export function flushMilliseconds(parent: string): number {
  const folder = mkdtempSync(join(parent, 'holdfast-flush-'));
  const file = openSync(join(folder, 'pages'), 'w');
  try {
    const page = Buffer.alloc(8192, 1);
    const times: number[] = [];
    for (let i = 0; i < FLUSHES; i += 1) {
      const start = performance.now();
      writeSync(file, page, 0, page.length, (i % 100) * page.length);
      fdatasyncSync(file);
      times.push(performance.now() - start);
    }
    return times.toSorted((a, b) => a - b)[FLUSHES / 2] ?? 0;
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
