// `holdfast tenant matching`: from which score on a tenant's matches are listed and reviewed, what
// thresholds cost among its own persons, and by which weights they are scored. [G-53]
import type { Command } from 'commander';
import {
  askEstimate,
  chooseWeights,
  comparedShares,
  continueEstimate,
  estimateOf,
  estimateWeights,
  LEAST_FOR_WEIGHTS,
  LEAST_PERSONS,
  ownWeightsOf,
  personsOf,
  THRESHOLDS,
  USUAL_FIGURES,
  type OwnWeights,
  type Rate,
  type UsualFigures,
} from '../product/people/matching/index.ts';
import {
  chooseMatchThresholds,
  matchThresholds,
  reviewedFrom,
  type MatchThresholds,
} from '../product/tenant/settings/index.ts';
import { isInstant, type Instant } from '../core/time.ts';
import type { CommandContext, Installation } from './context.ts';
import {
  addVerb,
  plainly,
  printRecord,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';
import { provenOperator, type OperatorArguments } from './proven-operator.ts';

interface Arguments extends VerbArguments, OperatorArguments {
  readonly estimate?: boolean;
  readonly listedFrom?: string;
  readonly reviewFrom?: string;
  readonly weigh?: boolean;
  readonly useWeights?: string;
}

const NEVER = 'never';
const DEFAULT = 'default';
const SHIPPED = 'shipped';

/** Adds the command below `tenant`. */
export function addMatching(tenant: Command, context: CommandContext): void {
  addVerb(tenant, 'matching', 'show or choose from which score on matches are listed and reviewed')
    .argument('<integrator>', "the tenant's id, as printed by tenant create")
    .option('--estimate', 'estimate what thresholds cost among its own persons; takes minutes')
    .option('--listed-from <score>', 'from 0.5 to 1, or default')
    .option('--review-from <score>', 'from 0.5 to 1, never, or default: as the installation says')
    .option('--weigh', 'estimate weights from its own persons, and show them beside those shipped')
    .option('--use-weights <which>', 'when its own were estimated, as shown, or shipped')
    .option('--operator <username>', 'your username at the console, to choose')
    .option('--code <code>', 'from your authenticator')
    .action(async (integrator: string, given: Arguments) => {
      const weights = readWeights(given.useWeights);
      const wish = {
        listed: readScore('--listed-from', given.listedFrom),
        review: readScore('--review-from', given.reviewFrom),
      };
      await withInstallation(given.env, context, true, async (installation) => {
        const workspace = await workspaceNamed(installation.db, integrator);
        if (wish.listed !== undefined || wish.review !== undefined) {
          await choose(installation, context, given, workspace, wish);
        }
        if (weights !== undefined) {
          const id = await proven(installation, context, given, workspace);
          await chooseWeights(installation.db, workspace, id, weights).catch(plainly);
        }
        if (given.estimate === true) await estimate(installation, workspace);
        if (given.weigh === true) await estimateWeights(installation, workspace).catch(plainly);
        const record = await recordOf(installation, integrator, workspace);
        const own = await ownWeightsOf(installation.db, workspace);
        printRecord(context, { ...record, ...weightsText(own), ...sharesText(own) }, given.json);
      });
    });
}

/** In ten-thousandths, as they are stored; undefined: not given, null: the default. */
function readScore(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === DEFAULT) return null;
  if (text === NEVER && option === '--review-from') return 0;
  if (!/^(?:0\.[5-9]\d?|1(?:\.00?)?)$/.test(text)) {
    throw new Error(`${option} takes a score from 0.5 to 1 with at most two decimals.`);
  }
  return Math.round(Number(text) * 10_000);
}

/** When the chosen weights were estimated; undefined: nothing is chosen, null: those shipped. */
function readWeights(text: string | undefined): Instant | null | undefined {
  if (text === undefined || isInstant(text)) return text;
  if (text === SHIPPED) return null;
  throw new Error('--use-weights takes the time after `estimated`, as it is shown, or shipped.');
}

