// `holdfast tenant matching`: from which score on a tenant's matches are listed and reviewed, and
// what thresholds cost among its own persons. [G-53]
import type { Command } from 'commander';
import {
  askEstimate,
  continueEstimate,
  estimateOf,
  LEAST_PERSONS,
  personsOf,
  THRESHOLDS,
  USUAL_FIGURES,
  type Rate,
  type UsualFigures,
} from '../product/people/matching/index.ts';
import {
  chooseMatchThresholds,
  matchThresholds,
  reviewedFrom,
  type MatchThresholds,
} from '../product/tenant/settings/index.ts';
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
}

const NEVER = 'never';
const DEFAULT = 'default';

/** Adds the command below `tenant`. */
export function addMatching(tenant: Command, context: CommandContext): void {
  addVerb(tenant, 'matching', 'show or choose from which score on matches are listed and reviewed')
    .argument('<integrator>', "the tenant's id, as printed by tenant create")
    .option('--estimate', 'estimate what thresholds cost among its own persons; takes minutes')
    .option('--listed-from <score>', 'from 0.5 to 1, or default')
    .option('--review-from <score>', 'from 0.5 to 1, never, or default: as the installation says')
    .option('--operator <username>', 'your username at the console, to choose')
    .option('--code <code>', 'from your authenticator')
    .action(async (integrator: string, given: Arguments) => {
      const wish = {
        listed: readScore('--listed-from', given.listedFrom),
        review: readScore('--review-from', given.reviewFrom),
      };
      await withInstallation(given.env, context, true, async (installation) => {
        const workspace = await workspaceNamed(installation.db, integrator);
        if (wish.listed !== undefined || wish.review !== undefined) {
          await choose(installation, context, given, workspace, wish);
        }
        if (given.estimate === true) await estimate(installation, workspace);
        printRecord(context, await recordOf(installation, integrator, workspace), given.json);
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

async function choose(
  installation: Installation,
  context: CommandContext,
  given: Arguments,
  workspace: number,
  wish: Record<keyof MatchThresholds, number | null | undefined>,
): Promise<void> {
  const id = await provenOperator(installation, context, given, { right: 'confirm', workspace });
  const now = await matchThresholds(installation.db, workspace);
  const [listed, review] = [
    wish.listed === undefined ? now.listed : wish.listed,
    wish.review === undefined ? now.review : wish.review,
  ];
  const next = { listed, review };
  await chooseMatchThresholds(installation.db, workspace, `operator:${id}`, next).catch(plainly);
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
