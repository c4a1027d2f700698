// Bank transfers: those that wait for a person, a form to record one by hand, and what can be done
// about each. From the limit on a second person confirms. [G-91]
import { dependentOn, findOperator, hasRight } from '../product/access/operator/index.ts';
import {
  allocate,
  bankAccounts,
  incomingTransfer,
  incomingTransfers,
  openPayer,
  record,
  recordedAlike,
  same,
  second,
  sendBack,
  unitsOf,
  type BankOperator,
  type IncomingSeen,
  type Payer,
} from '../product/money/bank/index.ts';
import { providerPayoutsUnderWay } from '../product/money/treasury/index.ts';
import { REVEAL_REASONS } from '../product/people/review/index.ts';
import { inFours } from '../core/bank-numbers.ts';
import { accountId, isUuid } from '../core/ids.ts';
import { wrong } from '../core/input-refusals.ts';
import { isDay } from '../core/time.ts';
import { html, type Html } from '../markup/html.ts';
import { accountLink, badge, card, day, definitions } from './blocks.ts';
import { empty, moment, money, table } from './blocks.ts';
import { choice, field, postForm, secondFields } from './frame.ts';
import { isForOpenings, openingCard, openingChoice, targetOf } from './opening-money.ts';
import { revealReason } from './review/parts.ts';
import { backTo, get, post, there, workspaceOf } from './routes.ts';
import type { ConsoleApp, PageRequest } from './routes.ts';
import { balanceCard, rowLink, undecidedCard } from './statement-rows.ts';
import { statementCards } from './statements.ts';

const PATH = '/transfers';
const SHOWN = 100;
/** What names a wallet. */
const NAMES = 'The reference that the payer wrote, a wallet id or an account id';

/** Why nobody was credited, in words. */
const WHY: Readonly<Record<NonNullable<IncomingSeen['why']>, string>> = {
  no_reference: 'it names no reference',
  reference_mistyped: 'its reference is mistyped: the check digits are wrong',
  several_references: 'it names several references',
  reference_unknown: 'its reference belongs to no wallet',
  other_currency: 'its reference is of a wallet in another currency',
  account_blocked: 'the account is blocked',
  too_large: 'the wallet would exceed its maximum',
  returned_payment: 'it is a payment that came back',
  recorded_perhaps: 'it may be a transfer that was recorded by hand',
};

/** Registers the pages. */
export function bankPages(app: ConsoleApp): void {
  get(app, PATH, 'read', list);
  post(app, PATH, 'bank', recordOne);
  get(app, `${PATH}/:id`, 'read', async (request) => show(request, null));
  post(app, `${PATH}/:id/payer`, 'bank', payer);
  post(app, `${PATH}/:id/allocate`, 'bank', allocateOne);
  post(app, `${PATH}/:id/second`, 'confirm', secondOne);
  post(app, `${PATH}/:id/back`, 'bank', backOne);
  post(app, `${PATH}/:id/same`, 'bank', sameOne);
}

function operatorOf(request: PageRequest): BankOperator {
  return { operatorId: request.session.operatorId, workspace: workspaceOf(request) };
}

async function found(request: PageRequest): Promise<IncomingSeen> {
  const id = request.params['id'] ?? '';
  const { db } = request.services;
  return there(isUuid(id) ? await incomingTransfer(db, workspaceOf(request), id) : null);
}

/** The transfer as the form was shown: an older version is refused by the command. */
async function seen(request: PageRequest) {
  const { id, currency, wallet_id: walletId } = await found(request);
  return { transferId: id, version: Number(request.form['version']), currency, walletId };
}

async function list(request: PageRequest) {
  const { services: { db }, session } = request;
  const workspace = workspaceOf(request);
  const { open, latest } = await incomingTransfers(db, workspace, SHOWN);
  const accounts = (await bankAccounts(db, workspace)).filter(({ active }) => active);
  const currencies = accounts.map(({ currency, bankName, number }) => {
    return [currency, `${currency}: ${bankName} ${inFours(number)}`] as const;
  });
  const moved = await openingChoice(request);
  const form = currencies.length === 0
    ? empty('The tenant has no bank account yet. Set one with: holdfast bank set')
    : postForm(session, PATH, html`${choice('Bank account', 'currency', currencies)}
${field('Amount', 'amount', {}, 'With a point, such as 12.50')}
${moved}${field('Wallet', 'wallet', moved === null ? {} : { optional: true }, NAMES)}
${field("The bank's reference", 'bank_reference', {}, 'As on the statement; each is recorded once')}
${field('Value date', 'value_date', { type: 'date' })}
<p><button>Record</button></p>`);
  const statements = await statementCards(request);
  const body = html`${card('To be decided', rowsOf(open, 'No transfer waits for a decision.'))}
${await undecidedCard(request)}<div class="pair">${statements.importing}
${hasRight(session, 'bank') && card('Record a transfer by hand', form)}</div>
${await balanceCard(request)}${statements.latest}
${card('Latest transfers', rowsOf(latest, 'No transfers yet.'))}`;
  return { title: 'Bank transfers', active: PATH, body };
}

