// The case of a person: masked, or shown once for a logged reason; with documents, matches, rules,
// history, the account's money, and the decision forms.
import {
  caseOf,
  check,
  claimOf,
  DECISIONS,
  documentsSeen,
  historyOf,
  hitsSeen,
  matchesSeen,
  openCase,
  openNotes,
  openStated,
  proposalOf,
  type CaseRow,
  type MatchSeen,
  type OpenedNote,
  type ViewTokens,
} from '../../product/people/review/index.ts';
import { explainMatches, type Explained } from '../../product/people/matching/index.ts';
import type { Applicant } from '../../product/people/identity/case.ts';
import { accountId, uuidOfWireId, wireId } from '../../core/ids.ts';
import { postForm } from '../frame.ts';
import { html, type Html } from '../../markup/html.ts';
import { accountLink, badge, card, definitions, moment } from '../blocks.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from '../routes.ts';
import { actPages } from './acts.ts';
import { hitsTable } from './hits.ts';
import { matchesCard, statedCard } from './compare.ts';
import { moneyCards } from './money.ts';
import {
  decisionForm,
  documentsCard,
  historyCard,
  namesOf,
  noteField,
  notesCard,
  revealForm,
  revealReason,
  proposalCard,
  reviewerOf,
  rulesCard,
  type Names,
} from './parts.ts';
import { PERSON_REASONS } from './words.ts';

/** Registers the pages of a case. */
export function casePages(app: ConsoleApp): void {
  const at = '/reviews/:id';
  get(app, at, 'review', async (request) => casePage(request, await named(request), null));
  post(app, `${at}/open`, 'review', open);
  post(app, `${at}/check`, 'review', checkOne);
  actPages(app, at, async (request) => {
    const { workspace, account } = await named(request);
    return { workspace, subject: 'person', id: account };
  });
}

/** The case in the path. */
async function named({ services, session, params }: PageRequest): Promise<CaseRow> {
  const id = uuidOfWireId('kyc', params['id'] ?? '');
  const found = id === null ? null : await caseOf(services.db, reviewerOf(session), id);
  if (found === null) throw new NotThere();
  return found;
}

function pathOf({ application }: CaseRow): string {
  return `/reviews/${wireId('kyc', application)}`;
}

/** What is shown unmasked, this once. */
interface Opened {
  readonly tokens: ViewTokens;
  readonly notes: readonly OpenedNote[];
  /** Those named in the log; matches found since are left out. */
  readonly matches: readonly MatchSeen[];
}

async function casePage(request: PageRequest, found: CaseRow, opened: Opened | null) {
  const { services, session } = request;
  const { db } = services;
  const reviewer = reviewerOf(session);
  const { workspace, account, version } = found;
  const [stated, matches, listed, steps, proposal, holder, hits] = await Promise.all([
    openStated(services, found),
    opened?.matches ?? matchesSeen(services, reviewer, found),
    documentsSeen(db, found),
    historyOf(db, workspace, account),
    proposalOf(services, workspace, account, version),
    claimOf(db, workspace, account),
    hitsSeen(db, reviewer, found.application),
  ]);
  const explained = await explainedOf(request, found, stated, matches);
  const actors = [
    ...steps.map(({ actor }) => actor),
    ...(opened?.notes ?? []).map(({ operator }) => `operator:${operator}`),
    ...[proposal?.operator, holder].map((id) => `operator:${id ?? ''}`),
  ];
  const names = await namesOf(services, actors);
  const labels = listed.map(({ id, role, mime }) => ({ id, label: role, mime }));
  const path = pathOf(found);
  const seenCards = html`${statedCard(stated, opened !== null)}
${documentsCard(path, labels, opened?.tokens ?? null)}
${opened === null ? card('Show data', revealForm(session, `${path}/open`)) : null}
${opened !== null && notesCard(opened.notes, names)}`;
  const body = html`${aboutCard(request, found, holder, names)}
<div class="pair"><div>${seenCards}${
    matchesCard(stated, matches, explained, opened !== null)}
${hits.length > 0 && card('Watch-list hits', hitsTable(hits))}</div>
<div>${proposal !== null && proposalCard(
    ...([session, `${path}/second`, version, proposal, names, PERSON_REASONS] as const),
  )}${actsCard(request, found)}${rulesCard(found.rules)}
${await moneyCards(db, workspace, account)}${historyCard(steps, names)}</div></div>`;
  return { title: 'Review of a person', active: '/reviews', body };
}

