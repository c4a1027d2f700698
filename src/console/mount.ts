// Serves the declared routes: sets the headers of every console answer and checks host, origin,
// session, password, right and token, in that order.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../product/context.ts';
import {
  checkCsrf,
  hasRight,
  RightMissing,
  sessionOf,
  setFlash,
  workspacesSeen,
} from '../product/access/operator/index.ts';
import { successBody } from '../http/envelope.ts';
import { readParameters } from '../http/form.ts';
import { send, sendRefusal } from '../http/send.ts';
import { inputRefusals } from '../core/input-refusals.ts';
import { Refusal, refuse, type RefusalSpec } from '../core/refusal.ts';
import { contentPolicy } from '../markup/policy.ts';
import { sendFile } from '../pages/send-file.ts';
import { ASSETS } from './assets.ts';
import {
  isOtherLoopback,
  ownPath,
  placeOf,
  rightHost,
  sentByUs,
  sessionCookie,
  tokenOf,
  type Place,
} from './browser.ts';
import { readUpload, UPLOAD_BYTES } from './upload.ts';
import { barePage, page, type FrameView } from './frame.ts';
import { html, type Html } from '../markup/html.ts';
import { NotThere, there, type PageAnswer, type Route } from './routes.ts';

const FORM_BYTES = 65_536;
const HEADERS = {
  'content-security-policy': contentPolicy({ 'connect-src': "'none'" }),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  // With `no-referrer` browsers would send no origin with our own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Uploaded files are shown or saved, never executed. */
const FILE = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** What others wrote is framed without scripts, files or a way back into the page. */
const FRAMED = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; " +
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
} as const;
const FRAMES = contentPolicy({ 'connect-src': "'none'", 'frame-src': "'self'" });

/** What everything on the console's host works with. */
export interface Mounted {
  readonly services: Services;
  readonly place: Place;
}

/** Registers headers, forms, the files of every page and the error page. */
export function prepare(app: FastifyInstance, services: Services): Mounted {
  const mounted = { services, place: placeOf(services.urls.console) };
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    (_request, body, done) => done(null, body),
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: UPLOAD_BYTES },
    (_request, body, done) => done(null, body),
  );
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(HEADERS);
    if (rightHost(request, mounted.place)) return;
    if (request.method === 'GET' && isOtherLoopback(request, mounted.place)) {
      return reply.redirect(mounted.place.origin + ownPath(request.raw.url), 303);
    }
    const { origin } = mounted.place;
    return sendTrouble(mounted, reply, 421, 'Wrong address', [`Open the console at ${origin}.`]);
  });
  app.addHook('preParsing', async (request, reply) => {
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  });
  app.setErrorHandler((error, request, reply) => answerError(mounted, error, request, reply));
  app.get('/assets/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const { name } = request.params;
    const asset = there(Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined);
    const headers = { 'cache-control': 'public, max-age=31536000, immutable' };
    return sendFile(request, reply, asset, headers);
  });
  return mounted;
}

/** Serves a route. */
export function mount(app: FastifyInstance, mounted: Mounted, route: Route): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: (request, reply) => answer(mounted, route, request, reply),
  });
}

async function answer(
  mounted: Mounted,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { services, place } = mounted;
  const changes = route.method === 'POST';
  if (changes && !sentByUs(request, place)) return sendForeign(mounted, reply);
  const session = await sessionOf(services, tokenOf(request, place));
  if (session === null) return sendSignIn(route, request, reply);
  if (session.passwordInitial && !route.early) return reply.redirect('/password', 303);
  if (!hasRight(session, route.right)) throw new RightMissing(route.right);
  const form = changes ? await formOf(request, route.upload) : {};
  if (changes && !checkCsrf(session, form['csrf'])) return sendForeign(mounted, reply);
  const tenants = await workspacesSeen(services.db, session.workspaces);
  const tenant =
    tenants.find(({ workspace }) => workspace === session.workspace) ?? tenants[0] ?? null;
  const given = await route.handler({
    ...{ services, session, tenant, tenants, form },
    params: request.params as Record<string, string>,
    query: queryOf(request),
  });
  const frame = { session, env: services.env, tenants, tenant };
  return sendAnswer(mounted, frame, given, request, reply);
}

async function sendAnswer(
  { services, place }: Mounted,
  frame: FrameView,
  given: PageAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { session } = frame;
  if ('redirect' in given) {
    if (given.flash !== undefined) await setFlash(services.db, session, given.flash);
    if (given.signedOut === true) void reply.header('set-cookie', sessionCookie(null, place));
    return reply.redirect(ownPath(given.redirect), 303);
  }
  if ('json' in given) {
    reply.hijack();
    send(request.raw, reply.raw, 200, successBody(given.json));
    return reply;
  }
  if ('stream' in given) return sendStream(reply, given);
  if ('framed' in given) {
    void reply.headers(FRAMED);
    return sendHtml(reply, 200, given.framed);
  }
  if ('bytes' in given) {
    const named = given.name === undefined ? '' : `; filename="${given.name}"`;
    const disposition = given.type.startsWith('image/') ? 'inline' : `attachment${named}`;
    void reply.headers({ ...FILE, 'content-disposition': disposition });
    return reply.type(given.type).send(given.bytes);
  }
  if (given.frames === true) void reply.header('content-security-policy', FRAMES);
  if (session.flash !== null) await setFlash(services.db, session, null);
  return sendHtml(reply, given.status ?? 200, page(frame, given));
}

