// Seeds that have failed once, which every run plays first; a history that fails is added.
import { readFileSync, writeFileSync } from 'node:fs';

const PATH = new URL('./seeds.json', import.meta.url);

/** Commands on the database alone, or the whole system. */
export const KINDS = ['commands', 'system'] as const;

/** One history: it can be played again by its name, such as `7/system/3`. */
export interface History {
  readonly seed: number;
  readonly kind: (typeof KINDS)[number];
  readonly number: number;
}

export function nameOf({ seed, kind, number }: History): string {
  return `${seed}/${kind}/${number}`;
}

/** The history of a name. Throws for what is none. */
export function historyNamed(name: string): History {
  const [, seed, kind, number] = /^(\d+)\/(\w+)\/(\d+)$/.exec(name) ?? [];
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) throw new Error(`${name} names no history: use seed/kind/number`);
  return { seed: Number(seed), kind: known, number: Number(number) };
}

/** Those that are kept. */
export function keptHistories(): History[] {
  return (JSON.parse(readFileSync(PATH, 'utf8')) as string[]).map(historyNamed);
}

/** Keeps one more. */
export function keep(history: History): void {
  const names = new Set([...keptHistories().map(nameOf), nameOf(history)]);
  writeFileSync(PATH, `${JSON.stringify([...names], null, 2)}\n`);
}