function rowsOf(rows: readonly IncomingSeen[], none: string): Html {
  return table({
    caption: 'Bank transfers',
    head: ['Transfer', 'Value date', 'State', { number: 'Amount' }, 'Account', 'Reason'],
    rows: rows.map((row) => [
      html`<a class="id" href="${PATH}/${row.id}">${row.bank_reference || row.id}</a>`,
      day(row.value_date),
      badge(row.state),
      money(row.amount, row.currency, row.digits),
      accountLink(row.account_id === null ? undefined : accountId(row.account_id)),
      row.why === null ? null : WHY[row.why],
    ]),
    empty: none,
  });
}

async function recordOne(request: PageRequest) {
  const { services, form } = request;
  const operator = operatorOf(request);
  const [currency = '', text = ''] = [form['currency'], form['amount']];
  const accounts = await bankAccounts(services.db, operator.workspace);
  const digits = accounts.find((one) => one.active && one.currency === currency)?.digits ?? 0;
  const amount = unitsOf(text.trim(), digits);
  if (amount === null || amount <= 0n) throw wrong('amount', 'must be an amount such as 12.50');
  const bankReference = (form['bank_reference'] ?? '').trim();
  if (bankReference === '' || bankReference.length > 140) {
    throw wrong('bank_reference', 'must have 1 to 140 characters');
  }
  const valueDate = form['value_date'] ?? '';
  if (!isDay(valueDate)) throw wrong('value_date', 'must be a day such as 2026-11-30');
  const stated = { currency, amount, wallet: targetOf(request), bankReference, valueDate };
  const made = await record(services, operator, stated);
  return backTo(`${PATH}/${made.transfer_id}`, made.state === 'proposed'
    ? 'Recorded: a second person must confirm it.'
    : 'Recorded: the wallet was credited.');
}

async function show(request: PageRequest, opened: Payer | null) {
  const { services, session } = request;
  const row = await found(request);
  const proposer = row.operator_id === null ? null : await findOperator(services, row.operator_id);
  const facts = definitions([
    ['State', badge(row.state)],
    ['Amount', money(row.amount, row.currency, row.digits)],
    ['Value date', row.value_date],
    ["The bank's reference", row.bank_reference || 'none'],
    ['Reason', row.why === null ? 'none' : WHY[row.why]],
    ['Wallet', row.wallet_id ?? (isForOpenings(row) ? 'none: opening balances' : 'none')],
    ['Account', row.account_id === null ? 'none' : accountLink(accountId(row.account_id))],
    ['Recorded or proposed by', proposer?.name ?? 'nobody'],
    ['On a statement', row.entry_id === null ? 'not yet' : 'yes'],
    ['Deposit', row.deposit_id ?? 'none'],
    ['Created', moment(row.created)],
  ]);
  const may = hasRight(session, 'bank');
  const body = html`${card('Transfer', facts)}${payerCard(request, row, opened, may)}
${may && (await decisions(request, row))}${secondCard(request, row)}`;
  return { title: 'Bank transfer', active: PATH, body };
}

function payerCard(
  { session }: PageRequest,
  row: IncomingSeen,
  opened: Payer | null,
  may: boolean,
): Html | null {
  if (row.entry_id === null || !may) return null;
  if (opened !== null) {
    const { name, number, text } = opened;
    const told = definitions([['Name', name], ['Account', number], ['Text', text]]);
    return card('Payer', told);
  }
  const form = html`<p>Who paid is masked. You can view it; your name and reason are logged.</p>
${choice('Reason', 'reason', Object.entries(REVEAL_REASONS))}<p><button>Show payer</button></p>`;
  return card('Payer', postForm(session, `${PATH}/${row.id}/payer`, form));
}

async function payer(request: PageRequest) {
  const row = await found(request);
  const { operatorId, workspace } = operatorOf(request);
  const reason = revealReason(request.form);
  const actor = `operator:${operatorId}`;
  return show(request, await openPayer(request.services, workspace, row, actor, reason));
}

