// The hosted pages and the widget's script: paths, security headers, and what a page learns about
// its link. Pages run only our own files, only registered sites may frame them, and loading one
// does not use up its link.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../product/context.ts';
import {
  linkPage,
  tenantOfAddress,
  type LinkPage,
} from '../product/access/session-exchange/index.ts';
import { FLOWS } from '../product/access/oauth/index.ts';
import {
  addressAllowed,
  frameOrigins,
  type TenantSettings,
} from '../product/tenant/settings/index.ts';
import { bundles } from './bundles.ts';
import { docsPages } from './docs.ts';
import { renderPage, type Boot } from './flow-page.ts';
import {
  acceptedLanguage,
  ENGLISH,
  findText,
  fitting,
  say,
  textsOf,
  textsWith,
} from '../texts/index.ts';
import { NOTE_HEADERS, notePage } from '../markup/note-page.ts';
import { contentPolicy, frameSources } from '../markup/policy.ts';
import { receiptPages } from './receipt.ts';
import { sendFile } from './send-file.ts';
import { SITE_PATH } from './site.ts';
import { offeredLanguages, textFile } from './text-files.ts';
import { serveWidgetScripts } from './widget-script.ts';

type PageServices = Pick<
  Services,
  'db' | 'env' | 'keys' | 'mailbox' | 'random' | 'urls' | 'word'
>;
/** The console's page of captured mails, which asks for a developer's sign-in. */
const MAILS = '/developers/mails';

const STATUSES = { unused: 200, used: 200, expired: 410, unknown: 404 } as const;
const DEAD = { expired: 'link.LINK_EXPIRED', unknown: 'link.LINK_NOT_FOUND' } as const;
/** Each page load queries the database for its link. */
const LINK = { config: { oneTimeLink: true } } as const;
const PLAIN_LOOK = { background_color: '', primary_color: '', logo: '', preview_text: '' };

/** The widget's host: its script, and links for frames. [seed: Widget script] */
function widgetPages(app: FastifyInstance, services: PageServices): void {
  serveAssets(app);
  serveWidgetScripts(app, services);
  const headers = { ...SAFE, 'content-type': 'text/html; charset=utf-8', ...NOTE_HEADERS };
  // Where a provider's page sends a person whose own page waits in another window.
  for (const what of ['returned', 'expired'] as const) {
    app.get(`/ui/v1/${what}`, (request, reply) =>
      reply.headers(headers).send(noteOf(languageOf(request), what)),
    );
  }
  app.get<Nonce>('/ui/appauth/:nonce', LINK, async (request, reply) => {
    const found = await linkPage(services.db, request.params.nonce);
    const link = found?.mechanism === 'widget' ? found : null;
    return sendLinkPage(services, request, reply, link, framedBy(services, link));
  });
}

/** The hosted pages' host: links opened as a page of their own, never framed. */
function hostedPages(app: FastifyInstance, services: PageServices): void {
  const hosted = async (nonce: string): Promise<LinkPage | null> => {
    const link = await linkPage(services.db, nonce);
    return link === null || link.mechanism === 'widget' ? null : link;
  };
  // Not on the widget's host: a browser login's window returns there and messages its opener. A
  // window that this page itself opens, for a processor's page, must be seen to close.
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cross-origin-opener-policy', 'same-origin-allow-popups');
  });
  serveAssets(app);
  receiptPages(app, services);
  app.get<Nonce>('/checkout/:nonce', LINK, async (request, reply) => {
    const found = await hosted(request.params.nonce);
    const link = found?.flow === 'checkout' ? found : null;
    return sendLinkPage(services, request, reply, link, []);
  });
  app.get<{ Params: { integrator: string; flow: string; nonce: string } }>(
    '/:integrator(^[0-9a-f-]{36}$)/:flow/:nonce',
    LINK,
    async (request, reply) => {
      const { integrator, flow, nonce } = request.params;
      const found = await hosted(nonce);
      const fits = found?.integrator === integrator && found.flow === flow;
      return sendLinkPage(services, request, reply, fits ? found : null, []);
    },
  );
}

interface Nonce {
  Params: { nonce: string };
}

function serveAssets(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>('/ui/assets/:name', async (request, reply) => {
    const { assets } = await bundles();
    const { name } = request.params;
    const asset = Object.hasOwn(assets, name) ? assets[name] : textFile(name);
    if (asset === undefined) return reply.code(404).headers(SAFE).send('');
    const headers = {
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    };
    return sendFile(request, reply, asset, headers);
  });
}

function framedBy({ env }: PageServices, link: LinkPage | null): readonly string[] {
  if (link === null) return [];
  return frameSources(frameOrigins(link.settings, env));
}

