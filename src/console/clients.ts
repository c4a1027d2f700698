// Secrets of API clients that a developer made and that wait for a second person, because they
// reach further than a developer's role: to money, or to people.
import {
  beyondDevelopers,
  decidePending,
  isScope,
  pendingClients,
  SCOPES,
  type PendingClient,
} from '../product/access/oauth/index.ts';
import { dependentOn, findOperator } from '../product/access/operator/index.ts';
import { html, type Html } from '../markup/html.ts';
import { card, definitions, empty, moment } from './blocks.ts';
import { postForm } from './frame.ts';
import { backTo, get, NotThere, post, tenantOf } from './routes.ts';
import type { ConsoleApp, PageRequest } from './routes.ts';

const AT = '/clients';

/** Registers the page and its form. */
export function clientApprovals(app: ConsoleApp): void {
  get(app, AT, 'confirm', show);
  post(app, `${AT}/:id`, 'confirm', decide);
}

async function show(request: PageRequest) {
  const { services: { db } } = request;
  const waiting = await pendingClients(db, tenantOf(request).workspace);
  const cards = await Promise.all(waiting.map((one) => pendingCard(request, one)));
  const body = html`<p>A developer made these secrets. They work once an independent person has
confirmed them.</p>${cards.length === 0 ? empty('No secret waits.') : cards}`;
  return { title: 'Secrets of API clients', active: AT, body };
}

async function pendingCard(request: PageRequest, one: PendingClient): Promise<Html> {
  const { id, name, scopes, isNew, by, since, seen } = one;
  const why = await troubleWith(request, one);
  const beyond = beyondDevelopers(scopes);
  const facts = definitions([
    ['Client', html`<code>${id}</code>`],
    ['What waits', isNew ? 'the client is new' : 'a new secret of a client that is there'],
    ['Made by', (await findOperator(request.services, by))?.name ?? by],
    ['Made', moment(since)],
  ]);
  const means = definitions(
    beyond.map((scope) => [scope, isScope(scope) ? SCOPES[scope] : ''] as const),
  );
  const form = postForm(request.session, `${AT}/${id}`, html`
<input type="hidden" name="seen" value="${seen}">
<p class="row">${why === null && html`<button name="word" value="confirm">Confirm</button>`}
<button name="word" value="reject" class="quiet">Reject</button></p>`);
  return card(name, html`${facts}<p>What it may do beyond a developer:</p>${means}
${why !== null && html`<p class="faint">${why}</p>`}${form}`);
}

/** Why this operator cannot confirm it; null where they can. */
async function troubleWith(
  { services, session: { operatorId } }: PageRequest,
  { by }: PendingClient,
): Promise<string | null> {
  if (by === operatorId) return 'Another person must confirm what you made.';
  if ((await dependentOn(services.db, operatorId)).includes(by)) {
    return 'One of you invited or reset the other: another person must confirm it.';
  }
  const maker = await findOperator(services, by);
  return maker === null || maker.disabled ? 'Who made it has no access any more. Reject it.' : null;
}

async function decide(request: PageRequest) {
  const { services: { db }, session, params, form } = request;
  const { workspace } = tenantOf(request);
  const { word = '', seen } = form;
  const found = await pendingClients(db, workspace);
  const one = found.find(({ id }) => id === params['id']);
  if (one === undefined || !['confirm', 'reject'].includes(word)) throw new NotThere();
  const confirms = word === 'confirm';
  const why = confirms ? await troubleWith(request, one) : null;
  if (why !== null) return backTo(AT, why, 'bad');
  const isDone =
    one.seen === seen &&
    (await db.transaction((tx) =>
      decidePending(tx, workspace, one, confirms, session.operatorId),
    ));
  if (!isDone) return backTo(AT, 'Another secret was made since. Look again.', 'bad');
  return backTo(AT, confirms ? 'Confirmed: the secret works now.' : 'Rejected.');
}
