// Payouts by bank file: what waits and what keeps it, the form that makes a file, and the files.
// What can never be paid is rejected here. [G-91]
import { hasRight } from '../product/access/operator/index.ts';
import {
  csvMapping,
  FORMATS,
  lastMapping,
  listFiles,
  makeFile,
  oddEntries,
  PLAIN_MAPPING,
  settleWord,
  waitingPayouts,
  waitingTotals,
  type CsvMapping,
  type FileView,
  type OddEntry,
  type WaitingPayout,
} from '../product/money/payout-file/index.ts';
import { wrong } from '../core/input-refusals.ts';
import { isDay } from '../core/time.ts';
import { html, type Html } from '../markup/html.ts';
import { accountLink, badge, card, moment, money, table } from './blocks.ts';
import { choice, field, postForm } from './frame.ts';
import { bankReference, filePages, FILES } from './payout-file.ts';
import { backTo, get, post, workspaceOf, type ConsoleApp, type PageRequest } from './routes.ts';
import { fileIn } from './upload.ts';

const SHOWN = 100;

/** Registers the pages. */
export function payoutFilePages(app: ConsoleApp): void {
  get(app, FILES, 'read', list);
  post(app, FILES, 'bank', make, { upload: true });
  post(app, `${FILES}/reject`, 'confirm', reject);
  filePages(app);
}

async function list(request: PageRequest) {
  const { services, session } = request;
  const workspace = workspaceOf(request);
  const totals = await waitingTotals(services.db, workspace);
  const waiting = await waitingPayouts(services, workspace, SHOWN);
  const odd = await oddEntries(services.db, workspace);
  const files = await listFiles(services.db, workspace, SHOWN);
  const may = totals.length > 0 && hasRight(session, 'bank');
  const decides = waiting.length > 0 && hasRight(session, 'confirm');
  const body = html`${card('Payouts that wait for a file', waitingTable(waiting))}
<div class="pair">${may && card('Make a file', makeForm(request, totals))}
${decides && card('Reject a payout', rejectForm(request, waiting))}</div>
${odd.length > 0 && card('Rows of statements that do not fit', oddTable(odd))}
${card('Files', filesTable(files))}`;
  return { title: 'Payout files', active: FILES, body };
}

/** What keeps a payout out of the next file, in words. */
const HINDRANCES: Readonly<Record<NonNullable<WaitingPayout['hindrance']>, string>> = {
  blocked: 'the account is blocked',
  unverified: 'the identity is no longer accepted',
  erased: 'the person was erased',
  other_format: 'outside SEPA: make a CSV',
};

function waitingTable(rows: readonly WaitingPayout[]): Html {
  return table({
    caption: 'Payouts that wait for a file, the oldest first',
    head: ['Since', 'Account', 'Paid to', { number: 'Amount' }, 'In the next file'],
    rows: rows.map(({ since, account_id, to, amount, currency, hindrance }) => [
      moment(since),
      accountLink(account_id),
      to,
      money(amount, currency),
      hindrance === null ? 'yes' : `no: ${HINDRANCES[hindrance]}`,
    ]),
    empty: 'No payout waits for a file.',
  });
}

type Totals = Awaited<ReturnType<typeof waitingTotals>>;

function makeForm({ session }: PageRequest, totals: Totals): Html {
  const currencies = totals.map(({ currency, n, total }) => {
    return [currency, `${currency}: ${n} waiting, ${money(total, currency)}`] as const;
  });
  const formats = [[FORMATS[0], 'ISO 20022 pain.001'], [FORMATS[1], 'CSV']] as const;
  return postForm(session, FILES, html`${choice('Currency', 'currency', currencies)}
${choice('Format', 'format', formats)}
${field('Day of execution', 'execute_on', { type: 'date', optional: true }, 'Today if left empty')}
<p class="field"><label for="columns">Columns of a CSV, as JSON</label>
<input id="columns" name="columns" type="file" accept="application/json" aria-describedby="c-hint">
<span class="hint" id="c-hint">Without one: those of the last CSV in this currency</span></p>
<p><button>Make the file</button></p>`, 'multipart/form-data');
}

function rejectForm({ session }: PageRequest, rows: readonly WaitingPayout[]): Html {
  const options = rows.map(({ end_to_end_id: id, to, amount, currency, since }) => {
    const words = `${money(amount, currency)}, ${to}, since ${since.slice(0, 10)}`;
    return [id, words] as const;
  });
  return postForm(session, `${FILES}/reject`, html`<p>For a payout that can never reach its
account. The money goes back to the wallet, and the seller is told that payouts cannot reach this
bank account.</p>
${choice('Payout', 'payout', [['', 'Choose'], ...options], { marks: html` required` })}
${field('Your note', 'reference', {}, 'Such as who told you; it is kept with the payout')}
<p><button class="danger">Reject the payout</button></p>`);
}

function oddTable(rows: readonly OddEntry[]): Html {
  return table({
    caption: 'Rows that name a file or payout with another amount, or a second time',
    head: ["The bank's reference", 'It says', 'Id', { number: 'Amount' }],
    rows: rows.map(({ what, id, amount, currency, reference }) => [
      reference || 'none',
      what,
      html`<code>${id}</code>`,
      money(amount, currency),
    ]),
    empty: '',
  });
}

function filesTable(files: readonly FileView[]): Html {
  return table({
    caption: 'Payout files, the newest first',
    head: ['Made', 'State', 'Format', { number: 'Payouts' }, { number: 'Total' },
      'Changed'],
    rows: files.map((file) => [
      html`<a href="${FILES}/${file.file_id}">${moment(file.drafted)}</a>`,
      badge(file.state),
      file.format,
      String(file.transactions),
      money(file.total, file.currency),
      moment(file.updated),
    ]),
    empty: 'No file was made yet.',
  });
}

async function make(request: PageRequest) {
  const { services, session, form } = request;
  const workspace = workspaceOf(request);
  const [currency = '', day = ''] = [form['currency'], form['execute_on']];
  const format = FORMATS.find((one) => one === form['format']);
  if (format === undefined) throw wrong('format', 'must be one of the listed values');
  if (day !== '' && !isDay(day)) throw wrong('execute_on', 'must be a day such as 2026-11-30');
  const mapping = format === 'csv' ? await columnsOf(request, workspace, currency) : null;
  const wanted = { workspace, currency, format, mapping, executeOn: day || null };
  const made = await makeFile(services, { ...wanted, operator: session.operatorId });
  const left = made.left === 0 ? '' : ` Payouts that it could not take: ${made.left}.`;
  const at = `${FILES}/${made.file.file_id}`;
  return backTo(at, `The file was made. Another person must confirm it.${left}`);
}

async function columnsOf(
  { services, form }: PageRequest,
  workspace: number,
  currency: string,
): Promise<CsvMapping> {
  const given = fileIn(form, 'columns');
  if (given === null) {
    return (await lastMapping(services.db, workspace, currency)) ?? PLAIN_MAPPING;
  }
  try {
    return csvMapping.parse(JSON.parse(given.toString('utf8')));
  } catch {
    throw wrong('columns', 'must be JSON with `columns`, each with `header` and `field` or `text`');
  }
}

async function reject(request: PageRequest) {
  const { services, session, form } = request;
  const [id, reference] = [form['payout'] ?? '', bankReference(request)];
  const said = { what: 'rejected', id, amount: null, currency: null, reference } as const;
  const actor = `operator:${session.operatorId}`;
  await settleWord(services, { workspace: workspaceOf(request), ...said, actor });
  return backTo(FILES, 'Rejected: the money goes back to the wallet.');
}
