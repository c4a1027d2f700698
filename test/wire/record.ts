// The record of the walk as files, one for each chapter: read, written anew when asked, compared.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'recorded');
const HEAD = /^(?:==|--) (.*)$/;
/** Lines around a difference. */
const AROUND = 3;
/** Lines of a difference that are shown. */
const SHOWN_MAX = 12;

/** A chapter's steps as one text. */
function textOf(steps: readonly string[]): string {
  return `${steps.join('\n\n')}\n`;
}

/** The chapters that are kept, by name. */
export function kept(): Map<string, string> {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .toSorted();
  const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
  return new Map(files.map((name) => [name.slice(0, -4), read(name)]));
}

/** Keeps these chapters and no others. */
export function keep(chapters: ReadonlyMap<string, readonly string[]>): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, steps] of chapters) writeFileSync(join(FOLDER, `${name}.txt`), textOf(steps));
}

/** The first difference between what is kept and what was walked now, for people; null: none. */
export function difference(
  before: ReadonlyMap<string, string>,
  chapters: ReadonlyMap<string, readonly string[]>,
): string | null {
  for (const name of [...chapters.keys(), ...before.keys()]) {
    const found = differing(before.get(name) ?? '', textOf(chapters.get(name) ?? []));
    if (found !== null) return `${name}: ${found}`;
  }
  return null;
}

/** Where two texts go on alike again, counted from where they differ first. */
function again(was: readonly string[], is: readonly string[]): readonly [number, number] {
  for (let sum = 1; sum <= 2 * SHOWN_MAX; sum += 1) {
    for (let at = 0; at <= sum; at += 1) {
      const line = was[at];
      const constant =
        line !== undefined && line === is[sum - at] && was[at + 1] === is[sum - at + 1];
      if (constant) return [at, sum - at];
    }
  }
  return [SHOWN_MAX, SHOWN_MAX];
}

/** The first lines in which two texts differ, under the step that they belong to. */
export function differing(before: string, now: string): string | null {
  if (before === now) return null;
  const [was, is] = [before.split('\n'), now.split('\n')];
  const from = is.findIndex((line, at) => line !== was[at]);
  const first = from < 0 ? is.length : from;
  const step = is.slice(0, first + 1).findLast((line) => HEAD.test(line)) ?? 'the beginning';
  const context = is.slice(Math.max(0, first - AROUND), first).map((line) => `  ${line}`);
  const [gone, come] = [was.slice(first), is.slice(first)];
  const [less, more] = again(gone, come);
  const lines = (all: readonly string[], count: number, mark: string): string[] =>
    all.slice(0, Math.min(count, SHOWN_MAX)).map((line) => mark + line);
  return [step, ...context, ...lines(gone, less, '- '), ...lines(come, more, '+ ')].join('\n');
}

/** Each operation in the record with the statuses that it answered. */
export function answered(chapters: ReadonlyMap<string, string>): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const line of [...chapters.values()].join('\n').split('\n')) {
    const [id = '', status] = (HEAD.exec(line)?.[1] ?? '').split(' ');
    if (status === undefined) continue;
    found.set(id, (found.get(id) ?? new Set()).add(Number(status)));
  }
  return found;
}
