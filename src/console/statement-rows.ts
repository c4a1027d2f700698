// A row of a statement that settles nothing of ours: what a person says it is, and the second
// person from the limit on. And what the bank says beside what the books say. [G-91]
import { dependentOn, findOperator, hasRight } from '../product/access/operator/index.ts';
import {
  bankBalances,
  bankRow,
  decideBankRow,
  openPayer,
  OWN_KINDS,
  secondBankRow,
  takenBackPerhaps,
  undecidedRows,
  type BankRow,
  type Payer,
  type RowKind,
} from '../product/money/bank/index.ts';
import { REVEAL_REASONS } from '../product/people/review/index.ts';
import { inputRefusals } from '../core/input-refusals.ts';
import { refuse } from '../core/refusal.ts';
import { html, type Html } from '../markup/html.ts';
import { badge, card, day, definitions, money, table } from './blocks.ts';
import { choice, postForm, secondFields } from './frame.ts';
import { revealReason } from './review/parts.ts';
import { backTo, get, post, there, workspaceOf } from './routes.ts';
import type { ConsoleApp, PageRequest } from './routes.ts';

const PATH = '/statements/rows';
const SHOWN = 100;

/** What a row may be, in words. */
export const KINDS: Readonly<Record<RowKind, string>> = {
  bank_fee: 'a fee or interest of the bank',
  own_payment: 'a payment of the tenant itself',
  reversal: 'a credit that the bank took back',
};

/** Registers the pages. */
export function statementRowPages(app: ConsoleApp): void {
  get(app, `${PATH}/:id`, 'read', async (request) => show(request, null));
  post(app, `${PATH}/:id/text`, 'bank', reveal);
  post(app, `${PATH}/:id`, 'bank', decideOne);
  post(app, `${PATH}/:id/second`, 'confirm', secondOne);
}

/** A link to the page of a row. */
export function rowLink(id: string, words: string): Html {
  return html`<a href="${PATH}/${id}">${words}</a>`;
}

/** What each bank account says beside what the books say, and what the difference is. */
export async function balanceCard({ services: { db }, tenant }: PageRequest): Promise<Html | null> {
  const rows = tenant === null ? [] : await bankBalances(db, tenant.workspace);
  if (rows.length === 0) return null;
  const sums = ['By statements', 'In the books', 'There before', 'Rows to explain', 'By hand'];
  return card('Balance at the bank', table({
    caption: 'Balance at the bank by its statements, in the books, and the difference',
    head: ['Currency', ...sums.map((number) => ({ number })), { number: 'Unexplained' }, 'State'],
    rows: rows.map(({ currency, digits, statements, unexplained, ...row }) => {
      const shown = (amount: bigint | null): string =>
        amount === null ? 'not stated' : money(amount, currency, digits);
      const { books, before, undecided, by_hand: byHand } = row;
      const state = unexplained === 0n && undecided === 0n ? 'explained' : 'open';
      return [currency, ...[statements, books, before, undecided, byHand, unexplained].map(shown),
        badge(unexplained === null ? 'not stated' : state)];
    }),
    empty: '',
  }));
}

/** The debits that wait for a person to say what they are. */
export async function undecidedCard({ services: { db }, tenant }: PageRequest): Promise<Html> {
  const rows = tenant === null ? [] : await undecidedRows(db, tenant.workspace, SHOWN);
  return card('Rows to explain', table({
    caption: 'Rows of statements that settle nothing of ours',
    head: ['Booked', "The bank's reference", { number: 'Amount' }, 'State', 'The bank suggests'],
    rows: rows.map(({ id, amount, direction, currency, digits, ...row }) => [
      day(row.booked),
      rowLink(id, row.bank_reference || 'none'),
      money(direction === 'debit' ? -amount : amount, currency, digits),
      badge(row.state ?? 'open'),
      row.suggestion === null ? null : KINDS[row.suggestion],
    ]),
    empty: 'Every row is explained.',
  }));
}

async function found(request: PageRequest): Promise<BankRow> {
  const { services: { db }, params } = request;
  return there(await bankRow(db, workspaceOf(request), params['id'] ?? ''));
}

