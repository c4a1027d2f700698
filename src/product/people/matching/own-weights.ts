// Weights of a tenant's own persons: estimated from pairs among those stored, shown, and used once
// an operator chose so. Kept are shares and numbers; pairs live in the process that estimates, and
// nowhere else. [G-53]
import type { Database, Queryable } from '../../../db/index.ts';
import { defineRefusals, notYet, refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import { openSome, personsOf, type Opened } from './estimate.ts';
import { likest, openCandidates } from './look-up.ts';
import { USUAL } from './population.ts';
import type { StoreParts } from './store.ts';
import { mayBeRelated, ownWeights, pairsIn, type Pair, type Sample } from './weigh.ts';
import { SHIPPED } from './weights-data.ts';
import { bitsOf, type Weights } from './weights.ts';

/**
 * With fewer persons there are no own weights: as 20 of 1,000 who apply are stored already, these
 * have some 100 pairs of one person.
 */
export const LEAST_FOR_WEIGHTS = 5_000;
/** Persons looked up at most; 4,300 of 5,100 took 26 s and 60 MB on a busy core. */
const LOOKED_UP = 5_000;
/** Draws of some persons: where they have the fewest, each is drawn twice. */
const DRAWS = 170;

export const refusals = defineRefusals({
  MATCH_TOO_FEW_FOR_WEIGHTS: notYet(409, 'operator', 'G-53',
    'The tenant has too few persons for weights of its own: it needs 5,000. ' +
      'Until then those shipped are used.'),
  MATCH_WEIGHTS_NOT_ESTIMATED: notYet(409, 'operator', 'G-53',
    "The tenant's own weights were not estimated then. " +
      'Look at the latest estimate, and choose it by its time.'),
});

/** The latest estimate of a tenant's own weights. */
export interface OwnWeights {
  readonly estimated: Instant;
  /** How many persons were looked up. */
  readonly persons: number;
  /** Pairs that something but chance explains, and those that are rather of one person. */
  readonly pairs: number;
  readonly pairsOfOne: number;
  readonly weights: Weights;
  /** What look-ups use: these, those of an earlier estimate, or those shipped. */
  readonly used: 'own' | 'earlier' | 'shipped';
}

/** Estimates a tenant's own weights from its persons. Refuses where it has too few. */
export async function estimateWeights(parts: StoreParts, workspace: number): Promise<void> {
  if ((await personsOf(parts, workspace)) < LEAST_FOR_WEIGHTS) {
    throw refuse(refusals.MATCH_TOO_FEW_FOR_WEIGHTS);
  }
  const samples: Sample[] = [];
  const looked = new Set<string>();
  for (let draw = 0; draw < DRAWS && looked.size < LOOKED_UP; draw += 1) {
    for (const one of await openSome(parts, workspace)) {
      if (looked.has(one.account)) continue;
      looked.add(one.account);
      const sample = await sampleOf(parts, workspace, one, looked);
      if (sample.pairs.length > 0) samples.push(sample);
    }
  }
  const own = ownWeights(samples);
  const { pairs, ofOne } = pairsIn(samples, own);
  const { stored: _, ...shares } = own;
  await parts.db.execute({
    text: `insert into match_weights (workspace, estimated, persons, pairs, pairs_of_one, shares)
      values ($1, $now, $2, $3, $4, $5)
      on conflict (workspace) do update set estimated = excluded.estimated,
        persons = excluded.persons, pairs = excluded.pairs, pairs_of_one = excluded.pairs_of_one,
        shares = excluded.shares`,
    values: [workspace, looked.size, pairs, ofOne, JSON.stringify(shares)],
  });
}

/** Looks one of those stored up as if they applied; each pair is met once. */
async function sampleOf(
  parts: StoreParts,
  workspace: number,
  { account, features: one }: Opened,
  looked: ReadonlySet<string>,
): Promise<Sample> {
  const { opened, population } = await openCandidates(parts, { workspace, account }, one);
  const shipped = { ...population, weights: SHIPPED };
  const pairs = opened.flatMap(({ account: theirs, statements }): Pair[] => {
    const { application } = likest(theirs, statements, one, shipped);
    const other = statements.find((each) => each.application === application)?.features;
    if (other === undefined || looked.has(theirs)) return [];
    return mayBeRelated(one, other, shipped) ? [{ one, other, weight: 1 }] : [];
  });
  return { pairs, population: shipped };
}

/** The latest estimate for a tenant; null: there is none, and those shipped are used. */
export async function ownWeightsOf(db: Queryable, workspace: number): Promise<OwnWeights | null> {
  type Row = Omit<OwnWeights, 'weights'> & { readonly shares: string };
  const [row] = await db.query<Row>({
    name: 'match_weights_of',
    text: `select estimated, persons, pairs, pairs_of_one as "pairsOfOne", shares,
        case when used is null then 'shipped' when used = shares then 'own' else 'earlier' end
          as used
      from match_weights where workspace = $1`,
    values: [workspace],
  });
  if (row === undefined) return null;
  const { shares, ...rest } = row;
  return { ...rest, weights: { ...SHIPPED, ...(JSON.parse(shares) as Partial<Weights>) } };
}

/**
 * Has look-ups use the estimate of that time from now on, or what is shipped (null), as an act of
 * `actor`. Refuses another estimate than the latest: nobody may have looked at that one.
 */
export async function chooseWeights(
  db: Database,
  workspace: number,
  actor: string,
  estimated: Instant | null,
): Promise<void> {
  const weights = estimated === null ? 'shipped' : 'own';
  await db.transaction(async (tx) => {
    const [row] = await tx.query<Record<string, string | number>>({
      text: `update match_weights w set used = case when w.estimated = $2 then w.shares end
        from match_weights b where w.workspace = $1 and b.workspace = w.workspace
          and w.estimated = coalesce($2, w.estimated)
        returning case when b.used is null then 'shipped' else 'own' end as weights_before,
          w.estimated::text, w.persons, w.pairs, w.pairs_of_one`,
      values: [workspace, estimated],
    });
    if (row === undefined) throw refuse(refusals.MATCH_WEIGHTS_NOT_ESTIMATED);
    await audit(tx, {
      ...{ workspace, actor, act: 'match_weights_chosen', detail: { weights, ...row } },
    });
  });
}

/** A share as it is shipped and estimated. */
export interface ComparedShare {
  readonly group: string;
  readonly name: string;
  readonly shipped: number;
  readonly own: number;
  /** What it is worth in both, in bits, where the value is as usual; null: not told. */
  readonly bits: readonly [shipped: number, own: number] | null;
}

const FIELDS = ['surname', 'forename', 'birth', 'tax', 'phone'] as const;
const KIN = ['householdSurname', 'householdGiven', 'householdPhone', 'twinGiven'] as const;

/** Everything that is estimated, beside what is shipped. */
export function comparedShares({ weights }: OwnWeights): ComparedShare[] {
  return [...FIELDS, ...KIN].flatMap((group) => {
    const field = FIELDS.find((one) => one === group);
    const usual = field === undefined ? 1 : USUAL.share(field, '');
    const own = new Map(Object.entries(weights[group]));
    return Object.entries(SHIPPED[group]).map(([name, shipped]): ComparedShare => {
      const share = own.get(name) ?? shipped;
      const worth = (of: number): number => bitsOf(name === 'same' ? of / usual : of);
      const isWorth = field !== undefined && (name === 'same' || name === 'differs');
      const bits = isWorth ? ([worth(shipped), worth(share)] as const) : null;
      return { group, name, shipped, own: share, bits };
    });
  });
}
