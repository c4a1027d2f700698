// An account's money, beside its case and on a page of its own: balances, restricted funds, latest
// transactions, blocks, consents, and the state integrators see. No personal data.
import { blocksOf, findAccount } from '../../product/people/account/index.ts';
import { standingConsents } from '../../product/people/consent/index.ts';
import { transactionPageOf } from '../../product/money/history/index.ts';
import { kycOf } from '../../product/people/identity/index.ts';
import { covers, hasRight, listOperators } from '../../product/access/operator/index.ts';
import { applicationOfAccount, nameOwnAccount } from '../../product/people/review/index.ts';
import { balancesOf } from '../../product/money/wallet/index.ts';
import type { Queryable } from '../../db/index.ts';
import { accountId, uuidOfWireId, wireId } from '../../core/ids.ts';
import { choice, postForm } from '../frame.ts';
import { html, type Html } from '../../markup/html.ts';
import { badge, card, definitions, empty, moment, money, table } from '../blocks.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from '../routes.ts';
import { reviewerOf } from './parts.ts';

const LATEST = 10;

/** Registers the page. */
export function moneyPages(app: ConsoleApp): void {
  get(app, '/accounts/:id', 'read', accountPage);
  post(app, '/accounts/:id/operator', 'administer', nameOwner);
}

async function found({ services: { db }, session, params }: PageRequest) {
  const account = uuidOfWireId('acct', params['id'] ?? '');
  if (account === null) throw new NotThere();
  const known = await applicationOfAccount(db, reviewerOf(session), account);
  if (known === null) throw new NotThere();
  return { ...known, account };
}

async function nameOwner(request: PageRequest) {
  const { services, session, form } = request;
  const { workspace, account } = await found(request);
  const operator = form['operator'] ?? '';
  await nameOwnAccount(services, reviewerOf(session), workspace, account, operator);
  const text = 'Saved: this operator cannot decide about this account.';
  return backTo(`/accounts/${accountId(account)}`, text);
}

/** The form that records whose account it is, if it is an operator's own. */
async function ownerCard({ services, session }: PageRequest, account: string): Promise<Html> {
  const all = await listOperators(services);
  const seen = all.filter(({ workspaces }) => covers(session.workspaces, workspaces));
  const named = seen.map(({ id, name }) => [id, name] as const);
  const options = [['', 'Choose'] as const, ...named];
  const required = { marks: html` required` };
  const form = postForm(
    session,
    `/accounts/${accountId(account)}/operator`,
    html`${choice('The account belongs to', 'operator', options, required)}
<p><button>Save</button></p>`,
  );
  const why = html`<p class="faint">Operators cannot decide about their own account.</p>`;
  return card('Account of an operator', html`${why}${form}`);
}

async function accountPage(request: PageRequest) {
  const { services, session } = request;
  const { workspace, account, application } = await found(request);
  const link =
    application === null
      ? empty('No application yet.')
      : html`<p><a href="/reviews/${wireId('kyc', application)}">The latest application</a></p>`;
  const { db } = services;
  const body = html`${await moneyCards(db, workspace, account, 50)}${card('Identity', link)}
${await consentsCard(db, workspace, account)}
${hasRight(session, 'administer') && (await ownerCard(request, account))}`;
  return { title: accountId(account), active: '/reviews', body };
}

/** What the person consented to, and who reported it. [G-16] */
async function consentsCard(db: Queryable, workspace: number, account: string): Promise<Html> {
  const standing = await standingConsents(db, workspace, account);
  const list = table({
    caption: 'Active consents',
    head: ['Given', 'Given by', 'Scopes'],
    rows: standing.map(({ given, given_by, scopes }) => [
      moment(given),
      given_by === 'person' ? 'the person, in a flow' : 'attested by the tenant',
      scopes.join(' '),
    ]),
    empty: 'No active consents.',
  });
  return card('Consents', list);
}

/** The cards about an account's money. */
export async function moneyCards(
  db: Queryable,
  workspace: number,
  account: string,
  latest = LATEST,
): Promise<Html> {
  const [balances, page, stored, kyc] = await Promise.all([
    balancesOf(db, workspace, account, null),
    transactionPageOf(db, workspace, account, { limit: latest, offset: 0, statuses: null }),
    findAccount(db, workspace, account),
    kycOf(db, workspace, account),
  ]);
  const rows = (balances ?? []).map((one) => [
    one.currency,
    money(one.spendable, one.currency, one.digits),
    money(one.kept_back, one.currency, one.digits),
  ]);
  const held = table({
    caption: 'Balances',
    head: ['Currency', { number: 'Available' }, { number: 'Held' }],
    rows,
    empty: 'The account has no wallet.',
  });
  const moves = table({
    caption: 'Latest transactions',
    head: ['Date', 'Transaction', 'Role', 'Status', 'Description'],
    rows: page.transactions.map((one) => [
      moment(one.transaction_date),
      html`<code>${one.transaction_id}</code>`,
      one.transaction_role,
      badge(one.transaction_status),
      one.transaction_description,
    ]),
    empty: 'No transactions yet.',
  });
  const blocks = (stored === null ? [] : blocksOf(stored)).map((one) => {
    return html`<p>${badge('blocked')} ${one.capability}, by ${one.issuer}: ${one.reason}</p>`;
  });
  const told = definitions([
    ['Account', html`<code>${accountId(account)}</code>`],
    ['State', badge(kyc?.state ?? '')],
    ['Level', kyc?.pii_level ?? ''],
    ['Required', kyc?.requirements ?? ''],
    ['Blocks', blocks.length === 0 ? 'none' : blocks],
  ]);
  return html`${card('What the integrator sees', told)}${card('Money', held)}
${card(`Transactions (${page.total})`, moves)}`;
}
