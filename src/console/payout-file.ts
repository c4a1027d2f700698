// One payout file: its payouts and digest, and what operators do with it. A reviewer hands it over,
// a supervisor who did not make it confirms it with a code and records what the bank did. [G-91]
import { dependentOn, findOperator, hasRight } from '../product/access/operator/index.ts';
import { proveCode } from '../product/access/operator/index.ts';
import {
  bankId,
  bytesOf,
  cancelFile,
  confirmFile,
  fileRow,
  fileView,
  handOverFile,
  itemsIn,
  settleWord,
  type BankWord,
  type FileItem,
  type FileView,
} from '../product/money/payout-file/index.ts';
import { audit } from '../product/tell/audit/index.ts';
import { inputRefusals } from '../core/input-refusals.ts';
import { refuse } from '../core/refusal.ts';
import { html, type Html } from '../markup/html.ts';
import { accountLink, badge, card, definitions, moment, money, table } from './blocks.ts';
import { choice, field, postForm } from './frame.ts';
import { backTo, get, NotThere, post, workspaceOf } from './routes.ts';
import type { ConsoleApp, PageRequest } from './routes.ts';

/** Where the pages are. */
export const FILES = '/payout-files';

/** Registers the pages of one file. */
export function filePages(app: ConsoleApp): void {
  get(app, `${FILES}/:id`, 'read', show);
  post(app, `${FILES}/:id/confirm`, 'confirm', confirm);
  post(app, `${FILES}/:id/cancel`, 'bank', cancel);
  post(app, `${FILES}/:id/hand-over`, 'bank', handOver);
  post(app, `${FILES}/:id/download`, 'bank', download);
  post(app, `${FILES}/:id/bank`, 'confirm', bankSaid);
}

/** The bank's own reference, or an operator's note, as it was typed. */
export function bankReference({ form }: PageRequest): string {
  const text = (form['reference'] ?? '').trim();
  if (text !== '' && text.length <= 140) return text;
  throw refuse(inputRefusals.INVALID_FIELD, { reference: 'must have 1 to 140 characters' });
}

async function found(request: PageRequest) {
  const workspace = workspaceOf(request);
  const { services: { db }, params, session } = request;
  const file = fileView(await fileRow(db, workspace, params['id'] ?? ''));
  const actor = `operator:${session.operatorId}`;
  return { workspace, file, at: `${FILES}/${file.file_id}`, actor };
}

async function nameOf({ services }: PageRequest, id: string | null): Promise<string> {
  if (id === null) return 'nobody yet';
  return (await findOperator(services, id))?.name ?? id;
}

async function show(request: PageRequest) {
  const { workspace, file } = await found(request);
  const items = await itemsIn(request.services.db, workspace, file.file_id);
  const facts = definitions([
    ['State', badge(file.state)],
    ['Payouts', String(file.transactions)],
    ['Total', html`<strong>${money(file.total, file.currency)}</strong>`],
    ['SHA-256', html`<span class="code">${file.sha256}</span>`],
    ['Message id', html`<code>${file.message_id}</code>`],
    ['Format', file.format],
    ['Made by', await nameOf(request, file.made_by)],
    ['Confirmed by', await nameOf(request, file.confirmed_by)],
    ['Made', moment(file.drafted)],
    ['Changed', moment(file.updated)],
  ]);
  const list = table({
    caption: 'Payouts in the file',
    head: [{ number: 'No.' }, 'Account', 'Paid to', { number: 'Amount' }, 'End-to-end id', 'State'],
    rows: items.map(({ number, account_id, to, amount, transfer_id, state }) => [
      String(number),
      accountLink(account_id),
      to,
      money(amount, file.currency),
      html`<code>${bankId(transfer_id)}</code>`,
      badge(state),
    ]),
    empty: '',
  });
  const body = html`${card('File', facts)}${acts(request, file, items)}${card('Payouts', list)}`;
  return { title: 'Payout file', active: FILES, body };
}

/** The forms of what may be done in this state, by this operator. */
function acts(request: PageRequest, file: FileView, items: readonly FileItem[]): Html | null {
  const { session } = request;
  const { state, made_by } = file;
  if (!hasRight(session, 'bank') || state === 'cancelled') return null;
  const at = `${FILES}/${file.file_id}`;
  const plain = (to: string, says: string, tone = ''): Html =>
    postForm(session, `${at}/${to}`, html`<button class="${tone}">${says}</button>`);
  const cancels = plain('cancel', 'Cancel the file', 'danger');
  const supervises = hasRight(session, 'confirm');
  if (state === 'collected') {
    const may = supervises && made_by !== session.operatorId;
    return card('Second approval needed', html`${may
      ? confirmForm(request, file)
      : html`<p class="faint">Another person must confirm this.</p>`}${cancels}`);
  }
  if (state === 'confirmed') {
    return card('Hand over', html`<p>From here on the payouts count as handed to the bank. You
download the file next.</p><div class="row">${plain('hand-over', 'Hand over')}${cancels}</div>`);
  }
  const again = html`<p>Each download gives the same bytes, so the bank notices a file that it
already has. Each is logged.</p>${plain('download', 'Download the file')}`;
  return html`${card('For the bank', again)}
${supervises && card('What the bank did', bankForm(request, file, items))}`;
}

