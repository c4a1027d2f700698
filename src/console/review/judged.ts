// The documents of a business with their status, and the form by which an operator sets it. The
// applicant is shown the status and the reason. [G-54, G-55]
import { DOCUMENT_REASONS } from '../../product/people/business/case.ts';
import type { entityRecordOf, EntityRow } from '../../product/people/business/index.ts';
import type { OperatorSession } from '../../product/access/operator/index.ts';
import { judge } from '../../product/people/review/index.ts';
import { uuidOfWireId } from '../../core/ids.ts';
import { choice, postForm } from '../frame.ts';
import { html, type Html } from '../../markup/html.ts';
import { badge, card, table } from '../blocks.ts';
import { backTo, NotThere, type PageRequest } from '../routes.ts';
import { reviewerOf } from './parts.ts';
import { BUSINESS_REASONS } from './words.ts';

export type EntityRecord = Awaited<ReturnType<typeof entityRecordOf>>;

/** Documents of the business and of its people. */
export function documentsOf({ documents, agents }: EntityRecord): EntityRecord['documents'] {
  return [...documents, ...agents.flatMap((agent) => agent.documents)];
}

const FINDINGS = [
  ['', 'Not decided'],
  ['accepted', 'Accepted'],
  ...DOCUMENT_REASONS.map((code) => [code, BUSINESS_REASONS[code] ?? code] as const),
] as const;

/** Each document with its status; while the business waits, with the choice that sets it. */
export function judgedCard(
  session: OperatorSession,
  { state, version }: EntityRow,
  record: EntityRecord,
  action: string,
): Html {
  const documents = documentsOf(record);
  const open = state === 'PROCESSING' && documents.length > 0;
  const find = (id: string, number: number, chosen: string): Html =>
    choice(`Document ${number} is`, `finding_${id}`, FINDINGS, { chosen });
  const rows = documents.map((one, at) => {
    const { entity_document_id: id, entity_agent_id: agent, status, reason } = one;
    const chosen = status === 'accepted' ? status : (reason?.code ?? '');
    const about = agent === '' ? 'The business' : 'One of its people';
    const said = open ? find(id, at + 1, chosen) : (reason?.sentence ?? '');
    return [`Document ${at + 1}`, about, badge(status), said];
  });
  const listed = table({
    caption: 'Status of documents',
    head: ['Document', 'About', 'Status', open ? 'Finding' : 'Reason given'],
    rows,
    empty: 'No documents submitted.',
  });
  const form = (): Html => postForm(
    session,
    action,
    html`<input type="hidden" name="version" value="${version}">${listed}
<p><button class="quiet">Save findings</button></p>`,
  );
  const whole = html`<p>Registration document: ${badge(record.registration_document)}</p>`;
  return card('Status of documents', html`${whole}${open ? form() : listed}`);
}

/** Stores what the operator found of each document. */
export async function judgeAll(
  { services, session, form }: PageRequest,
  { workspace, id }: EntityRow,
  path: string,
) {
  const seen = { workspace, subject: 'business', id, version: Number(form['version']) } as const;
  for (const [name, finding] of Object.entries(form)) {
    if (!name.startsWith('finding_') || finding === '') continue;
    const document = uuidOfWireId('doc', name.slice('finding_'.length));
    if (document === null) throw new NotThere();
    await judge(services, reviewerOf(session), seen, document, finding);
  }
  return backTo(path, 'The status of the documents was saved.', 'good');
}
