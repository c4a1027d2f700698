// `node scripts/run.mjs --dev bench/matching-em.ts` estimates by EM, on three populations, how
// often people err and what relatives have in common, and writes weights-data.ts: the same numbers
// each time. Which pairs are of one person is not told to it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { featuresOf, type Features, type Stated } from '../src/product/people/matching/features.ts';
import { evidenceOf, type Hypotheses } from '../src/product/people/matching/score.ts';
import type { Population } from '../src/product/people/matching/population.ts';
import type { Weights } from '../src/product/people/matching/weights.ts';
import { applyOf, storedOf, TRAINED } from './matching-reliability.ts';
import { KIN, Peopled, POPULATIONS, rngFor } from './peoples/index.ts';
import { known, STORED, STRANGERS } from './peoples/looks.ts';
import { Stored } from './peoples/memory.ts';
import { again, WRONGS } from './peoples/wrongs.ts';

/** Somebody who applies, beside one who is stored. */
export interface Pair {
  readonly one: Features;
  readonly other: Features;
  /** How many of those who apply the look-up stands for. */
  readonly weight: number;
  /** Numbers the look-up. */
  readonly look: number;
  /** Who applies; and whether the other is whom they were drawn from. Not used for estimates. */
  readonly kind: string;
  readonly isOwn: boolean;
}

export interface Sample {
  readonly pairs: readonly Pair[];
  /** Who apply, by weight; and how many look-ups of persons stored. */
  /** Look-ups of persons stored, and the weight of all of them. */
  readonly again: number;
  readonly weightOfAgain: number;
  readonly store: Pick<Stored, 'population'>;
}

export interface Sampled {
  readonly stored: number;
  readonly strangers: number;
  readonly each: number;
}

/** Pairs of which no explanation is likelier than this are left out: bits of odds. */
const LEAST = -6;

/** Draws a population, and who applies to it; each once with and once without tax digits. */
export function sampleOf(from: Peopled, { stored, strangers, each }: Sampled): Sample {
  const store = new Stored();
  const source = from.persons(STORED);
  for (let at = 0; at < stored; at += 1) store.add(source.next().value.stated);
  const population = store.population();
  const rng = rngFor(5, from.people.key);
  const some = known(from, stored, each);
  const pairs: Pair[] = [];
  let looks = 0;
  const look = (stated: Stated, kind: string, weight: number, own = -1): void => {
    for (const ssn_last4 of [stated.ssn_last4, '']) {
      looks += 1;
      const one = featuresOf({ ...stated, ssn_last4 });
      for (const { at, features: other } of store.candidates(one)) {
        const best = Math.max(...Object.values(evidenceOf(one, other, population).hypotheses));
        if (best < LEAST && at !== own) continue;
        pairs.push({ one, other, weight, look: looks, kind, isOwn: at === own });
      }
    }
  };
  const fresh = from.persons(STRANGERS);
  const apply = applyOf(from.people);
  const related = Object.values(apply).reduce((sum, of) => sum + of, 0);
  for (let at = 0; at < strangers; at += 1) {
    look(fresh.next().value.stated, 'stranger', (1_000 - related) / strangers);
  }
  for (const [person, at] of some) {
    for (const kind of KIN) {
      look(from.kin(rng, person, kind).stated, kind, apply[kind] / some.length, at);
    }
    for (const wrong of WRONGS) {
      const weight = apply.again / some.length / WRONGS.length;
      look(again(rng, from, person, wrong), wrong, weight, at);
    }
  }
  const counted = { again: some.length * WRONGS.length * 2, weightOfAgain: 2 * apply.again };
  return { pairs, ...counted, store };
}

const PEOPLES = POPULATIONS.filter(({ key }) => TRAINED.includes(key));

/**
 * What is believed before anything is seen, as if of `BELIEVED` persons; how often relatives apply
 * is assumed and not estimated.
 */