const SAFE = { 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' } as const;

/** Sends the page of a link; null: no such link at this address. Changes nothing. [G-13] */
async function sendLinkPage(
  services: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  link: LinkPage | null,
  ancestors: readonly string[],
): Promise<FastifyReply> {
  const { script, style } = await bundles();
  const settings = link?.settings ?? (await tenantOfAddress(services.db, addressOf(request)));
  const boot = bootOf(services, request, link, settings, ancestors);
  const texts = textsWith(settings?.texts ?? {}, boot.language);
  const flow = FLOWS.find((name) => name === (boot.flow ?? boot.flow_query)) ?? 'link';
  const title = findText(texts, 'title', flow.replace('-', '_'));
  const named = [title, boot.integrator_name].filter(Boolean);
  const html = renderPage({
    boot,
    title: named.join(' · '),
    preview: settings?.look.preview_text ?? '',
    script,
    style,
    sentence: boot.link in DEAD ? say(texts, DEAD[boot.link as keyof typeof DEAD]) : '',
    noScript: say(texts, 'note.no_script'),
  });
  return reply
    .code(STATUSES[boot.link])
    .headers({
      ...SAFE,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentPolicy(rulesOf(services), ancestors),
      'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(self)',
      'cross-origin-resource-policy': 'same-origin',
      ...(ancestors.length === 0 ? { 'x-frame-options': 'DENY' } : {}),
    })
    .send(html);
}

/** Previews of files are blobs; without a processor to enter cards at nothing is framed. */
function rulesOf({ urls }: PageServices): Readonly<Record<string, string>> {
  return {
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'frame-src': urls.processor || "'none'",
    'form-action': "'none'",
  };
}

function queryOf({ raw }: FastifyRequest): URLSearchParams {
  return new URLSearchParams((raw.url ?? '').split('?', 2)[1]);
}

/** What the address says of the tenant and the sale. [G-77] */
function addressOf(request: FastifyRequest) {
  const query = queryOf(request);
  const { integrator } = request.params as { readonly integrator?: string };
  return {
    integrator: integrator ?? query.get('integrator'),
    sale: query.get('line_items_payload_id') ?? query.get('authorized_invoice_id'),
  };
}

/** The page of the tenant that its links may lead back to; an app's address is none. */
function homeOf({ return_addresses }: TenantSettings): string | null {
  return return_addresses.find((address) => /^https?:/.test(address)) ?? null;
}

function noteOf(language: string, what: 'returned' | 'expired'): string {
  const texts = textsOf(language);
  const { direction: dir } = texts.about;
  const note = { title: say(texts, `note.${what}`), todo: say(texts, `note.${what}_todo`) };
  return notePage(note.title, note.todo, false, { lang: language, dir });
}

/** The link's own word, else the tenant's, else what the browser asks for. [G-84] */
function languageOf(
  request: FastifyRequest,
  settings: Pick<TenantSettings, 'language' | 'texts'> | null = null,
): string {
  const query = queryOf(request);
  const { language = '', texts = {} } = settings ?? {};
  const asked = query.get('lang') ?? query.get('locale');
  const wanted = asked === null ? null : fitting(asked.replace('_', '-'), texts);
  const tenant = language === '' ? null : fitting(language, texts);
  const header = request.headers['accept-language'] ?? '';
  return wanted ?? tenant ?? acceptedLanguage(header, texts) ?? ENGLISH;
}

function bootOf(
  { env, mailbox, urls, word }: PageServices,
  request: FastifyRequest,
  link: LinkPage | null,
  settings: TenantSettings | null,
  ancestors: readonly string[],
): Boot {
  const query = queryOf(request);
  const own = settings?.texts ?? {};
  const language = languageOf(request, settings);
  const texts = textsWith(own, language);
  const dir = query.get('dir');
  const { background_color, primary_color, logo } = settings?.look ?? PLAIN_LOOK;
  const wanted = query.get('returnurl') ?? query.get('returnUrl') ?? '';
  const allowed = settings?.return_addresses;
  const returns = allowed !== undefined && addressAllowed(allowed, env, wanted);
  return {
    word,
    env,
    link: link?.status ?? 'unknown',
    handle: link?.handle ?? '',
    flow: link?.flow ?? null,
    flow_query: FLOWS.find((name) => name === query.get('flow')) ?? null,
    integrator_name: settings?.name ?? '',
    frame_origins: ancestors,
    return_url: returns ? wanted : null,
    home: settings === null ? null : homeOf(settings),
    contact: settings?.contact ?? '',
    mails: mailbox === null ? null : urls.console + MAILS,
    look: { background_color, primary_color, logo },
    dir: dir === 'ltr' || dir === 'rtl' ? dir : texts.about.direction,
    dir_fixed: dir === 'ltr' || dir === 'rtl',
    language,
    languages: offeredLanguages(own, link?.flow ?? null),
    failed: say(texts, 'page.crashed'),
  };
}

/** Where browsers that open a host of programs are led. */
export const front = { host: 'invoicing', path: SITE_PATH } as const;

/** Pages by host. */
export const pages = { widget: widgetPages, hosted: hostedPages, invoicing: docsPages } as const;
