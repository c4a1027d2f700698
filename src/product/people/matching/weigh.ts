// Estimates weights by EM (expectation and maximization): weighs all that could explain each pair,
// counts by these odds what agreed, and begins again. Who is one person is not told to it. Pure;
// the weights that are shipped and those of a tenant's own persons are made by it. [G-53]
import type { Features } from './features.ts';
import type { Population } from './population.ts';
import { evidenceOf, type Hypotheses } from './score.ts';
import { SHIPPED } from './weights-data.ts';
import type { Weights } from './weights.ts';

/** Somebody who applies, beside one who is stored. */
export interface Pair {
  readonly one: Features;
  readonly other: Features;
  /** How many of those who apply it stands for. */
  readonly weight: number;
}

/** Pairs, and the population that they are weighed in. */
export interface Sample {
  readonly pairs: readonly Pair[];
  readonly population: Population;
}

/** Pairs of which no explanation is likelier than this say nothing: bits of odds. */
const LEAST = -6;

/** Whether anything but chance could explain two. */
export function mayBeRelated(one: Features, other: Features, population: Population): boolean {
  return Math.max(...Object.values(evidenceOf(one, other, population).hypotheses)) >= LEAST;
}

/**
 * Of these what is believed remains: invented people do not shorten their names, relatives of one
 * whole name are weighed apart, and those without a name in common are found under no key.
 */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  surname: ['form', 'initial', 'left'],
  forename: ['form', 'initial', 'left'],
  householdSurname: ['differs'],
  householdGiven: ['same'],
  twinGiven: ['same'],
};
const ROUNDS = 5;
/** How far a share is changed to see how often it counts: bits. */
const NUDGE = 0.125;

type Table = Record<string, Record<string, number>>;

/** How likely each explanation is. */
function posterior({ one, household, twin, namesake }: Hypotheses): Hypotheses {
  const [a, b, c, d] = [2 ** one, 2 ** household, 2 ** twin, 2 ** namesake];
  const all = 1 + a + b + c + d;
  return { one: a / all, household: b / all, twin: c / all, namesake: d / all };
}

/** An unlikely explanation counts nothing. */
const COUNTS = 0.03;

/** Groups that are changed together, as each is seen in a weight of its own. */
const TOGETHER: readonly (readonly (readonly [group: string, seen: string])[])[] = [
  [
    ...([['surname', 'surname'], ['forename', 'given'], ['birth', 'birth']] as const),
    ...([['tax', 'tax'], ['phone', 'phone']] as const),
  ],
  [['householdGiven', 'household'], ['twinGiven', 'twin']],
  [['householdSurname', 'household']],
  [['householdPhone', 'household']],
];

/** Everything that two weigh, by name. */
function seenIn({ one, other }: Pair, population: Population): Record<string, number> {
  const { fields, hypotheses } = evidenceOf(one, other, population);
  return { ...fields, ...hypotheses };
}

interface Likely {
  readonly pair: Pair;
  readonly shares: Hypotheses;
  readonly before: Record<string, number>;
}

type Met = (group: string, name: string, times: number) => void;

/** Pairs with an explanation that is likely. */
function likelyOf({ pairs, population }: Sample, weights: Weights): Likely[] {
  return pairs.flatMap((pair) => {
    const before = seenIn(pair, { ...population, weights });
    const shares = posterior(before as unknown as Hypotheses);
    const isLikely = Object.values(shares).some((share) => share > COUNTS);
    return isLikely ? [{ pair, shares, before }] : [];
  });
}

/** How many pairs the weights count, and how many of these are rather of one person. */
export function pairsIn(
  samples: readonly Sample[],
  weights: Weights,
): { readonly pairs: number; readonly ofOne: number } {
  const all = samples.flatMap((sample) => likelyOf(sample, weights));
  return { pairs: all.length, ofOne: all.filter(({ shares }) => shares.one > 0.5).length };
}

