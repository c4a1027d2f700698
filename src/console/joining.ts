// The ways in besides the password form: an invitation, and single sign-on. Neither has a session
// yet; what is wrong with a link or an answer is said in one sentence that gives nothing away.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invitationOf, join, SHORTEST, signInAs } from '../product/access/operator/index.ts';
import type { Came } from '../product/access/operator/index.ts';
import { SignOnFailed } from '../providers/sign-on/port.ts';
import { html } from '../markup/html.ts';
import { card } from './blocks.ts';
import type { ClientAddressOf } from '../http/client-address.ts';
import { begunCookies, cameIn, sentByUs, sessionCookie, tokenOf } from './browser.ts';
import { barePage, field, notice } from './frame.ts';
import { formOf, sendForeign, sendHtml, type Mounted } from './mount.ts';
import { there } from './routes.ts';
import { signsInWith } from './second-factor.ts';
import { signInPage } from './sign-in.ts';

type Invited = FastifyRequest<{ Params: { token: string } }>;

const TROUBLES = {
  weak: `Choose a password with at least ${SHORTEST} characters.`,
  code: 'The code is wrong. Add the secret to your authenticator, and enter its code of now.',
  twice: 'The passwords do not match.',
} as const;

/** Registers invitations and, where an identity provider is configured, single sign-on. */
export function mountJoining(
  app: FastifyInstance,
  mounted: Mounted,
  clientAddressOf: ClientAddressOf,
): void {
  const { services, place } = mounted;
  const cameBy = (request: FastifyRequest) => cameIn(request, place, clientAddressOf(request.raw));
  app.get('/invitation/:token', async ({ params: { token } }: Invited, reply) =>
    showInvitation(mounted, reply, token, null),
  );
  app.post('/invitation/:token', async (request: Invited, reply) => {
    if (!sentByUs(request, place)) return sendForeign(mounted, reply);
    const { token } = request.params;
    const { password = '', again = '', code = '' } = await formOf(request);
    if (password !== again) return showInvitation(mounted, reply, token, 'twice');
    const came = cameBy(request);
    const joined = await join(services, token, { password, code, came });
    if (!joined.ok) {
      return showInvitation(mounted, reply, token, joined.why === 'gone' ? null : joined.why);
    }
    void reply.header('set-cookie', begunCookies(joined, place));
    return reply.redirect('/', 303);
  });
  if (services.signOn !== null) mountSignOn(app, mounted, cameBy);
}

async function showInvitation(
  { services }: Mounted,
  reply: FastifyReply,
  token: string,
  trouble: keyof typeof TROUBLES | null,
): Promise<FastifyReply> {
  const frame = { env: services.env };
  const invited = await invitationOf(services, token);
  if (invited === null) {
    const gone = html`<p>This invitation was used, has expired, or was replaced by a newer one.
Ask whoever invited you for a new link.</p><p><a href="/sign-in">Sign in</a></p>`;
    return sendHtml(reply, 404, barePage(frame, 'No invitation', gone));
  }
  const { name, username } = invited;
  const chosen = { type: 'password', autocomplete: 'new-password' };
  const secrets = signsInWith([['Username', html`<code>${username}</code>`]], invited);
  const body = html`${trouble !== null && notice('bad', TROUBLES[trouble])}
<p>Welcome, ${name}. Set up an authenticator app, and choose a password.</p>
${card('How you sign in', secrets)}
<form method="post" action="/invitation/${token}">
${field('Password', 'password', chosen, `At least ${SHORTEST} characters; a sentence is fine`)}
${field('Repeat the password', 'again', chosen)}
${field('Code', 'code', { autocomplete: 'one-time-code' }, 'Six digits from your authenticator')}
<p><button>Join</button></p></form>`;
  return sendHtml(reply, trouble === null ? 200 : 400, barePage(frame, 'Invitation', body));
}

function mountSignOn(
  app: FastifyInstance,
  { services, place }: Mounted,
  cameBy: (request: FastifyRequest) => Came,
): void {
  const { signOn } = services;
  if (signOn === null) throw new Error('no identity provider');
  const back = `${place.origin}/sign-in/back`;
  const failed = (reply: FastifyReply, error: unknown): FastifyReply => {
    if (!(error instanceof SignOnFailed)) throw error;
    return sendHtml(reply, 401, signInPage(services, '/', error.message));
  };
  app.get('/sign-in/sso', async (_request, reply) => {
    const secret = services.random.bytes(32).toString('base64url');
    try {
      const to = await signOn.begin(secret, back);
      void reply.header('set-cookie', sessionCookie(secret, place, 'sign_on'));
      return reply.redirect(to.href, 303);
    } catch (error) {
      return failed(reply, error);
    }
  });
  app.get('/sign-in/back', async (request, reply) => {
    const secret = there(tokenOf(request, place, 'sign_on'));
    void reply.header('set-cookie', sessionCookie(null, place, 'sign_on'));
    try {
      const url = new URL(request.raw.url ?? '', place.origin);
      const person = await signOn.finish(secret, url);
      const begun = await signInAs({ ...services, signOn }, person, cameBy(request));
      // From a page of ours, because a browser sends no strict cookie after a redirect from others.
      void reply.header('set-cookie', begunCookies(begun, place)).header('refresh', '0; url=/');
      const body = html`<p><a href="/">Go on to the console</a></p>`;
      const frame = { env: services.env };
      return sendHtml(reply, 200, barePage(frame, 'You are signed in', body));
    } catch (error) {
      return failed(reply, error);
    }
  });
}