export const BELIEF: Weights = {
  surname: { ...{ same: 0.84, form: 0.02, close: 0.05, near: 0.01 },
    ...{ initial: 0.005, part: 0.005, left: 0.03, differs: 0.04 } },
  forename: { ...{ same: 0.76, form: 0.05, close: 0.06, near: 0.02 },
    ...{ initial: 0.03, part: 0.005, left: 0.04, differs: 0.035 } },
  birth: { same: 0.93, turned: 0.01, close: 0.03, near: 0.01, differs: 0.02 },
  tax: { same: 0.93, close: 0.03, differs: 0.04 },
  phone: { same: 0.6, close: 0.03, differs: 0.37 },
  place: { same: 0.7, differs: 0.15 },
  householdSurname: { same: 0.6, close: 0.01, part: 0.05, left: 0.03, differs: 0.31 },
  householdGiven: { same: 0.0001, close: 0.005, part: 0.1, left: 0.02, differs: 0.8749 },
  householdPhone: { same: 0.3, differs: 0.7 },
  twinGiven: { same: 0.0001, close: 0.015, part: 0.2, left: 0.03, differs: 0.7549 },
  stored: storedOf(PEOPLES),
};
const BELIEVED = 5_000;
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
function posterior(hypotheses: Hypotheses): Record<keyof Hypotheses, number> {
  const all = Object.values<number>({ ...hypotheses }).reduce((sum, bits) => sum + 2 ** bits, 1);
  const of = (kind: keyof Hypotheses): number => 2 ** hypotheses[kind] / all;
  const [one, household] = [of('one'), of('household')];
  return { one, household, twin: of('twin'), namesake: of('namesake') };
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
  readonly shares: Record<keyof Hypotheses, number>;
  /** How many look-ups it stands for. */
  readonly weight: number;
  readonly before: Record<string, number>;
}

type Met = (group: string, name: string, times: number) => void;

/** Pairs with an explanation that is likely. */
function likelyOf(
  { pairs, again: looks, weightOfAgain }: Sample,
  population: Population,
): Likely[] {
  return pairs.flatMap((pair) => {
    const { hypotheses } = evidenceOf(pair.one, pair.other, population);
    const shares = posterior(hypotheses);
    const weight = (pair.weight * looks) / weightOfAgain;
    const isLikely = Object.values(shares).some((share) => share > COUNTS);
    return isLikely ? [{ pair, shares, weight, before: seenIn(pair, population) }] : [];
  });
}

/** Changes one share of each group, and counts how often it weighs. */
function nudge(
  { store }: Sample,
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
  const population = store.population({ ...weights, ...rows });
  for (const { pair, shares, weight, before } of likely) {
    const after = seenIn(pair, population);
    for (const { group, seen, name } of changed) {
      const share = seen === 'household' || seen === 'twin' ? shares[seen] : shares.one;
      const times = ((after[seen] as number) - (before[seen] as number)) / NUDGE;
      met(group, name, weight * share * times);
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
    const likely = likelyOf(sample, sample.store.population(weights));
    for (const groups of TOGETHER) {
      const most = Math.max(...groups.map(([group]) => Object.keys(table[group] ?? {}).length));
      for (let at = 0; at < most; at += 1) nudge(sample, likely, weights, groups, at, met);
    }
  }
  return all;
}

function rounded(share: number): number {
  return Number(share.toPrecision(3));
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
  readonly rounds: number;
  /** How many persons what is believed counts as. */
  readonly believed: number;
  readonly say: (line: string) => void;
}

/** The weights by EM from what is believed. */
export function estimated(samples: readonly Sample[], { rounds, believed, say }: How): Weights {
  let weights = BELIEF;
  for (let round = 1; round <= rounds; round += 1) {
    const met = counted(samples, weights);
    const next: Table = {};
    for (const [group, belief] of Object.entries(BELIEF as unknown as Table)) {
      const seen = met[group] ?? {};
      next[group] = sharesOf(belief, seen, UNSEEN[group] ?? [], believed);
    }
    weights = next as unknown as Weights;
    say(`round ${round}: ${JSON.stringify(weights)}`);
  }
  const short = Object.entries(weights as unknown as Table).map(([group, row]) => {
    const shares = Object.entries(row).map(([name, share]) => [name, rounded(share)]);
    return [group, Object.fromEntries(shares)];
  });
  return Object.fromEntries(short) as Weights;
}

const SAMPLED: Sampled = { stored: 10_000, strangers: 500, each: 60 };
const FILE = join(import.meta.dirname, '../src/product/people/matching/weights-data.ts');

const HEAD = [
  '// How often people err and what relatives have in common, estimated on invented people.',
  '// Made by `node scripts/run.mjs --dev bench/matching-em.ts`; weights.ts says what each means.',
  "import type { Weights } from './weights.ts';",
];

function pageOf(weights: Weights): string {
  const groups = Object.entries(weights as unknown as Table).flatMap(([group, of]) => {
    const rows = Object.entries(of).map(([name, share]) => `    ${name}: ${String(share)},`);
    return [`  ${group}: {`, ...rows, '  },'];
  });
  return [...HEAD, '', 'export const SHIPPED: Weights = {', ...groups, '};', ''].join('\n');
}

if (import.meta.main) {
  const samples = PEOPLES.map((people) =>
    sampleOf(new Peopled(people, { inCity: true, tax: true }), SAMPLED),
  );
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const weights = estimated(samples, { rounds: ROUNDS, believed: BELIEVED, say });
  writeFileSync(FILE, pageOf(weights));
}