const version = (row: IncomingSeen): Html => html`<input type="hidden" name="version"
 value="${row.version}">`;

/** What one operator can do about an open transfer. */
async function decisions(request: PageRequest, row: IncomingSeen): Promise<Html | null> {
  const { session, services } = request;
  const at = `${PATH}/${row.id}`;
  if (row.state === 'returning') {
    const form = postForm(session, `${at}/back`, html`${version(row)}
<input type="hidden" name="word" value="keep"><p><button>Keep it after all</button></p>`);
    return card('Send back', html`<p>Send ${money(row.amount, row.currency, row.digits)} back at
the bank, with this reference: <strong>${inFours(row.return_reference)}</strong>. The statement
that shows it closes the transfer.</p>${form}`);
  }
  if (row.state !== 'unallocated') return null;
  const give = postForm(session, `${at}/allocate`, html`${version(row)}
${field('Wallet', 'wallet', {}, 'A reference, a wallet id or an account id')}
<p><button>Credit this wallet</button></p>`);
  const back = postForm(session, `${at}/back`, html`${version(row)}
<p>You then send it back at the bank, with a reference that is shown next.</p>
<input type="hidden" name="word" value="back"><p><button>Send it back</button></p>`);
  const alike = await recordedAlike(services.db, workspaceOf(request), row);
  const wanted = { ...row, reference: null };
  const sent = await providerPayoutsUnderWay(services.db, workspaceOf(request), wanted);
  const options = [
    ...sent.map(({ id, reference }) => [id, `${reference}, sent by the card processor`] as const),
    ...alike.map((one) => [one.id, `${one.bank_reference}, ${one.value_date}`] as const),
  ];
  const form = postForm(session, `${at}/same`, html`${version(row)}
${choice('Transfer', 'known', options)}<p><button>It is this one</button></p>`);
  return html`${card('Credit a wallet', give)}${await openingCard(request, row)}
${card('Send back', back)}
${row.entry_id && card("Nobody's deposit", rowLink(row.entry_id, 'Interest, or your own money'))}
${options.length > 0 && card('Known already', form)}`;
}

function secondCard({ session }: PageRequest, row: IncomingSeen): Html | null {
  if (row.state !== 'proposed' && row.state !== 'allocating') return null;
  const may = row.operator_id !== session.operatorId && hasRight(session, 'confirm');
  const does = isForOpenings(row) ? 'it covers opening balances' : 'credit the wallet';
  const then = row.state === 'proposed' ? 'nothing is recorded' : 'it waits for a new decision';
  const form = postForm(session, `${PATH}/${row.id}/second`, html`${version(row)}
${secondFields(`Confirm: ${does}`, `Reject: ${then}`)}`);
  const wait = html`<p class="faint">Another person must confirm or reject this.</p>`;
  return card('Second approval needed', may ? form : wait);
}

function back({ params }: PageRequest, text: string) {
  return backTo(`${PATH}/${params['id'] ?? ''}`, text);
}

async function allocateOne(request: PageRequest) {
  const { services } = request;
  const { walletId: _, ...transfer } = await seen(request);
  const { state } = await allocate(
    ...([services, operatorOf(request), transfer, targetOf(request)] as const),
  );
  return back(request, state === 'credited'
    ? 'The wallet was credited.'
    : 'Proposed: a second person must confirm it.');
}

async function secondOne(request: PageRequest) {
  const { services, session, form } = request;
  const { currency: _, ...transfer } = await seen(request);
  const agrees = form['word'] === 'confirm';
  const dependent = await dependentOn(services.db, session.operatorId);
  await second(services, operatorOf(request), transfer, agrees, dependent);
  const openings = transfer.walletId === null;
  const done = openings ? 'it covers opening balances' : 'the wallet was credited';
  return back(request, agrees ? `Confirmed: ${done}.` : 'Rejected.');
}

async function backOne(request: PageRequest) {
  const { transferId, version: as } = await seen(request);
  const goes = request.form['word'] === 'back';
  await sendBack(request.services, operatorOf(request), { transferId, version: as }, goes);
  return back(request, goes ? 'Marked to be sent back at the bank.' : 'It is kept.');
}

async function sameOne(request: PageRequest) {
  const { id: transferId, currency, amount } = await found(request);
  const transfer = { transferId, version: Number(request.form['version']), currency, amount };
  await same(request.services, operatorOf(request), transfer, request.form['known'] ?? '');
  return back(request, 'It is that transfer: nothing is booked twice.');
}
