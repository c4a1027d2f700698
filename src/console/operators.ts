// Administration of operators. A link or a second factor is shown once, to whoever made it, nobody
// can grant more than they have, and what makes or takes away an administrator needs two.
import {
  changeOperator,
  covers,
  decideProposal,
  endSessionBy,
  findOperator,
  INVITATION_DAYS,
  invite,
  inviteAgain,
  listOperators,
  operatorActor,
  OperatorRefused,
  proposalFor,
  resetOperator,
  roleNamed,
  roleNames,
  ROLES,
  sessionsOf,
  type Credentials,
  type Operator,
  type Role,
  type Workspaces,
} from '../product/access/operator/index.ts';
import { field, notice, postForm, type Tenant } from './frame.ts';
import { html, type Html } from '../markup/html.ts';
import { badge, card, definitions, moment, table } from './blocks.ts';
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

function box(name: string, label: string, isOn: boolean): Html {
  return html`<label><input type="checkbox" name="${name}"
 value="on"${isOn ? html` checked` : null}>${label}</label>
`;
}

function roleBoxes(held: readonly Role[]): Html {
  return html`<fieldset><legend>Roles</legend>
${Object.entries(ROLES).map(([role, { name, says }]) =>
  box(`role_${role}`, `${name}: ${says}`, held.some((one) => one === role)),
)}</fieldset>`;
}

function inviteForm({ session, tenants, form }: PageRequest): Html {
  const tick = (name: string, label: string) => box(name, label, form[name] === 'on');
  return postForm(
    session,
    '/operators',
    html`${field('Name', 'name', { value: form['name'] ?? '' })}
${field('Username', 'username', { value: form['username'] ?? '' }, 'Lower case; used to sign in')}
${roleBoxes(rolesOf(form))}
<fieldset><legend>Tenants</legend>
${session.workspaces === 'all' && tick('workspace_all', 'all, including future ones')}
${tenants.map(({ workspace, name }) => tick(`workspace_${workspace}`, name))}</fieldset>
<p><button>Invite</button></p>`,
  );
}

async function inviteOne(request: PageRequest) {
  const { services, session, form } = request;
  const wish = {
    name: form['name'] ?? '',
    username: (form['username'] ?? '').trim(),
    roles: rolesOf(form),
    workspaces: workspacesOf(request),
  };
  try {
    const { id, token } = await invite(services, wish, operatorActor(session));
    return linkPage(request, id, token);
  } catch (error) {
    return listPage(request, sentenceOf(error));
  }
}

async function renew(request: PageRequest) {
  const { services, session } = request;
  const { id, invited } = await theirs(request);
  if (!invited) return backTo(`/operators/${id}`, 'This operator has joined already.', 'bad');
  return linkPage(request, id, await inviteAgain(services, id, operatorActor(session)));
}

function linkPage({ services }: PageRequest, id: string, token: string) {
  const link = `${services.urls.console}/invitation/${token}`;
  const body = html`${notice('good', 'Copy this link now: it is not shown again.')}
${card('Invitation', html`<p><span class="code">${link}</span></p>
<p>It works once, within ${INVITATION_DAYS} days. Give it to the invited alone: whoever opens it
first chooses the password.</p>`)}
<p><a href="/operators/${id}">To the operator</a></p>`;
  return { title: 'Operator invited', active: '/operators', body };
}

/** The sentence of a refusal; anything else is a fault. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof OperatorRefused)) throw error;
  return error.message;
}

function rolesOf(form: PageRequest['form']): Role[] {
  const ticked = Object.keys(form).filter((name) => name.startsWith('role_'));
  return ticked.flatMap((name) => roleNamed(name.slice('role_'.length)) ?? []);
}

/** The ticked tenants, limited to those the session may see. */
function workspacesOf({ form, session, tenants }: PageRequest): Workspaces {
  if (form['workspace_all'] === 'on' && session.workspaces === 'all') return 'all';
  return tenants
    .map(({ workspace }) => workspace)
    .filter((workspace) => form[`workspace_${workspace}`] === 'on');
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
  const { id, name, username, roles, workspaces, created, seen, signsOn } = operator;
  const about = definitions([
    ['Username', username],
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
${card('Sessions', sessions)}`;
  return { title: name, active: '/operators', body };
}

function accessCard({ session }: PageRequest, operator: Operator): Html {
  const { id, name, disabled, invited, signsOn } = operator;
  const act = (what: string, label: string, tone = 'quiet') =>
    postForm(session, `/operators/${id}/${what}`, html`<button class="${tone}">${label}</button>`);
  const own = id === session.operatorId;
  const door = disabled ? act('enable', 'Enable') : act('disable', 'Disable', 'danger');
  return card(
    'Access',
    html`<div class="row">${invited && act('invitation', 'New invitation')}
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