async function show(request: PageRequest, opened: Payer | null) {
  const { services, session } = request;
  const row = await found(request);
  const { direction, amount, currency, digits, suggestion, kind, state } = row;
  const first = row.operator_id === null ? null : await findOperator(services, row.operator_id);
  const facts = definitions([
    ['State', badge(state ?? 'open')],
    ['Amount', money(direction === 'debit' ? -amount : amount, currency, digits)],
    ['Booked', row.booked],
    ["The bank's reference", row.bank_reference || 'none'],
    ['The bank suggests', suggestion === null ? 'nothing' : KINDS[suggestion]],
    ['What it is', kind === null ? 'nobody said yet' : KINDS[kind]],
    ['Said by', first?.name ?? 'nobody'],
  ]);
  const may = hasRight(session, 'bank') && state === null && !row.is_payout;
  const body = html`${card('Row of a statement', facts)}
${hasRight(session, 'bank') && textCard(request, row, opened)}
${row.is_payout && html`<p>It names a payout of yours and is booked with it in a moment.</p>`}
${may && card('What it is', await decisionForm(request, row))}${secondCard(request, row)}
<p><a href="/statements/${row.statement_id}">To the statement</a></p>`;
  return { title: 'Row of a statement', active: '/transfers', body };
}

/** What the bank wrote, which is sealed: it may name people. */
function textCard({ session }: PageRequest, { id }: BankRow, opened: Payer | null): Html {
  if (opened !== null) {
    const { name, number, text } = opened;
    return card('Text', definitions([['Text', text], ['Payer', name], ['Account', number]]));
  }
  return card('Text', postForm(session, `${PATH}/${id}/text`, html`<p>The text is masked. You can
view it; your name and reason are logged.</p>
${choice('Reason', 'reason', Object.entries(REVEAL_REASONS))}<p><button>Show text</button></p>`));
}

async function reveal(request: PageRequest) {
  const { services, session: { operatorId }, form } = request;
  const { id } = await found(request);
  const reason = revealReason(form);
  const workspace = workspaceOf(request);
  const row = { id, entry_id: id };
  return show(request, await openPayer(
    ...([services, workspace, row, `operator:${operatorId}`, reason] as const),
  ));
}

async function decisionForm(request: PageRequest, row: BankRow): Promise<Html> {
  const { services: { db }, session } = request;
  const isDebit = row.direction === 'debit';
  const credits = isDebit ? await takenBackPerhaps(db, workspaceOf(request), row) : [];
  const kinds = OWN_KINDS.filter((kind) => kind !== 'reversal' || credits.length > 0);
  const known = credits.map((one) => {
    return [one.id, `${one.value_date}, ${one.bank_reference}, ${one.state}`] as const;
  });
  const chosen = row.suggestion ?? undefined;
  const what = choice('It is', 'kind', kinds.map((kind) => [kind, KINDS[kind]]), { chosen });
  const whose = known.length === 0 ? null
    : choice('If the bank took a credit back: which', 'transfer', known);
  return postForm(session, `${PATH}/${row.id}`, html`${what}${whose}
<p><button>Submit</button></p>`);
}

function secondCard({ session }: PageRequest, row: BankRow): Html | null {
  if (row.state !== 'proposed') return null;
  const may = row.operator_id !== session.operatorId && hasRight(session, 'confirm');
  const form = postForm(session, `${PATH}/${row.id}/second`, html`<input type="hidden"
 name="booking" value="${row.booking_id}">
${secondFields('Confirm: book it', 'Reject: it waits for another decision')}`);
  const wait = html`<p class="faint">Another person must confirm or reject this.</p>`;
  return card('Second approval needed', may ? form : wait);
}

async function decideOne(request: PageRequest) {
  const { services, session: { operatorId }, form } = request;
  const { id: entryId } = await found(request);
  const kind = OWN_KINDS.find((one) => one === form['kind']);
  if (kind === undefined) throw refuse(inputRefusals.INVALID_FIELD, { kind: 'must be chosen' });
  const operator = { operatorId, workspace: workspaceOf(request) };
  const said = { entryId, kind, transferId: form['transfer'] ?? null };
  const { state } = await decideBankRow(services, operator, said);
  return backTo(`${PATH}/${entryId}`, state === 'booked'
    ? 'The row was booked.'
    : 'Proposed: a second person must confirm it.');
}

async function secondOne(request: PageRequest) {
  const { services, session: { operatorId }, form } = request;
  const row = await found(request);
  const agrees = form['word'] === 'confirm';
  const dependent = await dependentOn(services.db, operatorId);
  const operator = { operatorId, workspace: workspaceOf(request) };
  // The decision that the form showed, and no later one.
  const shown = row.booking_id === form['booking'] ? row.booking_id : null;
  const word = { ...row, booking_id: shown };
  await secondBankRow(services, operator, word, agrees, dependent);
  return backTo(`${PATH}/${row.id}`, agrees ? 'Confirmed: the row was booked.' : 'Rejected.');
}
