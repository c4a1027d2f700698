// Administration of operators. Passwords and second factors are shown once, to whoever created
// them, and nobody can grant more than they have.
import {
  covers,
  createOperator,
  findOperator,
  isRole,
  listOperators,
  operatorActor,
  OperatorRefused,
  resetOperator,
  ROLES,
  setOperatorDisabled,
  type Credentials,
  type Operator,
  type Role,
  type Workspaces,
} from '../product/access/operator/index.ts';
import { field, notice, postForm, roleNames, type Tenant } from './frame.ts';
import { html, type Html } from '../markup/html.ts';
import { badge, card, definitions, moment, table } from './blocks.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from './routes.ts';

/** Registers the pages of operators. */
export function operatorPages(app: ConsoleApp): void {
  get(app, '/operators', 'operator', (request) => listPage(request, null));
  post(app, '/operators', 'operator', create);
  get(app, '/operators/:id', 'operator', async (request) =>
    operatorPage(request, await theirs(request)),
  );
  post(app, '/operators/:id/disable', 'operator', (request) => setDisabled(request, true));
  post(app, '/operators/:id/enable', 'operator', (request) => setDisabled(request, false));
  post(app, '/operators/:id/second-factor', 'operator', (request) => reset(request, false));
  post(app, '/operators/:id/password', 'operator', (request) => reset(request, true));
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
    badge(one.disabled ? 'disabled' : 'active'),
    moment(one.seen),
  ]);
  const list = table({
    caption: 'Operators',
    head: ['Name', 'Username', 'Roles', 'Tenants', 'State', 'Last seen (UTC)'],
    rows,
    empty: 'No operators that you may see.',
  });
  const body = html`${wrong !== null && notice('bad', wrong)}${card('All operators', list)}
${card('New operator', createForm(request))}`;
  return { title: 'Operators', active: '/operators', body, status: wrong === null ? 200 : 400 };
}

function createForm({ session, tenants, form }: PageRequest): Html {
  const box = (name: string, label: string) => html`<label><input type="checkbox" name="${name}"
 value="on"${form[name] === 'on' ? html` checked` : null}>${label}</label>
`;
  return postForm(
    session,
    '/operators',
    html`${field('Name', 'name', { value: form['name'] ?? '' })}
${field('Username', 'username', { value: form['username'] ?? '' }, 'Lower case; used to sign in')}
<fieldset><legend>Roles</legend>
${Object.entries(ROLES).map(([role, says]) => box(`role_${role}`, `${role}: ${says}`))}</fieldset>
<fieldset><legend>Tenants</legend>
${session.workspaces === 'all' && box('workspace_all', 'all, including future ones')}
${tenants.map(({ workspace, name }) => box(`workspace_${workspace}`, name))}</fieldset>
<p><button>Create</button></p>`,
  );
}

async function create(request: PageRequest) {
  const { services, session, form } = request;
  try {
    const credentials = await createOperator(
      services,
      {
        name: form['name'] ?? '',
        username: (form['username'] ?? '').trim(),
        roles: rolesOf(form),
        workspaces: workspacesOf(request),
      },
      operatorActor(session),
    );
    return oncePage('Operator created', credentials);
  } catch (error) {
    if (!(error instanceof OperatorRefused)) throw error;
    return listPage(request, error.message);
  }
}

function rolesOf(form: PageRequest['form']): Role[] {
  return Object.keys(ROLES).filter((role): role is Role => isRole(role) && !!form[`role_${role}`]);
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
  const secret = (text: string): Html => html`<span class="code">${text}</span>`;
  if (password !== '') shown.push(['Initial password', secret(password)]);
  shown.push(['Authenticator secret', secret(rest.totp_secret)]);
  shown.push(['Authenticator link', secret(rest.totp_address)]);
  const body = html`${notice('good', 'Copy these now: they are not shown again.')}
${card('Credentials', definitions(shown))}
<p><a href="/operators">Back to the operators</a></p>`;
  return { title, active: '/operators', body };
}

/** The operator in the path; treated as unknown if they may see more than the session. */
async function theirs({ services, session, params }: PageRequest): Promise<Operator> {
  const operator = await findOperator(services, params['id'] ?? '');
  if (operator === null || !covers(session.workspaces, operator.workspaces)) throw new NotThere();
  return operator;
}

function operatorPage({ session, tenants }: PageRequest, operator: Operator) {
  const { id, name, username, roles, workspaces, disabled, created, seen } = operator;
  const act = (what: string, label: string, tone: string) =>
    postForm(session, `/operators/${id}/${what}`, html`<button class="${tone}">${label}</button>`);
  const own = id === session.operatorId;
  const door = disabled ? act('enable', 'Enable', 'quiet') : act('disable', 'Disable', 'danger');
  const acts = html`<div class="row">${act('second-factor', 'New second factor', 'quiet')}
${act('password', 'New password and second factor', 'quiet')}
${!own && door}
</div><p class="faint">A reset or disabling ends every session of ${name}.</p>`;
  const about = definitions([
    ['Username', username],
    ['Roles', roleNames(roles)],
    ['Tenants', workspaceNames(workspaces, tenants)],
    ['State', badge(disabled ? 'disabled' : 'active')],
    ['Created (UTC)', moment(created)],
    ['Last seen (UTC)', moment(seen)],
    ['Name in the audit', html`<code>operator:${id}</code>`],
  ]);
  const body = html`${card('Profile', about)}${card('Access', acts)}`;
  return { title: name, active: '/operators', body };
}

async function setDisabled(request: PageRequest, disabled: boolean) {
  const { id } = await theirs(request);
  const { services, session } = request;
  const redirect = `/operators/${id}`;
  if (id === session.operatorId) {
    return backTo(redirect, 'You cannot disable yourself. Ask another operator.', 'bad');
  }
  await setOperatorDisabled(services, id, disabled, operatorActor(session));
  return backTo(redirect, disabled ? 'Disabled; every session was ended.' : 'Enabled.');
}

async function reset(request: PageRequest, password: boolean) {
  const { id } = await theirs(request);
  const { services, session } = request;
  const credentials = await resetOperator(services, { id, password }, operatorActor(session));
  return oncePage(password ? 'Access was reset' : 'Second factor was reset', credentials);
}

function workspaceNames(workspaces: Workspaces, tenants: readonly Tenant[]): string {
  if (workspaces === 'all') return 'all';
  return workspaces
    .map((workspace) => tenants.find((one) => one.workspace === workspace)?.name ?? '–')
    .join(', ');
}
