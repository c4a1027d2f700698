// Inviting an operator at the console: the form, and the page that shows the link, or says that it
// was mailed to the invited alone.
import {
  INVITATION_DAYS,
  OperatorRefused,
  roleNamed,
  ROLES,
  type Role,
  type Workspaces,
} from '../product/access/operator/index.ts';
import { html, type Html } from '../markup/html.ts';
import { card } from './blocks.ts';
import { field, notice, postForm } from './frame.ts';
import type { PageRequest } from './routes.ts';

function box(name: string, label: string, isOn: boolean): Html {
  return html`<label><input type="checkbox" name="${name}"
 value="on"${isOn ? html` checked` : null}>${label}</label>
`;
}

/** A box for each role. */
export function roleBoxes(held: readonly Role[]): Html {
  return html`<fieldset><legend>Roles</legend>
${Object.entries(ROLES).map(([role, { name, says }]) =>
  box(`role_${role}`, `${name}: ${says}`, held.some((one) => one === role)),
)}</fieldset>`;
}

/** The form. */
export function inviteForm({ services, session, tenants, form }: PageRequest): Html {
  const tick = (name: string, label: string) => box(name, label, form[name] === 'on');
  return postForm(
    session,
    '/operators',
    html`${field('Name', 'name', { value: form['name'] ?? '' })}
${field('Username', 'username', { value: form['username'] ?? '' }, 'Lower case; used to sign in')}
${services.mail !== null && emailField(form['email'] ?? '', 'The invitation is mailed there')}
${roleBoxes(rolesOf(form))}
<fieldset><legend>Tenants</legend>
${session.workspaces === 'all' && tick('workspace_all', 'all, including future ones')}
${tenants.map(({ workspace, name }) => tick(`workspace_${workspace}`, name))}</fieldset>
<p><button>Invite</button></p>`,
  );
}

/** The link, once; or with null that it is mailed. */
export function linkPage({ services }: PageRequest, id: string, token: string | null) {
  const active = '/operators';
  if (token === null) {
    const said = html`${notice('good', 'The invitation is on its way by mail.')}
<p>Only the invited gets the link. <a href="/operators/${id}">What becomes of the mail</a></p>`;
    return { title: 'Operator invited', active, body: said };
  }
  const link = `${services.urls.console}/invitation/${token}`;
  const body = html`${notice('good', 'Copy this link now: it is not shown again.')}
${card('Invitation', html`<p><span class="code">${link}</span></p>
<p>It works once, within ${INVITATION_DAYS} days. Give it to the invited alone: whoever opens it
first chooses the password.</p>`)}
<p><a href="/operators/${id}">To the operator</a></p>`;
  return { title: 'Operator invited', active, body };
}

/** The ticked tenants, limited to those the session may see. */
export function workspacesOf({ form, session, tenants }: PageRequest): Workspaces {
  if (form['workspace_all'] === 'on' && session.workspaces === 'all') return 'all';
  return tenants
    .map(({ workspace }) => workspace)
    .filter((workspace) => form[`workspace_${workspace}`] === 'on');
}

/** A field for a mail address. */
export function emailField(value: string, hint: string): Html {
  return field('E-mail', 'email', { type: 'email', value, optional: true }, hint);
}
/** The sentence of a refusal; anything else is a fault. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof OperatorRefused)) throw error;
  return error.message;
}

/** The roles that are ticked. */
export function rolesOf(form: PageRequest['form']): Role[] {
  const ticked = Object.keys(form).filter((name) => name.startsWith('role_'));
  return ticked.flatMap((name) => roleNamed(name.slice('role_'.length)) ?? []);
}
