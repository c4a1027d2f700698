// Administration of operators. A link or a second factor is shown once, to whoever made it, nobody
// can grant more than they have, and what makes or takes away an administrator needs two.
import {
  changeOperator,
  covers,
  decideProposal,
  endSessionBy,
  findOperator,
  invite,
  inviteAgain,
  listOperators,
  mailsTo,
  operatorActor,
  proposalFor,
  resetOperator,
  roleNames,
  sessionsOf,
  type Credentials,
  type Operator,
  type Role,
  type Workspaces,
} from '../product/access/operator/index.ts';
import { notice, postForm, type Tenant } from './frame.ts';
import { inviteForm, linkPage, roleBoxes, rolesOf, sentenceOf, workspacesOf } from './inviting.ts';
import { html, type Html } from '../markup/html.ts';
import { badge, card, definitions, moment, table, verbatim } from './blocks.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from './routes.ts';
import { signsInWith } from './second-factor.ts';
import { sessionTable } from './sessions.ts';

const AT = '/operators/:id';

/** Registers the pages of operators. */
export function operatorPages(app: ConsoleApp): void {
  get(app, '/operators', 'administer', (request) => listPage(request, null));
  post(app, '/operators', 'administer', inviteOne);
  get(app, AT, 'administer', async (request) => operatorPage(request, await theirs(request)));
  post(app, `${AT}/disable`, 'administer', (request) => setStanding(request, { disabled: true }));
  post(app, `${AT}/enable`, 'administer', (request) => setStanding(request, { disabled: false }));
  post(app, `${AT}/roles`, 'administer', (request) =>
    setStanding(request, { roles: rolesOf(request.form) }),
  );
  post(app, `${AT}/confirm`, 'administer', (request) => decide(request, 'confirmed'));
  post(app, `${AT}/reject`, 'administer', (request) => decide(request, 'rejected'));
  post(app, `${AT}/invitation`, 'administer', renew);
  post(app, `${AT}/sessions`, 'administer', endSessions);
  post(app, `${AT}/second-factor`, 'administer', (request) => reset(request, false));
  post(app, `${AT}/password`, 'administer', (request) => reset(request, true));
}

async function listPage(request: PageRequest, wrong: string | null) {
  const { services, session, tenants } = request;
  const all = await listOperators(services);
  const operators = all.filter(({ workspaces }) => covers(session.workspaces, workspaces));
  const rows = operators.map((one) => [
    html`<a href="/operators/${one.id}">${one.name}</a>`,
    one.username,
    roleNames(one.roles),
    workspaceNames(one.workspaces, tenants),
    html`${badge(stateOf(one))}${one.waits && ' waits for a second approval'}`,
    moment(one.seen),
  ]);
  const list = table({
    caption: 'Operators',
    head: ['Name', 'Username', 'Roles', 'Tenants', 'State', 'Last seen'],
    rows,
    empty: 'No operators that you may see.',
  });
  const body = html`${wrong !== null && notice('bad', wrong)}${card('All operators', list)}
${card('Invite an operator', inviteForm(request))}`;
  return { title: 'Operators', active: '/operators', body, status: wrong === null ? 200 : 400 };
}

function stateOf({ disabled, invited }: Operator): string {
  return disabled ? 'disabled' : invited ? 'invited' : 'active';
}

async function inviteOne(request: PageRequest) {
  const { services, session, form } = request;
  const wish = {
    name: form['name'] ?? '',
    username: (form['username'] ?? '').trim(),
    roles: rolesOf(form),
    workspaces: workspacesOf(request),
    email: (form['email'] ?? '').trim(),
  };
  try {
    const { id, token } = await invite(services, wish, operatorActor(session));
    return linkPage(request, id, token);
  } catch (error) {
    return listPage(request, sentenceOf(error));
  }
}

async function renew(request: PageRequest) {
  const { services, session, form } = request;
  const { id, invited } = await theirs(request);
  if (!invited) return backTo(`/operators/${id}`, 'This operator has joined already.', 'bad');
  const shown = form['show'] === 'yes';
  return linkPage(request, id, await inviteAgain(services, id, operatorActor(session), shown));
}

/** Shown in this answer only and stored nowhere. */
function oncePage(title: string, { username, password, ...rest }: Credentials) {
  const shown: (readonly [string, Html])[] = [['Username', html`<code>${username}</code>`]];
  const initial = html`<span class="code">${password}</span>`;
  if (password !== '') shown.push(['Initial password', initial]);
  const body = html`${notice('good', 'Copy these now: they are not shown again.')}
${card('Credentials', signsInWith(shown, rest))}
<p><a href="/operators">Back to the operators</a></p>`;
  return { title, active: '/operators', body };
}

/** The operator in the path; treated as unknown if they may see more than the session. */
async function theirs({ services, session, params }: PageRequest): Promise<Operator> {
  const operator = await findOperator(services, params['id'] ?? '');
  if (operator === null || !covers(session.workspaces, operator.workspaces)) throw new NotThere();
  return operator;
}

