// Acts on money that are not finished, one act with the second person's word about it, entries that
// balance the books, and from how much on it takes two.
import { dependentOn, findOperator, hasRight } from '../product/access/operator/index.ts';
import { secondFrom } from '../product/context.ts';
import {
  ACTS,
  again,
  BALANCE,
  BALANCED,
  digestOf,
  moneyAct,
  openActs,
  proposeBalance,
  secondWord,
  subjectOf,
  takeBack,
  type SeenAct,
  type Subject,
} from '../product/money/act/index.ts';
import { SYSTEM_ACCOUNT_KINDS } from '../ledger/index.ts';
import { html, type Html, type Shown } from '../markup/html.ts';
import { actorOf, choose, labelOf, REASON } from './acts.ts';
import { badge, card, definitions, moment, money, objectLink, table } from './blocks.ts';
import { field, notice, postForm, secondFields } from './frame.ts';
import { backTo, get, NotThere, post, there, workspaceOf } from './routes.ts';
import type { ConsoleApp, PageRequest } from './routes.ts';

const active = '/money';
const AT = '/money/:id';

/** Registers the pages. */
export function moneyPages(app: ConsoleApp): void {
  get(app, '/money', 'read', list);
  post(app, '/money', 'bank', propose);
  get(app, AT, 'read', show);
  post(app, `${AT}/second`, 'confirm', second);
  post(app, `${AT}/back`, 'bank', async (request) => {
    const { id } = await found(request);
    await takeBack(...actorOf(request), id);
    return backTo(`/money/${id}`, 'Taken back: nothing was done.');
  });
  post(app, `${AT}/again`, 'bank', async (request) => {
    const { id } = await found(request);
    await again(...actorOf(request), id);
    return backTo(`/money/${id}`, 'Done.');
  });
}

async function found({ services: { db }, tenant, params }: PageRequest): Promise<SeenAct> {
  return there(tenant && await moneyAct(db, tenant.workspace, params['id'] ?? ''));
}

async function list(request: PageRequest) {
  const { services, session } = request;
  const workspace = workspaceOf(request);
  const currencies = [...(await services.workspaces.currencies(workspace)).keys()];
  const open = await openActs(services.db, workspace, null);
  const waiting = table({
    caption: 'Acts on money that are not finished',
    head: ['Act', { number: 'Amount' }, 'State', 'Asked for', 'By'],
    rows: await Promise.all(open.map(async ({ id, act, amount, currency, ...row }) => [
      html`<a href="/money/${id}">${labelOf(act)}</a>`,
      amount === 0n ? '–' : money(amount, currency),
      badge(row.state),
      moment(row.created),
      await nameOf(request, row.operator_id),
    ])),
    empty: 'Nothing waits for a second person.',
  });
  const limits = table({
    caption: 'Amounts that need a second person',
    head: ['Currency', { number: 'From' }],
    rows: await Promise.all(currencies.map(async (currency) => {
      return [currency, money(await secondFrom(services, workspace, currency), currency)];
    })),
    empty: 'The tenant has no currency.',
  });
  const accounts = BALANCED.map((kind) => {
    return [kind, `${kind.replaceAll('_', ' ')}: ${SYSTEM_ACCOUNT_KINDS[kind]}`] as const;
  });
  const form = postForm(session, '/money', html`
<input type="hidden" name="token" value="${services.random.uuid()}">
<p>Moves your own money from one of your ledger accounts to another, where an entry stands on the
wrong one. It always takes two.</p>${choose('From', 'from', accounts)}
${choose('To', 'to', accounts)}
${choose('Currency', 'currency', currencies.map((one) => [one, one]))}
${field('Amount', 'amount', {}, 'With a point, such as 12.50')}${REASON}
<p><button>Propose</button></p>`);
  const body = html`${card('Not finished', waiting)}<div class="pair">
${hasRight(session, 'bank') && card('Balancing entry', form)}
${card('Amounts that need a second person', limits)}</div>
<p><a href="/lists/money_acts">All acts on money</a></p>`;
  return { title: 'Money work', active, body };
}