/** Why each match is one; without those whose data was erased. */
async function explainedOf(
  { services }: PageRequest,
  { workspace }: CaseRow,
  stated: Applicant | null,
  matches: readonly MatchSeen[],
): Promise<Map<MatchSeen, Explained>> {
  const pairs = matches.flatMap((match): [MatchSeen, Applicant][] =>
    match.stated === null ? [] : [[match, match.stated]]);
  if (stated === null || pairs.length === 0) return new Map();
  const all = await explainMatches(services, workspace, stated, pairs.map(([, other]) => other));
  return new Map(pairs.map(([match], at) => [match, all[at] as Explained]));
}

function aboutCard(
  { session }: PageRequest,
  found: CaseRow,
  holder: string | null,
  names: Names,
): Html {
  const { tenant, account, application, state, application_state, created, due, reasons } = found;
  const { document_expires } = found;
  const mine = holder === session.operatorId;
  const told = reasons.map((code) => html`<div>${PERSON_REASONS[code] ?? code}</div>`);
  const form = postForm(
    session,
    `${pathOf(found)}/${mine ? 'return' : 'take'}`,
    html`<button class="quiet">${mine ? 'Release the case' : 'Take the case'}</button>`,
  );
  return card(
    'Case',
    html`${definitions([
      ['Tenant', tenant],
      ['Account', accountLink(accountId(account))],
      ['Application', html`<code>${wireId('kyc', application)}</code>`],
      ['State of the account', badge(state)],
      ['State of this application', found.latest ? badge(application_state) : 'not the latest'],
      ['Started by', found.initiator],
      ['Submitted', moment(created)],
      ['Vendor reference', found.vendor_reference],
      ...(state === 'ACCEPT' ? [] : [['Expires', moment(due)] as const]),
      ...(document_expires === null ? [] : [['Document valid until', document_expires] as const]),
      ['Reasons given', reasons.length === 0 ? 'none' : told],
      ['Assigned to', holder === null ? 'nobody' : names(`operator:${holder}`)],
    ])}${(holder === null || mine) && form}`,
  );
}

const EXPIRY_FIELD = html`<p class="field"><label for="document-expires">The document is valid until
 (when you accept; optional)</label>
<input id="document-expires" type="date" name="document_expires"></p>`;

/** What can be decided now. */
function actsCard({ session }: PageRequest, found: CaseRow): Html | null {
  const path = pathOf(found);
  if (!found.latest) return null;
  if (found.state === 'MANUAL_REVIEW') {
    const form = decisionForm(
      ...([session, `${path}/decide`, found.version, DECISIONS, PERSON_REASONS] as const),
      EXPIRY_FIELD,
    );
    return card('Decide', form);
  }
  if (found.state !== 'ACCEPT') return null;
  const form = postForm(
    session,
    `${path}/check`,
    html`<p>The person must submit everything again and is not verified until then.</p>
${noteField('check-note')}<p><button>Start a new check</button></p>`,
  );
  return card('Verify again', form);
}

async function open(request: PageRequest) {
  const { services, session, form } = request;
  const found = await named(request);
  const { workspace, account, version } = found;
  const reviewer = reviewerOf(session);
  const matches = await matchesSeen(services, reviewer, found);
  const documents = (await documentsSeen(services.db, found)).map(({ id }) => id);
  const others = matches.map((match) => match.account);
  const tokens = await openCase(services, reviewer, {
    ...{ workspace, account, subjectId: account, version, others, documents },
    reason: revealReason(form),
    note: form['note'] ?? '',
  });
  const notes = await openNotes(services, workspace, account);
  return casePage(request, found, { tokens, notes, matches });
}

async function checkOne(request: PageRequest) {
  const { services, session, form } = request;
  const found = await named(request);
  const { workspace, account } = found;
  await check(services, reviewerOf(session), workspace, account, form['note'] ?? '');
  return backTo(pathOf(found), 'A new check was started.');
}