/** The supervisor who chooses, as an actor. */
async function proven(
  installation: Installation,
  context: CommandContext,
  given: Arguments,
  workspace: number,
): Promise<string> {
  const needed = { right: 'confirm', workspace } as const;
  return `operator:${await provenOperator(installation, context, given, needed)}`;
}

async function choose(
  installation: Installation,
  context: CommandContext,
  given: Arguments,
  workspace: number,
  wish: Record<keyof MatchThresholds, number | null | undefined>,
): Promise<void> {
  const actor = await proven(installation, context, given, workspace);
  const now = await matchThresholds(installation.db, workspace);
  const [listed, review] = [
    wish.listed === undefined ? now.listed : wish.listed,
    wish.review === undefined ? now.review : wish.review,
  ];
  const next = { listed, review };
  await chooseMatchThresholds(installation.db, workspace, actor, next).catch(plainly);
}

async function estimate(installation: Installation, workspace: number): Promise<void> {
  await askEstimate(installation, workspace).catch(plainly);
  while ((await estimateOf(installation.db, workspace))?.ended === null) {
    await continueEstimate(installation, Math.random, workspace);
  }
}

function rateText({ seen, least, most }: Rate): string {
  return `${seen.toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`;
}

/** What is chosen, and of each threshold the false alarms and misses of 1,000. */
async function recordOf(
  { db, keys, policies }: Installation,
  integrator: string,
  workspace: number,
): Promise<Record<string, unknown>> {
  const chosen = await matchThresholds(db, workspace);
  const figures = await estimateOf(db, workspace);
  const persons = await personsOf({ db, keys }, workspace);
  const from = reviewedFrom(chosen, policies);
  const own = figures !== null && figures.strangers > 0;
  const costs = THRESHOLDS.map((score) => {
    const name = `from_${score / 10_000}`;
    const usual = USUAL_FIGURES.find((one) => one.from === score);
    if (!own) {
      const { alarms, missed: { tax, noTax } } = usual as UsualFigures;
      const missed = `${tax.join(' to ')}, without tax digits ${noTax.join(' to ')}`;
      return [name, `false ${alarms.join(' to ')}, missed ${missed}`] as const;
    }
    const { alarms, missed } = figures.at(score);
    return [name, `false ${rateText(alarms)}, missed ${rateText(missed)}`] as const;
  });
  return {
    integrator,
    persons,
    listed_from: (chosen.listed ?? THRESHOLDS[0]) / 10_000,
    review_from: from === null ? NEVER : from,
    chosen_by: chosen.review === null ? 'the installation' : 'the tenant',
    figures: own ? `of its own persons, ${figures.ended ?? 'under way'}`
      : `of invented persons; its own take ${LEAST_PERSONS}`,
    ...Object.fromEntries(costs),
  };
}

/** Which weights are used, and what an estimate of its own comes from. */
function weightsText(own: OwnWeights | null): Record<string, unknown> {
  if (own === null) {
    return { weights: SHIPPED, own_weights: `not estimated; they take ${LEAST_FOR_WEIGHTS}` };
  }
  const { used, estimated, persons, pairs, pairsOfOne } = own;
  return {
    weights: used === 'earlier' ? 'own, of an earlier estimate' : used,
    own_weights: `estimated ${estimated}: ${persons} persons looked up, ${pairs} pairs, ` +
      `${pairsOfOne} rather of one person`,
  };
}

/** Each share of 100, and what agreement and disagreement are worth in bits. */
function sharesText(own: OwnWeights | null): Record<string, unknown> {
  const rows = own === null ? [] : comparedShares(own);
  return Object.fromEntries(rows.map(({ group, name, shipped, own: share, bits }) => {
    const [before, now] = (bits ?? []).map((each) => each.toFixed(1));
    const shares = `${of100(shipped)} of 100, own ${of100(share)}`;
    const key = `${group}_${name}`.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [key, bits === null ? shares : `${shares}; worth ${before} bits, own ${now}`];
  }));
}

function of100(share: number): number {
  return Number((share * 100).toPrecision(3));
}