async function nameOf({ services }: PageRequest, id: string | null): Promise<string> {
  return id === null ? 'nobody' : ((await findOperator(services, id))?.name ?? id);
}

async function propose(request: PageRequest) {
  const { id, fresh } = await proposeBalance(...actorOf(request), request.form);
  return fresh
    ? backTo(`/money/${id}`, 'Proposed: a second person must confirm it.')
    : backTo(`/money/${id}`, 'This form was sent before: nothing was done again.', 'bad');
}

/** What the form said, in words. */
function saidIn({ act: name, fields, currency }: SeenAct, subject: Subject | null) {
  const given = JSON.parse(fields) as Readonly<Record<string, string>>;
  if (name === BALANCE) return [['From', given['from']], ['To', given['to']]] as const;
  const known = subject && ACTS.find((act) => act.name === name)?.fields?.(subject);
  return (known ?? []).map(({ name: one, label, options }): readonly [string, Shown] => {
    const value = given[one] ?? '';
    const words = options?.find(([option]) => option === value)?.[1];
    return [label, options === undefined ? money(BigInt(value), currency) : (words ?? value)];
  });
}

async function show(request: PageRequest) {
  const { services: { db }, tenant } = request;
  const row = await found(request);
  const { act: name, subject_id: about, amount, currency, state, code } = row;
  const act = ACTS.find((one) => one.name === name);
  const subject = tenant && act ? await subjectOf(db, tenant.workspace, act.kind, about) : null;
  const changed = row.state === 'proposed' && subject !== null && digestOf(subject) !== row.seen;
  const facts = definitions([
    ['State', badge(state)],
    ...(act === undefined ? [] : [['Object', objectLink(about)] as const]),
    ['Amount', amount === 0n ? 'moves no money' : money(amount, currency)],
    ...saidIn(row, subject),
    ['Reason', row.reason],
    ['Asked for by', await nameOf(request, row.operator_id)],
    ['Asked for', moment(row.created)],
    ['Second person', await nameOf(request, row.second_id)],
    ...(code === '' ? [] : [['Refused with', html`<code>${code}</code>`] as const]),
  ]);
  const body = html`${changed && notice('bad', 'The object has changed since. Reject it.')}
${card('What was asked for', html`${act && html`<p>${act.says}</p>
`}${facts}`)}${await secondCard(request, row)}${againCard(request, row)}
<p><a href="/money">All that is not finished</a></p>`;
  return { title: labelOf(name), active, body };
}

async function secondCard(
  { services: { db }, session }: PageRequest,
  { id, state, operator_id: first }: SeenAct,
): Promise<Html | null> {
  if (state !== 'proposed') return null;
  const own = first === session.operatorId;
  const dependent = (await dependentOn(db, session.operatorId)).includes(first);
  const may = !own && !dependent && hasRight(session, 'confirm');
  const words = secondFields('Confirm: it is done at once', 'Reject: nothing is done');
  const form = postForm(session, `/money/${id}/second`, words);
  const takes = postForm(session, `/money/${id}/back`, html`<button class="quiet">Take it back
</button>`);
  const wait = html`<p class="faint">Another person must confirm or reject this${dependent
    && ': one of you invited or reset the other'}.</p>`;
  const back = own && hasRight(session, 'bank') && takes;
  return card('Second approval needed', may ? form : html`${wait}${back}`);
}

function againCard({ session }: PageRequest, { id, state }: SeenAct): Html | null {
  if (state !== 'agreed' && state !== 'running') return null;
  const form = postForm(session, `/money/${id}/again`, html`<p>It was agreed on, but what it needs
was away, or it broke off. To try again does it once at most.</p><button>Try again</button>`);
  return hasRight(session, 'bank') ? card('Not finished', form) : null;
}

async function second(request: PageRequest) {
  const { id } = await found(request);
  const word = request.form['word'] ?? '';
  if (word !== 'confirm' && word !== 'reject') throw new NotThere();
  const agrees = word === 'confirm';
  await secondWord(...actorOf(request), id, agrees);
  return backTo(`/money/${id}`, agrees ? 'Confirmed: it is done.' : 'Rejected: nothing was done.');
}
