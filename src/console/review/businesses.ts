// The case of a business: its people and their checks, documents, and the decision forms. The
// business's name is masked like a person's.
import { addressOf, openBusiness, type Business } from '../../product/people/business/case.ts';
import {
  agentsOfEntity,
  entityById,
  entityRecordOf,
  listedAlike,
  type EntityRow,
} from '../../product/people/business/index.ts';
import {
  historyOf,
  hitsSeen,
  openCase,
  openNotes,
  proposalOf,
  workspaceOfBusiness,
  type OpenedNote,
  type ViewTokens,
} from '../../product/people/review/index.ts';
import { accountId, uuidOfWireId, wireId } from '../../core/ids.ts';
import { postForm } from '../frame.ts';
import { html, type Html } from '../../markup/html.ts';
import { accountLink, badge, card, definitions, moment, table } from '../blocks.ts';
import { get, NotThere, post, type ConsoleApp, type PageRequest } from '../routes.ts';
import { actPages } from './acts.ts';
import { alikeTable, hitsTable } from './hits.ts';
import { documentsOf, judgedCard, judgeAll, type EntityRecord } from './judged.ts';
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
} from './parts.ts';
import { BUSINESS_REASONS, ofPeople } from './words.ts';

const DECISIONS = ['accept', 'deny', 'ask'] as const;

/** Registers the pages of a business. */
export function businessPages(app: ConsoleApp): void {
  const at = '/businesses/:id';
  get(app, at, 'review', async (request) => businessPage(request, await named(request), null));
  post(app, `${at}/open`, 'review', open);
  post(app, `${at}/judge`, 'review', async (request) => {
    const entity = await named(request);
    return judgeAll(request, entity, pathOf(entity));
  });
  actPages(app, at, async (request) => {
    const { workspace, id } = await named(request);
    return { workspace, subject: 'business', id };
  });
}

async function named({ services: { db }, session, params }: PageRequest): Promise<EntityRow> {
  const id = uuidOfWireId('ent', params['id'] ?? '');
  const workspace = id === null ? null : await workspaceOfBusiness(db, reviewerOf(session), id);
  const entity = workspace === null ? null : await entityById(db, workspace, id);
  if (entity === null) throw new NotThere();
  return entity;
}

function pathOf({ id }: EntityRow): string {
  return `/businesses/${wireId('ent', id)}`;
}

interface Opened {
  readonly tokens: ViewTokens;
  readonly notes: readonly OpenedNote[];
}

function initials(name: string): string {
  return name.split(/\s+/).filter(Boolean).map((word) => `${[...word][0] ?? ''}.`).join(' ');
}

async function businessPage(request: PageRequest, entity: EntityRow, opened: Opened | null) {
  const { services, session } = request;
  const { db } = services;
  const { workspace, id, account_id, version } = entity;
  const [record, agents, stated, steps, proposal, alike, hits] = await Promise.all([
    entityRecordOf(services, entity),
    agentsOfEntity(db, entity),
    openBusiness(services, entity),
    historyOf(db, workspace, id),
    proposalOf(services, workspace, id, version),
    listedAlike(services, entity),
    hitsSeen(db, reviewerOf(session), id),
  ]);
  const shown = (text: string): string => (opened === null ? initials(text) : text);
  const actors = steps.map(({ actor }) => actor);
  const others = [proposal?.operator, ...(opened?.notes ?? []).map(({ operator }) => operator)];
  const names = await namesOf(services, [...actors, ...others.map((one) => `operator:${one}`)]);
  const path = pathOf(entity);
  // For the primary contact the record names the business's account, not the person's own.
  const persons = new Map(agents.map(({ id: agent, person_id }) => [
    wireId('agt', agent),
    accountId(person_id),
  ]));
  const people = table({
    caption: 'People behind the business',
    head: ['Name', 'Roles', 'Status', 'Identity', 'Account'],
    rows: record.agents.map((agent) => [
      shown(agent.agent_name) || html`<span class="faint">not given</span>`,
      `${agent.roles.join(', ').replaceAll('_', ' ')}${owns(agent.ownership)}`,
      badge(agent.status),
      badge(agent.kyc_status),
      accountLink(persons.get(agent.entity_agent_id)),
    ]),
    empty: 'No people named yet.',
  });
  const labels = documentIds(record).map(({ id: document, name, mime }) => ({
    id: document,
    label: opened === null || name === '' ? 'document' : name,
    mime,
  }));
  const address = await addressOf(entity, stated);
  const body = html`${aboutCard(request, entity, stated, address, opened !== null)}
<div class="pair"><div>${card('People behind the business', people)}
${card('Watch-lists, by the name of the business', alikeTable(alike))}
${hits.length > 0 && card('Watch-list hits', hitsTable(hits))}
${documentsCard(path, labels, opened?.tokens ?? null)}
${judgedCard(session, entity, record, `${path}/judge`)}
${opened === null && card('Show data', revealForm(session, `${path}/open`))}
${opened !== null && notesCard(opened.notes, names)}</div>
<div>${proposal !== null && proposalCard(
    ...([session, `${path}/second`, version, proposal, names, BUSINESS_REASONS] as const),
  )}${entity.state === 'PROCESSING' && card(
    'Decide',
    decisionForm(
      ...([session, `${path}/decide`, version, DECISIONS, BUSINESS_REASONS] as const),
    ),
  )}${entity.state === 'ACCEPT' && endCard(request, entity)}
${rulesCard((JSON.parse(entity.rules) as string[]).map(ofPeople))}
${await moneyCards(db, workspace, account_id)}${historyCard(steps, names)}</div></div>`;
  return { title: 'Review of a business', active: '/businesses', body };
}