/** Sends a file as fast as its reader takes it; one who hangs up ends it. */
export function sendStream(
  reply: FastifyReply,
  { stream, type, name }: Extract<PageAnswer, { readonly stream: unknown }>,
): FastifyReply {
  void reply.headers({ ...FILE, 'content-disposition': `attachment; filename="${name}"` });
  return reply.type(type).send(Readable.from(stream));
}

/** Sends markup. */
export function sendHtml(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}

/** Redirects to sign-in and afterwards back to a page; a submitted form is not repeated. */
function sendSignIn(route: Route, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (route.path.startsWith('/v1/')) throw refuse(SIGNED_OUT);
  const next = route.method === 'GET' ? ownPath(request.raw.url) : '/';
  const query = next === '/' ? '' : `?${new URLSearchParams({ next })}`;
  return reply.redirect(`/sign-in${query}`, 303);
}

const SIGNED_OUT: RefusalSpec = {
  code: 'CONSOLE_SIGNED_OUT',
  status: 401,
  sentence: 'You are not signed in to the console.',
  act: 'operator',
  retry: false,
  cites: 'G-57',
};

/** The page for a form that no page of this session sent. */
export function sendForeign(mounted: Mounted, reply: FastifyReply): FastifyReply {
  return sendTrouble(mounted, reply, 403, 'Nothing was changed', [
    'This form belongs to another session, perhaps because you signed in again since.',
    'Reload the page and submit it again.',
  ]);
}

/** Fields of a form by name. Throws if it cannot be read, or has a file where none is taken. */
export async function formOf(
  request: FastifyRequest,
  upload = false,
): Promise<Record<string, string>> {
  if (request.body instanceof Buffer) {
    if (!upload) throw Object.assign(new Error('a form with a file'), { statusCode: 415 });
    const type = request.headers['content-type'] ?? '';
    return readUpload(request.body, type).catch(() => {
      throw refuse(inputRefusals.INVALID_FIELD);
    });
  }
  const fields = readParameters((request.body as string | undefined) ?? '');
  if (fields === null) throw refuse(inputRefusals.INVALID_FIELD);
  return fields;
}

/** Query parameters; none if the query cannot be read. */
export function queryOf({ raw }: FastifyRequest): Record<string, string> {
  const [, ...rest] = (raw.url ?? '').split('?');
  return readParameters(rest.join('?')) ?? {};
}

function sendTrouble(
  { services: { env } }: Mounted,
  reply: FastifyReply,
  status: number,
  title: string,
  sentences: readonly string[],
  back: readonly [path: string, words: string] = ['/', 'To the overview'],
): FastifyReply {
  const body: Html = html`${sentences.map(
    (sentence) => html`<p>${sentence}</p>
`,
  )}<p><a href="${back[0]}">${back[1]}</a></p>`;
  return sendHtml(reply, status, barePage({ env }, title, body));
}

/** The page whose form was refused, as the browser names it. What is shown once has no address. */
function backOf({ method, headers: { referer } }: FastifyRequest): readonly [string, string] {
  const from = method === 'POST' && URL.canParse(referer ?? '') ? new URL(referer ?? '') : null;
  const shown = from?.pathname.replace(/\/(?:open|payer)$/, '') ?? '/';
  const path = ownPath(shown + (from?.search ?? ''));
  return path === '/' ? [path, 'To the overview'] : [path, 'Back to the form'];
}

/** Answers an error with a page, or the envelope for programs; a fault is rethrown. */
function answerError(
  mounted: Mounted,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof Refusal) {
    if (/^\/(?:v1\/|\*)/.test(request.routeOptions.url ?? '')) {
      reply.hijack();
      sendRefusal(request.raw, reply.raw, error);
      return reply;
    }
    const fields = Object.entries(error.fields).map(([name, why]) => `${name}: ${why}`);
    const said = [error.spec.sentence, ...fields, `Code: ${error.spec.code}`];
    return sendTrouble(
      ...([mounted, reply, error.spec.status, 'Request refused', said, backOf(request)] as const),
    );
  }
  if (error instanceof RightMissing) {
    const said = [error.message, 'Ask an administrator for access.'];
    return sendTrouble(mounted, reply, 403, 'Not for your role', said);
  }
  if (error instanceof NotThere) {
    return sendTrouble(mounted, reply, 404, 'Not found', ['There is nothing at this address.']);
  }
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (status === 413 || status === 415 || status === 400) {
    void reply.header('connection', 'close');
    const why = status === 413 ? 'The form is too large.' : 'The form could not be read.';
    return sendTrouble(mounted, reply, status, 'Nothing was changed', [why]);
  }
  throw error;
}
