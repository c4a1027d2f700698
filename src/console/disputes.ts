// Disputes: which wait for an answer and how long, one dispute with its evidence, and the forms
// that add to it and submit it. What evidence says is shown for a logged reason alone. [G-93]
import {
  collectEvidence,
  openPiece,
  readDispute,
  submitCollected,
  waitingDisputes,
  type DisputeRecord,
} from '../product/money/dispute/index.ts';
import { hasRight } from '../product/access/operator/index.ts';
import { EVIDENCE_KINDS, type EvidenceKind } from '../providers/processor/port.ts';
import { inputRefusals } from '../core/input-refusals.ts';
import { refuse } from '../core/refusal.ts';
import { html, type Html } from '../markup/html.ts';
import {
  accountLink,
  age,
  badge,
  card,
  definitions,
  empty,
  moment,
  money,
  table,
} from './blocks.ts';
import { choice, postForm } from './frame.ts';
import { backTo, get, post, there, type ConsoleApp, type PageRequest } from './routes.ts';

const active = '/disputes';
const TEXT_MAX = 2_048;

/** Registers the pages of disputes. */
export function disputePages(app: ConsoleApp): void {
  get(app, '/disputes', 'read', list);
  get(app, '/disputes/:id', 'read', one);
  get(app, '/disputes/:id/evidence/:piece', 'answer', showPiece);
  post(app, '/disputes/:id/evidence', 'answer', add, { upload: true });
  post(app, '/disputes/:id/submit', 'answer', submit);
}

/** In how long it is due, in words; what was not answered in time is said. */
function dueWords(dispute: DisputeRecord, seconds: number | null): string {
  if (seconds === null) return 'takes no answer';
  if (isAnswered(dispute)) return 'answered';
  return seconds < 0 ? `not answered in time, ${age(-seconds)} ago` : `due in ${age(seconds)}`;
}

function isAnswered({ evidence }: DisputeRecord): boolean {
  return evidence.some(({ status }) => status === 'submitted');
}

async function list({ services: { db }, tenant }: PageRequest) {
  const title = 'Disputes';
  if (tenant === null) return { title, active, body: empty('There is no tenant yet.') };
  const rows = await waitingDisputes(db, tenant.workspace);
  const body = card(
    'Open disputes',
    table({
      caption: 'Open disputes, those to answer first, by their deadline',
      head: ['Dispute', 'Status', 'Deadline', { number: 'Amount' }, 'Reason', 'Evidence'],
      rows: rows.map(({ record, dueSeconds }) => [
        html`<a href="/disputes/${record.dispute_id}">${record.dispute_id}</a>`,
        badge(record.status),
        record.status === 'needs_response' ? dueWords(record, dueSeconds) : '',
        money(BigInt(record.amount), record.currency),
        record.reason,
        standingOf(record),
      ]),
      empty: 'No dispute is open.',
    }),
  );
  return { title, active, body };
}

/** Where the evidence stands, in a word. */
function standingOf({ evidence }: DisputeRecord): string {
  const last = evidence.at(-1)?.status;
  return last === undefined ? 'none' : `${evidence.length} ${last}`;
}

async function found({ services: { db }, tenant, params }: PageRequest) {
  const workspace = tenant?.workspace ?? 0;
  const dispute = there(await readDispute(db, workspace, params['id'] ?? ''));
  return { workspace, dispute };
}

async function one(request: PageRequest) {
  const { session } = request;
  const { dispute } = await found(request);
  const { dispute_id, due_by, escrow_id, invoice_id, deposit_id } = dispute;
  const facts = definitions([
    ['Status', badge(dispute.status)],
    ['Amount', money(BigInt(dispute.amount), dispute.currency)],
    ['Reason', dispute.reason],
    ['Answer until', due_by === '' ? 'takes no answer' : moment(due_by)],
    ['Charged', accountLink(dispute.account_id)],
    ['Payment', html`<code>${escrow_id || invoice_id || deposit_id}</code>`],
    ['At the processor', html`<code>${dispute.provider_reference}</code>`],
    ['Opened', moment(dispute.created)],
  ]);
  const waits = dispute.status === 'needs_response' && !isAnswered(dispute);
  const forms = waits && hasRight(session, 'answer') ? formsOf(request, dispute) : null;
  const body = html`${card('Dispute', facts)}${card('Evidence', evidenceTable(request, dispute))}
${forms}`;
  return { title: `Dispute ${dispute_id}`, active, body };
}

