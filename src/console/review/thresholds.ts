// From which score on matches are listed, and send an application to a person: what each threshold
// costs among the tenant's own persons, and the choice, which a supervisor makes.
import { hasRight, rolesThat } from '../../product/access/operator/index.ts';
import {
  askEstimate,
  estimateOf,
  latestMatches,
  LEAST_PERSONS,
  LOOK_UPS,
  ownWeightsOf,
  personsOf,
  THRESHOLDS,
  USUAL_FIGURES,
  type MatchEstimate,
  type OwnWeights,
  type Rate,
} from '../../product/people/matching/index.ts';
import {
  chooseMatchThresholds,
  matchThresholds,
  type MatchThresholds,
} from '../../product/tenant/settings/index.ts';
import { inputRefusals } from '../../core/input-refusals.ts';
import { refuse } from '../../core/refusal.ts';
import { html, type Html, type Shown } from '../../markup/html.ts';
import { card, definitions, empty, moment, table } from '../blocks.ts';
import { choice, postForm } from '../frame.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from '../routes.ts';
import { grouped } from './evidence.ts';

const AT = '/matching';
const [title, active] = ['Matches', '/reviews'];
const NEVER = 'never';

/** Registers the page of thresholds. */
export function thresholdPages(app: ConsoleApp): void {
  get(app, AT, 'review', show);
  post(app, AT, 'confirm', choose);
  post(app, `${AT}/estimate`, 'review', async (request) => {
    await askEstimate(request.services, tenantOf(request).workspace);
    return backTo(AT, 'The figures are being estimated. It takes some minutes.');
  });
}

function tenantOf({ tenant }: PageRequest) {
  if (tenant === null) throw new NotThere();
  return tenant;
}

/** A score in ten-thousandths as people write it. */
function scoreText(score: number): string {
  return String(score / 10_000);
}

/** The usual thresholds with those that were chosen. */
function scoresWith(...chosen: readonly (number | null)[]): number[] {
  const all = [...THRESHOLDS, ...chosen].filter((score) => score !== null && score > 0);
  return [...new Set(all as number[])].sort((one, other) => one - other);
}

async function show(request: PageRequest) {
  const { services, session, tenant } = request;
  if (tenant === null) return { title, active, body: empty('There is no tenant yet.') };
  const { workspace } = tenant;
  const { db, policies } = services;
  const [chosen, persons, estimate, latest, own] = await Promise.all([
    matchThresholds(db, workspace),
    personsOf(services, workspace),
    estimateOf(db, workspace),
    latestMatches(db, workspace),
    ownWeightsOf(db, workspace),
  ]);
  const otherwise = policies.reviewMatches ? 'each that is listed' : NEVER;
  const again = postForm(session, `${AT}/estimate`, html`<p><button class="quiet">${
    estimate === null ? 'Estimate from our own persons' : 'Estimate anew'}</button></p>`);
  const mayAsk = persons >= LEAST_PERSONS && (estimate === null || estimate.ended !== null);
  const body = html`${card('What is chosen', nowList(chosen, otherwise, own))}
${card('What a threshold costs', html`${sourceText(estimate, persons)}${
    costTable(scoresWith(chosen.listed, chosen.review), estimate, latest)}${MEANS}${
    mayAsk && again}`)}
${card('Choose', hasRight(session, 'confirm')
    ? chooseForm(request, chosen, otherwise)
    : html`<p>This needs the role ${rolesThat('confirm')}.</p>`)}`;
  return { title, active, body };
}

const MEANS = html`<p class="hint">False alarms: of 1,000 strangers who apply, those who have a
match from this score on. Relatives are not among them; twins, and a parent and a child of one name,
may match too. Missed: of 1,000 who are stored already and apply again, those who have no such match
with themselves. Yours: of your latest applications, as they were made, those that had such a
match.</p>`;

function costTable(
  scores: readonly number[],
  estimate: MatchEstimate | null,
  { applications, from }: Awaited<ReturnType<typeof latestMatches>>,
): Html {
  return table({
    caption: 'What a threshold costs',
    head: [
      'From',
      { number: 'False of 1,000' },
      { number: 'Missed of 1,000' },
      { number: 'Yours' },
    ],
    rows: scores.map((score) => [
      scoreText(score),
      ...costOf(score, estimate),
      applications === 0 ? '–' : inTwo(grouped(from(score)), `of ${grouped(applications)}`),
    ]),
    empty: '',
  });
}