/** What an owner owns, after the roles. */
function owns(ownership: string): string {
  return ownership === '' ? '' : `, ${ownership.replace('-', ' to ')} %`;
}

/** The form that ends an accepted business: its account is no longer accepted. */
function endCard({ session }: PageRequest, entity: EntityRow): Html {
  const form = postForm(
    session,
    `${pathOf(entity)}/decide`,
    html`<p>This stops all payouts to its account and cannot be undone.</p>
<input type="hidden" name="version" value="${entity.version}">
<input type="hidden" name="decision" value="cancel">
${noteField('end-note')}<p><button class="danger">Close the business</button></p>`,
  );
  return card('Close the business', form);
}

interface Handed {
  readonly id: string;
  readonly name: string;
  readonly mime: string;
}

/** Documents of the business and of its people, each once. */
function documentIds(record: EntityRecord): Handed[] {
  const handed = documentsOf(record).flatMap((one) => {
    const id = uuidOfWireId('doc', one.pii_document_id);
    const { pii_document_name: name, mime_type: mime } = one;
    return id === null ? [] : [[id, { id, name, mime }] as const];
  });
  return [...new Map(handed).values()];
}

function aboutCard(
  { session }: PageRequest,
  entity: EntityRow,
  stated: Business,
  address: string,
  opened: boolean,
): Html {
  const { id, account_id, entity_type, country, state, reasons, created, due } = entity;
  const told = (JSON.parse(reasons) as string[]).map(
    (code) => html`<div>${BUSINESS_REASONS[code] ?? code}</div>`,
  );
  const hidden = (text: string): string => (opened ? text : text === '' ? '' : '•••');
  const american = [
    ['Type', entity_type.replaceAll('_', ' ')],
    ['Tax number', hidden(stated.tax_id)],
    ['Industries', stated.naics_numbers],
    ['D-U-N-S', hidden(stated.duns_numbers)],
  ] as const;
  const registered = [
    ['Legal form', stated.legal_form],
    ['Registration number', hidden(stated.registration_number)],
    ['Register', stated.register],
    ['VAT number', hidden(stated.vat_number)],
    ['Address', hidden(address)],
  ] as const;
  const rows = definitions([
    ['Name', opened ? stated.entity_name : initials(stated.entity_name)],
    ['Business', html`<code>${wireId('ent', id)}</code>`],
    ['Account', accountLink(accountId(account_id))],
    ['Country', country],
    // A German company has no line for what only the US has, nor the other way round.
    ...[...registered, ...american].filter(([, text]) => text !== ''),
    ['E-mail', hidden(stated.user_email)],
    ['Status', badge(state)],
    ['Started', moment(created)],
    ['Expires', moment(due)],
    ['Reasons given', told.length === 0 ? 'none' : told],
  ]);
  const take_ = postForm(
    session,
    `${pathOf(entity)}/take`,
    html`<button class="quiet">Take the case</button>`,
  );
  return card('Case', html`${rows}${state === 'PROCESSING' && take_}`);
}

async function open(request: PageRequest) {
  const { services, session, form } = request;
  const entity = await named(request);
  const { workspace, id, account_id: account, version } = entity;
  const record = await entityRecordOf(services, entity);
  const agents = await agentsOfEntity(services.db, entity);
  const others = agents.map(({ person_id }) => person_id);
  const tokens = await openCase(services, reviewerOf(session), {
    ...{ workspace, account, subjectId: id, version, others },
    documents: documentIds(record).map((one) => one.id),
    reason: revealReason(form),
    note: form['note'] ?? '',
  });
  const notes = await openNotes(services, workspace, account, id);
  return businessPage(request, entity, { tokens, notes });
}
