// Which test files run which places of the sources: each runs once as it is, watched by the engine
// of JavaScript. A change in a place that a file never runs is nothing that the file could notice.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measured, Scratch } from './scratch.ts';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** One test file, and what it runs. */
export interface Covered extends Measured {
  /** True where the process, or one that it started, ran what stands at the offset. */
  covers(file: string, at: number): boolean;
}

/** Runs a test file on the untouched copy, and looks what it runs. */
export async function cover(scratch: Scratch, file: string): Promise<Covered> {
  const folder = mkdtempSync(join(scratch.folder, '.coverage-'));
  const measured = await scratch.measured(file, { NODE_V8_COVERAGE: folder });
  const runs = readdirSync(folder).map((name) => scriptsIn(join(folder, name), scratch.folder));
  rmSync(folder, { recursive: true });
  const covers = (source: string, at: number): boolean =>
    runs.some((scripts) => ranAt(scripts.get(source) ?? [], at));
  return { ...measured, covers };
}

function scriptsIn(path: string, root: string): Map<string, Range[]> {
  const { result } = JSON.parse(readFileSync(path, 'utf8')) as { result: readonly Script[] };
  const own = result.filter(
    ({ url }) => url.startsWith('file://') && !url.includes('/node_modules/'),
  );
  return new Map(
    own.map(({ url, functions }) => [
      relative(root, fileURLToPath(url)),
      functions.flatMap(({ ranges }) => [...ranges]),
    ]),
  );
}

/** The narrowest range around a place says how often it ran. */
function ranAt(ranges: readonly Range[], at: number): boolean {
  let found: Range | null = null;
  for (const range of ranges) {
    if (range.startOffset > at || range.endOffset <= at) continue;
    const width = range.endOffset - range.startOffset;
    if (found === null || width <= found.endOffset - found.startOffset) found = range;
  }
  return found !== null && found.count > 0;
}
