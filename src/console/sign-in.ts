// Sign-in and sign-out, passwords, and an operator's sessions. Every failed sign-in gets the same
// text, and afterwards only our own paths are redirected to.
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  changePassword,
  chooseWorkspace,
  endSession,
  endSessionBy,
  endSessionsOf,
  findOperator,
  operatorActor,
  OperatorRefused,
  proveCode,
  sessionOf,
  sessionsOf,
  setEmail,
  SHORTEST,
  signIn,
} from '../product/access/operator/index.ts';
import type { Services } from '../product/context.ts';
import type { ClientAddressOf } from '../http/client-address.ts';
import { begunCookies, cameIn, ownPath, sentByUs, tokenOf } from './browser.ts';
import { barePage, field, notice, postForm } from './frame.ts';
import { emailField } from './inviting.ts';
import { html } from '../markup/html.ts';
import { card } from './blocks.ts';
import { sessionTable } from './sessions.ts';
import { formOf, queryOf, sendForeign, sendHtml, type Mounted } from './mount.ts';
import { backTo, get, NotThere, post, there, type ConsoleApp, type PageRequest } from './routes.ts';

const WRONG = 'Sign-in failed. Check username and password, and try again with a new code.';
const WAIT = 'Too many attempts. Wait a moment, then try again with a new code.';

/** The sign-in page and form, the only ones without a session. */
export function mountSignIn(
  app: FastifyInstance,
  mounted: Mounted,
  clientAddressOf: ClientAddressOf,
): void {
  const { services, place } = mounted;
  const show = (reply: FastifyReply, status: number, next: string, wrong: string | null) =>
    sendHtml(reply, status, signInPage(services, next, wrong));
  app.get('/sign-in', async (request, reply) => {
    const next = ownPath(queryOf(request)['next']);
    const session = await sessionOf(services, tokenOf(request, place));
    return session === null ? show(reply, 200, next, null) : reply.redirect(next, 303);
  });
  app.post('/sign-in', async (request, reply) => {
    if (!sentByUs(request, place)) return sendForeign(mounted, reply);
    const { username = '', password = '', code = '', next } = await formOf(request);
    const address = clientAddressOf(request.raw);
    const signed = await signIn(services, {
      ...{ username, password, code, address, came: cameIn(request, place, address) },
      before: tokenOf(request, place),
    });
    if (signed.ok) {
      void reply.header('set-cookie', begunCookies(signed, place));
      return reply.redirect(ownPath(next), 303);
    }
    if (signed.why === 'wrong') return show(reply, 401, ownPath(next), WRONG);
    void reply.header('retry-after', String(signed.wait));
    return show(reply, 429, ownPath(next), WAIT);
  });
}

/** The page to sign in on; `wrong` says what went wrong before. */
export function signInPage(
  { env, signOn }: Pick<Services, 'env' | 'signOn'>,
  next: string,
  wrong: string | null,
): string {
  const body = html`${wrong !== null && notice('bad', wrong)}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
${field('Username', 'username', { autocomplete: 'username' })}
${field('Password', 'password', { type: 'password', autocomplete: 'current-password' })}
${field('Code', 'code', { autocomplete: 'one-time-code' }, 'Six digits from your authenticator')}
<p><button>Sign in</button></p></form>
${signOn !== null && html`<p><a href="/sign-in/sso">Sign in with single sign-on</a></p>`}`;
  return barePage({ env }, 'Sign in', body);
}

/** Sign-out, password and sessions, for everybody signed in. */
export function ownPages(app: ConsoleApp): void {
  post(app, '/sign-out', 'read', signOut, { early: true });
  get(app, '/password', 'read', async (request) => passwordPage(request, null), { early: true });
  post(app, '/password', 'read', takePassword, { early: true });
  post(app, '/tenant', 'read', showTenant);
  get(app, '/sessions', 'read', showSessions);
  post(app, '/sessions/end', 'read', endOthers);
  post(app, '/sessions/email', 'read', takeEmail);
}

async function signOut({ services, session, form }: PageRequest) {
  const { db } = services;
  if (form['everywhere'] === 'yes') await endSessionsOf(db, session.operatorId);
  else await endSession(db, session);
  return { redirect: '/sign-in', signedOut: true as const };
}