function evidenceTable({ session }: PageRequest, { dispute_id, evidence }: DisputeRecord): Html {
  const may = hasRight(session, 'answer');
  return table({
    caption: 'Evidence, in the order in which it was added',
    head: ['Kind', 'File', 'Added', 'Status', 'Content'],
    rows: evidence.map(({ evidence_id, kind, file_name, added, status }) => [
      kind.replaceAll('_', ' '),
      file_name === '' ? 'text' : file_name,
      moment(added),
      badge(status),
      may && html`<a href="/disputes/${dispute_id}/evidence/${evidence_id}">Show (logged)</a>`,
    ]),
    empty: 'Nothing was added yet.',
  });
}

const KINDS = EVIDENCE_KINDS.map((kind) => [kind, kind.replaceAll('_', ' ')] as const);

function formsOf({ session }: PageRequest, { dispute_id, evidence }: DisputeRecord): Html {
  const path = `/disputes/${dispute_id}`;
  const words = html`${choice('Kind', 'kind', KINDS)}
<p class="field"><label for="text">Text</label>
<textarea id="text" name="text" rows="6" required maxlength="${TEXT_MAX}"></textarea></p>
<p><button>Add the text</button></p>`;
  const file = html`${choice('Kind', 'kind', KINDS)}
<p class="field"><label for="file">JPEG, PNG or PDF of at most 3 MB</label>
<input id="file" name="file" type="file" accept="image/jpeg,image/png,application/pdf" required></p>
<p><button>Add the file</button></p>`;
  const all = html`<p>All of it goes through the processor to the bank. This can be done once.</p>
<p><button>Submit the evidence</button></p>`;
  return html`${card('Add a text', postForm(session, `${path}/evidence`, words))}
${card('Add a file', postForm(session, `${path}/evidence`, file, 'multipart/form-data'))}
${evidence.length > 0 && card('Submit', postForm(session, `${path}/submit`, all))}`;
}

function submissionOf({ session }: PageRequest, workspace: number) {
  return { workspace, actor: `operator:${session.operatorId}` };
}

async function add(request: PageRequest) {
  const { services, form } = request;
  const { workspace, dispute } = await found(request);
  const kind = EVIDENCE_KINDS.find((named): named is EvidenceKind => named === form['kind']);
  if (kind === undefined) {
    throw refuse(inputRefusals.INVALID_FIELD, { kind: 'must be one of the listed values' });
  }
  const { text, file } = form;
  if ((text?.length ?? 0) > TEXT_MAX) {
    throw refuse(inputRefusals.INVALID_FIELD, { text: `must be at most ${TEXT_MAX} characters` });
  }
  const given = { kind, text, file };
  await collectEvidence(services, dispute.dispute_id, given, submissionOf(request, workspace));
  return backTo(`/disputes/${dispute.dispute_id}`, 'Added to the evidence.');
}

async function submit(request: PageRequest) {
  const { workspace, dispute } = await found(request);
  const { dispute_id } = dispute;
  await submitCollected(request.services, dispute_id, submissionOf(request, workspace));
  return backTo(`/disputes/${dispute_id}`, 'The evidence is on its way to the bank.');
}

async function showPiece(request: PageRequest) {
  const { services, params } = request;
  const { workspace, dispute } = await found(request);
  const { actor } = submissionOf(request, workspace);
  const asked = { workspace, disputeId: dispute.dispute_id, id: params['piece'] ?? '', actor };
  const piece = there(await openPiece(services, asked));
  const { mime, bytes, kind } = piece;
  if (mime !== null) return { bytes, type: mime };
  const text = html`<p class="said">${bytes.toString('utf8')}</p>`;
  const body = html`${card(kind.replaceAll('_', ' '), text)}
<p><a href="/disputes/${dispute.dispute_id}">Back to the dispute</a></p>`;
  return { title: 'Evidence', active, body };
}