async function operatorPage(request: PageRequest, operator: Operator) {
  const { services, session, tenants } = request;
  const { id, name, username, email, roles, workspaces, created, seen, signsOn } = operator;
  const about = definitions([
    ['Username', username],
    ['E-mail', email ?? 'none'],
    ['Roles', roleNames(roles)],
    ['Tenants', workspaceNames(workspaces, tenants)],
    ['State', badge(stateOf(operator))],
    ['Signs in', signsOn ? 'at the identity provider' : 'by password and code'],
    ['Created', moment(created)],
    ['Last seen', moment(seen)],
    ['Name in the audit', html`<code>operator:${id}</code>`],
  ]);
  const waiting = await proposalCard(request, operator);
  const sessions = sessionTable(
    session,
    await sessionsOf(services.db, id),
    `/operators/${id}/sessions`,
  );
  const groups = 'The groups at the identity provider set these anew at each sign-in.';
  const change =
    waiting === null &&
    id !== session.operatorId &&
    card(
      'Change the roles',
      html`${signsOn && html`<p>${groups}</p>`}${postForm(
        session,
        `/operators/${id}/roles`,
        html`${roleBoxes(roles)}<p><button>Change</button></p>`,
      )}`,
    );
  const body = html`${waiting}${card('Profile', about)}${accessCard(request, operator)}${change}
${card('Sessions', sessions)}${await mailCard(request, id)}`;
  return { title: name, active: '/operators', body };
}

/** What became of the mails to them; in a sandbox also what they said. */
async function mailCard({ services }: PageRequest, id: string): Promise<Html | null> {
  const mails = await mailsTo(services, id);
  if (mails.length === 0) return null;
  const rows = mails.map(({ kind, state, reason, at }) => {
    const became = html`${badge(state)}${reason !== null && ` ${reason}`}`;
    return [kind.replace('_', ' '), became, moment(at)];
  });
  const list = table({ caption: 'Mails', head: ['About', 'State', 'At'], rows, empty: 'None.' });
  const texts = mails.flatMap(({ captured }) => captured ?? []);
  return card('Mails', html`${list}
${texts.length > 0 && html`<p>A sandbox sends no mail. It would have sent:</p>`}
${texts.map((text) => verbatim('Mail', text))}`);
}

function accessCard({ session }: PageRequest, operator: Operator): Html {
  const { id, name, email, disabled, invited, signsOn } = operator;
  const act = (what: string, label: string, tone = 'quiet') =>
    postForm(session, `/operators/${id}/${what}`, html`<button class="${tone}">${label}</button>`);
  const showLink = postForm(session, `/operators/${id}/invitation`, html`
<input type="hidden" name="show" value="yes"><button class="quiet">Show a link instead</button>`);
  const own = id === session.operatorId;
  const door = disabled ? act('enable', 'Enable') : act('disable', 'Disable', 'danger');
  return card(
    'Access',
    html`<div class="row">${invited && act('invitation', 'New invitation')}
${invited && email !== null && showLink}
${!invited && act('second-factor', 'New second factor')}
${!signsOn && act('password', 'New password and second factor')}
${act('sessions', 'End every session')}
${!own && door}
</div><p class="faint">A reset or disabling ends every session of ${name}. An administrator is made
or disabled by two.</p>`,
  );
}

async function proposalCard({ services, session }: PageRequest, { id }: Operator) {
  const proposal = await proposalFor(services, id);
  if (proposal === null) return null;
  const { roles, disabled, proposedBy, at } = proposal;
  const by = (await findOperator(services, proposedBy))?.name ?? proposedBy;
  const own = proposedBy === session.operatorId;
  const act = (what: string, label: string) =>
    postForm(session, `/operators/${id}/${what}`, html`<button>${label}</button>`);
  return card(
    'Second approval needed',
    html`<p>${by} proposed at ${moment(at)} that this operator is
${disabled ? 'disabled' : 'enabled'}, with the roles: ${roleNames(roles)}.</p>
${own && html`<p>Another administrator must confirm it.</p>`}
<div class="row">${!own && act('confirm', 'Confirm')}${act('reject', own ? 'Withdraw' : 'Reject')}
</div>`,
  );
}

async function setStanding(
  request: PageRequest,
  wish: { readonly roles?: readonly Role[]; readonly disabled?: boolean },
) {
  const { id } = await theirs(request);
  const redirect = `/operators/${id}`;
  try {
    const done = await changeOperator(request.services, request.session, id, wish);
    const ended = wish.disabled === true ? 'Disabled; every session was ended.' : 'Changed.';
    return backTo(redirect, done === 'changed' ? ended : 'Another administrator must confirm.');
  } catch (error) {
    return backTo(redirect, sentenceOf(error), 'bad');
  }
}

async function decide(request: PageRequest, decision: 'confirmed' | 'rejected') {
  const { id } = await theirs(request);
  try {
    await decideProposal(request.services, request.session, id, decision);
    return backTo(`/operators/${id}`, decision === 'confirmed' ? 'Confirmed.' : 'Rejected.');
  } catch (error) {
    return backTo(`/operators/${id}`, sentenceOf(error), 'bad');
  }
}

async function endSessions(request: PageRequest) {
  const { id: operatorId } = await theirs(request);
  const { services, session, form } = request;
  await endSessionBy(services.db, session, { operatorId, id: form['session'] ?? null });
  return backTo(`/operators/${operatorId}`, 'Signed out there.');
}

async function reset(request: PageRequest, password: boolean) {
  const { id } = await theirs(request);
  const { services, session } = request;
  try {
    const credentials = await resetOperator(services, { id, password }, operatorActor(session));
    return oncePage(password ? 'Access was reset' : 'Second factor was reset', credentials);
  } catch (error) {
    return backTo(`/operators/${id}`, sentenceOf(error), 'bad');
  }
}

function workspaceNames(workspaces: Workspaces, tenants: readonly Tenant[]): string {
  if (workspaces === 'all') return 'all';
  return workspaces
    .map((workspace) => tenants.find((one) => one.workspace === workspace)?.name ?? '–')
    .join(', ');
}