/** Changes one share of each group, and counts how often it weighs. */
function nudge(
  sample: Sample,
  likely: readonly Likely[],
  weights: Weights,
  groups: (typeof TOGETHER)[number],
  at: number,
  met: Met,
): void {
  const table = weights as unknown as Table;
  const changed = groups.flatMap(([group, seen]) => {
    const [name, share] = Object.entries(table[group] ?? {})[at] ?? [];
    if (name === undefined || share === undefined) return [];
    return [{ group, seen, name, row: { ...table[group], [name]: share * 2 ** NUDGE } }];
  });
  const rows = Object.fromEntries(changed.map(({ group, row }) => [group, row]));
  const population = { ...sample.population, weights: { ...weights, ...rows } };
  for (const { pair, shares, before } of likely) {
    const after = seenIn(pair, population);
    for (const { group, seen, name } of changed) {
      const share = seen === 'household' || seen === 'twin' ? shares[seen] : shares.one;
      const times = ((after[seen] as number) - (before[seen] as number)) / NUDGE;
      met(group, name, pair.weight * share * times);
    }
  }
}

/** One round: how often each share was met, by the explanations that are likely. */
function counted(samples: readonly Sample[], weights: Weights): Table {
  const table = weights as unknown as Table;
  const all: Table = {};
  const met: Met = (group, name, times) => {
    const row = (all[group] ??= {});
    row[name] = (row[name] ?? 0) + times;
  };
  for (const sample of samples) {
    const likely = likelyOf(sample, weights);
    for (const groups of TOGETHER) {
      const most = Math.max(...groups.map(([group]) => Object.keys(table[group] ?? {}).length));
      for (let at = 0; at < most; at += 1) nudge(sample, likely, weights, groups, at, met);
    }
  }
  return all;
}

type Row = Readonly<Record<string, number>>;

/** Shares of a group by what was met and believed, whose sum is as before. */
function sharesOf(
  belief: Row,
  met: Row,
  unseen: readonly string[],
  believed: number,
): Record<string, number> {
  const free = Object.keys(belief).filter((name) => !unseen.includes(name));
  const whole = free.reduce((sum, name) => sum + (belief[name] ?? 0), 0);
  const times = (name: string): number => Math.max(0, met[name] ?? 0);
  const all = free.reduce((sum, name) => sum + times(name), believed);
  return Object.fromEntries(Object.entries(belief).map(([name, before]) => [
    name,
    unseen.includes(name) ? before : (whole * times(name) + before * believed) / all,
  ]));
}

interface How {
  /** Where it begins; how often relatives are stored stays as here. */
  readonly belief: Weights;
  /** How many persons what is believed counts as. */
  readonly believed: number;
  readonly rounds?: number;
}

/** The weights by EM from what is believed; the same for the same pairs. */
export function estimated(
  samples: readonly Sample[],
  { belief, believed, rounds = ROUNDS }: How,
): Weights {
  let weights = belief;
  for (let round = 1; round <= rounds; round += 1) {
    const met = counted(samples, weights);
    weights = mapped(belief, (row, group) =>
      sharesOf(row, met[group] ?? {}, UNSEEN[group] ?? [], believed));
  }
  const rounded = (share: number): number => Number(share.toPrecision(3));
  return mapped(weights, (row) =>
    Object.fromEntries(Object.entries(row).map(([name, share]) => [name, rounded(share)])));
}

/**
 * What is shipped counts as so many persons beside a tenant's own: a share of 3 in 100 is then by
 * chance at most a third of a bit off, and 100 pairs of one person weigh a third.
 */
const BELIEVED = 200;

/** The weights of a tenant's own persons, beginning from those shipped. */
export function ownWeights(samples: readonly Sample[]): Weights {
  return estimated(samples, { belief: SHIPPED, believed: BELIEVED });
}

/** Weights with each group changed. */
function mapped(weights: Weights, change: (row: Row, group: string) => Row): Weights {
  const rows = Object.entries(weights as unknown as Table);
  return Object.fromEntries(rows.map(([group, row]) => [group, change(row, group)])) as never;
}