function nowList(
  { listed, review }: MatchThresholds,
  otherwise: string,
  own: OwnWeights | null,
): Html {
  const reviewed = review === 0 ? NEVER : `from ${scoreText(review ?? 0)}`;
  return definitions([
    ['A match is listed', `from ${scoreText(listed ?? THRESHOLDS[0])}`],
    ['A match sends an application to a person',
      review === null ? `${otherwise}, as the installation says` : reviewed],
    ['Weights of the fields', weightsText(own)],
  ]);
}

/** By whose mistakes two are weighed; a command estimates and changes it. */
function weightsText(own: OwnWeights | null): Shown {
  if (own === null) return 'those shipped with Holdfast';
  const when = html`estimated ${moment(own.estimated)} from ${grouped(own.pairs)} pairs`;
  if (own.used === 'shipped') {
    return html`those shipped with Holdfast; your own, ${when}, are not used`;
  }
  if (own.used === 'own') return html`of your own persons, ${when}`;
  return html`of your own persons, estimated earlier; those ${when} are not used`;
}

/** Two lines, so that the table fits a phone. */
function inTwo(first: Shown, second: Shown): Html {
  return html`${first}<div class="faint">${second}</div>`;
}

function rateText({ seen, least, most }: Rate): Html {
  return inTwo(seen.toFixed(1), `${least.toFixed(1)} to ${most.toFixed(1)}`);
}

/** False alarms and misses of a threshold: the tenant's own, or those of invented people. */
function costOf(score: number, estimate: MatchEstimate | null): [Shown, Shown] {
  if (estimate !== null && estimate.strangers > 0) {
    const { alarms, missed } = estimate.at(score);
    return [rateText(alarms), rateText(missed)];
  }
  const usual = USUAL_FIGURES.find(({ from }) => from === score);
  if (usual === undefined) return ['–', '–'];
  const { alarms, missed: { tax, noTax } } = usual;
  return [alarms.join(' to '), inTwo(tax.join(' to '), noTax.join(' to '))];
}

/** Whose figures they are. */
function sourceText(estimate: MatchEstimate | null, persons: number): Html {
  if (estimate !== null && estimate.ended !== null) {
    return html`<p>Estimated ${moment(estimate.ended)} from your own ${grouped(estimate.persons)}
persons: ${grouped(estimate.strangers)} strangers put together from fields of different persons, and
${grouped(estimate.again)} persons stated again with the usual mistakes. Below each figure
stands its confidence interval of 95&nbsp;%.</p>`;
  }
  const why = persons < LEAST_PERSONS
    ? `You have ${grouped(persons)}; figures of your own take ${grouped(LEAST_PERSONS)}.`
    : 'Yours were not estimated yet.';
  return html`${estimate !== null && html`<p>Being estimated from your own persons:
${grouped(estimate.strangers)} of ${grouped(LOOK_UPS)} look-ups are done. Reload the page to see
more.</p>`}${(estimate === null || estimate.strangers === 0) && html`<p>
<strong>These figures are not of your persons</strong>, but of invented ones: of six countries the
least and the most, with 10,000 stored in one city. Missed are the more, below, where nobody states
digits of a tax number. ${why}</p>`}`;
}

function chooseForm(
  { session }: PageRequest,
  { listed, review }: MatchThresholds,
  otherwise: string,
): Html {
  const scores = (chosen: number | null) =>
    scoresWith(chosen).map((score) => [String(score), `from ${scoreText(score)}`] as const);
  const reviews = [
    ['', `${otherwise}, as the installation says`],
    ['0', NEVER],
    ...scores(review),
  ] as const;
  return postForm(session, AT, html`${choice('A match is listed', 'listed', scores(listed), {
    chosen: String(listed ?? THRESHOLDS[0]),
  })}
${choice('A match sends an application to a person', 'review', reviews, {
    chosen: review === null ? '' : String(review),
  })}
<p>It holds for applications from now on, and your name is logged. A match is a hint: nobody is
denied because of one.</p>
<p><button>Choose</button></p>`);
}

/** A score of the form; null where it was left to the installation. */
function scoreOf(text: string | undefined, name: string): number | null {
  if (text === '') return null;
  if (text !== undefined && /^\d{1,5}$/.test(text)) return Number(text);
  throw refuse(inputRefusals.INVALID_FIELD, { [name]: 'must be one of the listed values' });
}

async function choose(request: PageRequest) {
  const { services, session, form } = request;
  const { workspace } = tenantOf(request);
  const listed = scoreOf(form['listed'], 'listed');
  const review = scoreOf(form['review'], 'review');
  const actor = `operator:${session.operatorId}`;
  await chooseMatchThresholds(services.db, workspace, actor, { listed, review });
  return backTo(AT, 'Chosen. It holds for applications from now on.');
}
