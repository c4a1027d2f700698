// Seeds that have failed once, which every run plays first; a history that fails is added.
import { readFileSync, writeFileSync } from 'node:fs';
import { FAULTS, type Wanted } from './draws.ts';

const PATH = new URL('./seeds.json', import.meta.url);

/** Commands on the database alone, or the whole system. */
export const KINDS = ['commands', 'system'] as const;

/**
 * One history: it can be played again by its name, such as `7/system/3`, or
 * `7/system/12?processor.reverse=late` where faults were wanted.
 */
export interface History {
  readonly seed: number;
  readonly kind: (typeof KINDS)[number];
  readonly number: number;
  /** What other histories have not met. */
  readonly wanted?: readonly Wanted[];
}

export function nameOf({ seed, kind, number, wanted = [] }: History): string {
  const asked = new URLSearchParams(wanted.map((one): [string, string] => [...one]));
  return `${seed}/${kind}/${number}${wanted.length > 0 ? `?${asked}` : ''}`;
}

/** The history of a name. Throws for what is none. */
export function historyNamed(name: string): History {
  const [, seed, kind, number, asked] = /^(\d+)\/(\w+)\/(\d+)(?:\?(.+))?$/.exec(name) ?? [];
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) throw new Error(`${name} names no history: use seed/kind/number`);
  const wanted = [...new URLSearchParams(asked)].map(([place, said]): Wanted => {
    const fault = FAULTS.find((one) => one === said);
    if (fault === undefined) throw new Error(`${said} is no fault: use ${FAULTS.join(', ')}`);
    return [place, fault];
  });
  return { seed: Number(seed), kind: known, number: Number(number), wanted };
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