async function showTenant({ services, session, tenants, form }: PageRequest) {
  const chosen = there(tenants.find(({ workspace }) => String(workspace) === form['workspace']));
  await chooseWorkspace(services.db, session, chosen.workspace);
  return { redirect: '/' };
}

const TROUBLES = {
  wrong: 'The current password is wrong.',
  weak: `Choose a password with at least ${SHORTEST} characters.`,
  same: 'Choose a password that differs from the current one.',
  wait: 'Too many attempts. Wait a moment, then try again.',
  twice: 'The new passwords do not match.',
} as const;

function passwordPage({ session }: PageRequest, trouble: keyof typeof TROUBLES | null) {
  const known = { type: 'password', autocomplete: 'current-password' };
  const chosen = { type: 'password', autocomplete: 'new-password' };
  const form = postForm(
    session,
    '/password',
    html`${field('Current password', 'current', known)}
${field('New password', 'chosen', chosen, `At least ${SHORTEST} characters; a sentence is fine`)}
${field('Repeat the new password', 'again', chosen)}
<p><button>Change the password</button></p>`,
  );
  const first =
    session.passwordInitial &&
    html`<p>Choose a password of your own
before you continue.</p>`;
  const body = html`${trouble !== null && notice('bad', TROUBLES[trouble])}${first}${form}`;
  return { title: 'Password', active: '', body, status: trouble === null ? 200 : 400 };
}

async function takePassword(request: PageRequest) {
  const { services, session, form } = request;
  const { current = '', chosen = '', again = '' } = form;
  if (chosen !== again) return passwordPage(request, 'twice');
  const trouble = await changePassword(services, session, { current, chosen });
  if (trouble !== null) return passwordPage(request, trouble);
  return backTo('/', 'Password changed. Your other sessions were signed out.');
}

async function showSessions({ services, session }: PageRequest) {
  const sessions = await sessionsOf(services.db, session.operatorId);
  const body = html`${card(
    'Where you are signed in',
    html`${sessionTable(session, sessions, '/sessions/end')}
<div class="row">${postForm(session, '/sessions/end', html`<button>Sign out the others</button>`)}
${postForm(
  session,
  '/sign-out',
  html`<input type="hidden" name="everywhere" value="yes"><button>Sign out everywhere</button>`,
)}</div>`,
  )}${card('Password', html`<p><a href="/password">Change your password</a></p>`)}
${await emailCard({ services, session })}`;
  return { title: session.name, active: '/sessions', body };
}

/** Where they are mailed; null where nobody is, and they have no address. */
async function emailCard({ services, session }: Pick<PageRequest, 'services' | 'session'>) {
  const { email = null, signsOn = false } =
    (await findOperator(services, session.operatorId)) ?? {};
  if (services.mail === null && email === null) return null;
  if (signsOn) {
    return card('E-mail', html`<p>${email ?? 'None'}: as your identity provider says.</p>`);
  }
  const hint = 'You are mailed when you sign in from a new browser';
  return card('E-mail', postForm(session, '/sessions/email', html`${emailField(email ?? '', hint)}
${field('Code', 'code', { autocomplete: 'one-time-code' }, 'Six digits from your authenticator')}
<p><button>Save</button></p>`));
}

async function takeEmail({ services, session, form }: PageRequest) {
  const { email = '', code = '' } = form;
  const back = (text: string) => backTo('/sessions', text, 'bad');
  if ((await findOperator(services, session.operatorId))?.signsOn !== false) throw new NotThere();
  const proven = await proveCode(services, session, code);
  if (proven !== 'right') return back(proven === 'wait' ? WAIT : 'The code is wrong or was used.');
  try {
    await services.db.transaction((tx) =>
      setEmail(tx, services, session.operatorId, email.trim(), operatorActor(session)),
    );
  } catch (error) {
    if (error instanceof OperatorRefused) return back(error.message);
    throw error;
  }
  return backTo('/sessions', 'Saved.');
}

async function endOthers({ services, session, form }: PageRequest) {
  const id = form['session'] ?? null;
  await endSessionBy(services.db, session, { operatorId: session.operatorId, id });
  const what = id === null ? 'Your other sessions were' : 'That session was';
  return backTo('/sessions', `${what} signed out.`);
}