function confirmForm({ session }: PageRequest, { file_id, sha256 }: FileView): Html {
  return postForm(session, `${FILES}/${file_id}/confirm`, html`<p>Compare number and total with
what you expect to pay, and the accounts below.</p>
<input type="hidden" name="sha256" value="${sha256}">
${field('Code', 'code', { autocomplete: 'one-time-code' }, 'Six digits from your authenticator')}
<p><button>Confirm this file</button></p>`);
}

const WORDS: readonly (readonly [BankWord['what'], string])[] = [
  ['debited', 'It debited the money'],
  ['returned', 'It sent the money back'],
  ['rejected', 'It did not carry it out'],
];

function bankForm({ session }: PageRequest, file: FileView, items: readonly FileItem[]): Html {
  const whole = [file.message_id, 'The whole file'] as const;
  const payouts = items.map(({ number, amount, to, transfer_id }) => {
    return [bankId(transfer_id), `${number}: ${money(amount, file.currency)}, ${to}`] as const;
  });
  return postForm(session, `${FILES}/${file.file_id}/bank`, html`<p>An imported statement records
this by itself. Record it here only if the statement names no ids.</p>
${choice('What it did', 'what', WORDS)}${choice('Payout', 'payout', [whole, ...payouts])}
${field("The bank's reference", 'reference')}
<p><button>Record</button></p>`);
}

const NOT_PROVEN = {
  wrong: 'The code is wrong or was used. Wait for the next one.',
  wait: 'Too many attempts. Wait a moment, then try again.',
} as const;

async function confirm(request: PageRequest) {
  const { services, session, form } = request;
  const { workspace, file, at } = await found(request);
  const { operatorId: operator } = session;
  const dependent = await dependentOn(services.db, operator);
  const proven = await proveCode(services, session, form['code'] ?? '');
  if (proven !== 'right') return backTo(at, NOT_PROVEN[proven], 'bad');
  const act = { workspace, fileId: file.file_id, operator, sha256: form['sha256'] ?? '' };
  await confirmFile(services, { ...act, dependent });
  return backTo(at, 'Confirmed: the file can be handed over.');
}

async function cancel(request: PageRequest) {
  const { workspace, file, at, actor } = await found(request);
  await cancelFile(request.services, { workspace, fileId: file.file_id, actor });
  return backTo(at, 'Cancelled: its payouts wait for the next file.');
}

async function handOver(request: PageRequest) {
  const { workspace, file, at, actor } = await found(request);
  await handOverFile(request.services, { workspace, fileId: file.file_id, actor });
  return backTo(at, 'Handed over. Download the file and give it to the bank.');
}

async function download(request: PageRequest) {
  const { services } = request;
  const { workspace, file, at, actor } = await found(request);
  const { state, file_id: subject, format, currency, message_id } = file;
  if (state !== 'handed_over' && state !== 'settled') {
    return backTo(at, 'Hand the file over first.', 'bad');
  }
  const { bytes } = await bytesOf(services, workspace, subject);
  const entry = { workspace, actor, act: 'payout_file_downloaded', subject } as const;
  await services.db.transaction((tx) => audit(tx, entry));
  const end = format === 'csv' ? 'csv' : 'xml';
  return { bytes, type: `text/${end}`, name: `payouts-${currency}-${message_id}.${end}` };
}

async function bankSaid(request: PageRequest) {
  const { services, form } = request;
  const { workspace, file, at, actor } = await found(request);
  const what = WORDS.find(([word]) => word === form['what'])?.[0];
  const id = form['payout'] ?? '';
  const items = await itemsIn(services.db, workspace, file.file_id);
  const whole = id === file.message_id;
  if (!whole && !items.some(({ transfer_id }) => bankId(transfer_id) === id)) throw new NotThere();
  if (what === undefined || (whole && what === 'returned')) {
    const sentence = 'must be one of the listed values; a whole file does not come back';
    throw refuse(inputRefusals.INVALID_FIELD, { what: sentence });
  }
  const said = { what, id, amount: null, currency: null, reference: bankReference(request) };
  const came = await settleWord(services, { workspace, ...said, actor });
  return backTo(at, came === 'settled' ? 'Recorded.' : 'Known before: nothing was changed.');
}
