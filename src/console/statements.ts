// Statements of the bank: the form that imports a file, the files that were imported, and what
// became of each row of one. Who paid is nowhere on these pages. [G-91]
import {
  bankAccounts,
  entriesOf,
  importStatement,
  latestStatements,
  statementOf,
  type EntrySeen,
  type StatementSeen,
} from '../product/money/bank/index.ts';
import { hasRight } from '../product/access/operator/index.ts';
import { inFours } from '../core/bank-numbers.ts';
import { isUuid } from '../core/ids.ts';
import { inputRefusals } from '../core/input-refusals.ts';
import { refuse } from '../core/refusal.ts';
import { html, type Html } from '../markup/html.ts';
import { badge, card, day, definitions, moment, money, table } from './blocks.ts';
import { choice, postForm } from './frame.ts';
import { backTo, get, post, there, workspaceOf } from './routes.ts';
import type { ConsoleApp, PageRequest } from './routes.ts';
import { KINDS, rowLink, statementRowPages } from './statement-rows.ts';
import { fileIn } from './upload.ts';

const PATH = '/statements';
const LATEST = 10;
const ROWS = 500;

/** Registers the pages. */
export function statementPages(app: ConsoleApp): void {
  post(app, PATH, 'bank', importOne, { upload: true });
  get(app, `${PATH}/:id`, 'read', show);
  statementRowPages(app);
}

/** The form that imports a file, and the latest files. */
export async function statementCards(request: PageRequest) {
  const { services: { db }, session } = request;
  const workspace = workspaceOf(request);
  const latest = await latestStatements(db, workspace, LATEST);
  const accounts = (await bankAccounts(db, workspace)).filter(({ active }) => active);
  const mapped = accounts.filter(({ columns }) => columns !== null);
  const formats = mapped.map(({ currency, bankName, number }) => {
    return [currency, `CSV of ${currency}: ${bankName} ${inFours(number)}`] as const;
  });
  const chosen = mapped.length < accounts.length ? '' : mapped[0]?.currency;
  const camt = ['', 'camt.053: the file names its account'] as const;
  const form = postForm(session, PATH, html`${choice('Format', 'format', [camt, ...formats], {
    chosen,
  })}
<p class="field"><label for="statement">Statement file</label>
<input id="statement" name="statement" type="file" required aria-describedby="statement-hint">
<span class="hint" id="statement-hint">At most 3 MB. The same file again changes nothing.</span></p>
<p><button>Import</button></p>`, 'multipart/form-data');
  const may = accounts.length > 0 && hasRight(session, 'bank');
  return {
    importing: may ? card('Import a statement', form) : null,
    latest: card('Latest statements', filesTable(latest)),
  };
}

function filesTable(files: readonly StatementSeen[]): Html {
  return table({
    caption: 'Latest statements',
    head: ['Imported', 'Bank account', 'Format', { number: 'Closing balance' },
      { number: 'New rows' }, { number: 'To decide' }],
    rows: files.map((one) => [
      html`<a href="${PATH}/${one.id}">${moment(one.created)}</a>`,
      `${one.bank_name} ${inFours(one.number)}`,
      one.format,
      balance(one.closing, one),
      String(one.entries),
      String(one.open),
    ]),
    empty: 'No statement was imported yet.',
  });
}

function balance(amount: bigint | null, { currency, digits }: StatementSeen): string {
  return amount === null ? 'not stated' : money(amount, currency, digits);
}

async function importOne(request: PageRequest) {
  const { services, session, form } = request;
  const bytes = fileIn(form, 'statement');
  if (bytes === null) throw refuse(inputRefusals.INVALID_FIELD, { statement: 'must be a file' });
  const file = { bytes, currency: form['format'] || undefined };
  const actor = `operator:${session.operatorId}`;
  const made = await importStatement(services, workspaceOf(request), file, actor);
  const at = `${PATH}/${made.statement_id}`;
  if (made.state === 'unchanged') return backTo(at, 'This file was imported before.');
  const known = made.entries - made.new_entries;
  const again = known === 0 ? '' : ` In earlier files: ${known}.`;
  return backTo(at, `Imported. New rows: ${made.new_entries}.${again}`);
}

const SETTLES: Readonly<Record<NonNullable<EntrySeen['settles']>, string>> = {
  provider_payout: 'paid to the bank by the processor',
  payout: 'a payout of a file',
  returned_transfer: 'a transfer that was sent back',
  ...KINDS,
};

async function show(request: PageRequest) {
  const { services: { db }, params } = request;
  const id = params['id'] ?? '';
  const workspace = workspaceOf(request);
  const statement = there(isUuid(id) ? await statementOf(db, workspace, id) : null);
  const rows = await entriesOf(db, workspace, id, ROWS);
  const { entries, open, foreign_debits: foreign } = statement;
  const facts = definitions([
    ['Bank account', `${statement.bank_name} ${inFours(statement.number)}`],
    ['Format', statement.format],
    ['Opening balance', `${balance(statement.opening, statement)}${statement.follows
      ? ''
      : ': no other statement ends with it, so one may be missing'}`],
    ['Closing balance', balance(statement.closing, statement)],
    ['Imported', moment(statement.created)],
    ['New rows', String(entries)],
    ['Matched', String(entries - open - foreign)],
    ['To decide', String(open)],
    ['Debits to explain', String(foreign)],
  ]);
  const cut = entries > ROWS;
  const body = html`${card('Statement', facts)}${card('Rows', rowsTable(rows, statement))}
${cut && html`<p class="faint">The first ${ROWS} rows are shown.</p>`}
<p><a href="/transfers">To the bank transfers</a></p>`;
  return { title: 'Statement', active: '/transfers', body };
}

function rowsTable(rows: readonly EntrySeen[], { currency, digits }: StatementSeen): Html {
  return table({
    caption: 'Rows that no earlier file had: those to decide first',
    head: ['Booked', "The bank's reference", { number: 'Amount' }, 'State', 'What it is'],
    rows: rows.map((row) => [
      day(row.booked),
      row.bank_reference || 'none',
      money(row.direction === 'debit' ? -row.amount : row.amount, currency, digits),
      stateOf(row),
      whatOf(row),
    ]),
    empty: 'Every row was in an earlier file.',
  });
}

function stateOf({ settles, state, direction }: EntrySeen): Html | null {
  if (state !== null) return badge(state);
  if (settles !== null) return badge('explained');
  return badge(direction === 'credit' ? 'pending' : 'open');
}

function whatOf({ id, settles, transfer_id, direction }: EntrySeen): Html | string {
  if (settles !== null && settles in KINDS) return rowLink(id, SETTLES[settles]);
  if (transfer_id !== null) {
    return html`<a href="/transfers/${transfer_id}">an incoming transfer</a>`;
  }
  if (settles !== null) return SETTLES[settles];
  return direction === 'credit'
    ? 'a payout that came back; it is booked in a moment'
    : rowLink(id, 'no payout or return of ours: say what it is');
}
