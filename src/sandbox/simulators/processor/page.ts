// HTML pages of the processor host: no inline script or style, framed only by whom they are for,
// never cached; and their scripts and styles under URLs with a content hash.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html, pageText, type Html } from '../../../markup/html.ts';
import { contentPolicy } from '../../../markup/policy.ts';
import { acceptedLanguage, ENGLISH, fitting, say, textsOf } from '../../../texts/index.ts';
import type { Key, Texts } from '../../../texts/index.ts';
import { lookName, lookStyle, type Look } from './retrieve.ts';

/** The language of a page. */
export interface Voice {
  readonly lang: string;
  readonly texts: Texts;
}

/** The language that the page around asks for in the address, else the browser's. */
export function voiceOf({ raw, headers }: FastifyRequest): Voice {
  const asked = new URLSearchParams((raw.url ?? '').split('?', 2)[1]).get('lang') ?? '';
  const accepted = acceptedLanguage(headers['accept-language'] ?? '');
  return voiceIn((asked === '' ? null : fitting(asked)) ?? accepted ?? ENGLISH);
}

/** A language that we have a file of. */
export function voiceIn(lang: string): Voice {
  return { lang, texts: textsOf(lang) };
}

/** Texts for a script, by their names; it puts the values in braces in itself. */
export function scriptTexts({ texts }: Voice, keys: Readonly<Record<string, Key>>): string {
  const open = { digits: '{digits}', count: '{count}' };
  const said = Object.entries(keys).map(([name, key]) => [name, say(texts, key, open)]);
  return JSON.stringify(Object.fromEntries(said));
}

/** One page. */
export interface Page {
  readonly voice: Voice;
  readonly title: string;
  readonly look: Look;
  /** Module script from the folder `pages`; null for a page without one. */
  readonly script: string | null;
  /** Given to the script as `data-` attributes of the main element. */
  readonly data: Readonly<Record<string, string>>;
  readonly body: Html;
  /** Sources of CSP's frame-ancestors; empty: never framed. */
  readonly ancestors: readonly string[];
  readonly status?: number;
  /** Style from the folder `pages`, after the common one. */
  readonly style?: string;
}

/** A look for pages that are not embedded. */
export function plainLook({ texts }: Voice): Look {
  return { background: '#ffffff', primary: '#1f5eff', dir: texts.about.direction };
}

const ASSETS = new URL('./pages/', import.meta.url);
const files = new Map(
  readdirSync(ASSETS)
    .toSorted()
    .map((name) => [name, readFileSync(new URL(name, ASSETS))]),
);
/** Over all files together, because modules import one another by plain names. */
const version = [...files]
  .reduce((hash, [name, bytes]) => hash.update(name).update(bytes), createHash('sha256'))
  .digest('base64url')
  .slice(0, 16);

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};
const IMMUTABLE = 'public, max-age=31536000, immutable';
const SAFE = { 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' } as const;

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers({
      ...SAFE,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy({}, page.ancestors),
      'cache-control': 'no-store',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    })
    .send(htmlOf(page));
}

function htmlOf({ voice, title, look, script, data, body, style }: Page): string {
  const { lang, texts } = voice;
  const head = html`<link rel="stylesheet" href="/look/${lookName(look)}">
<link rel="stylesheet" href="/assets/${version}/page.css">
${style && html`<link rel="stylesheet" href="/assets/${version}/${style}">`}
${script && html`<script type="module" src="/assets/${version}/${script}"></script>`}`;
  const attributes = Object.entries(data).map(([key, value]) => html` data-${key}="${value}"`);
  const main = html`<main aria-label="${title}"${attributes}>
${body}
${script && html`<noscript><p class="notice">${say(texts, 'note.no_script')}</p></noscript>`}
</main>`;
  return pageText({ title, lang, dir: look.dir, head, body: main });
}

/** Serves scripts, styles and colours; any other name is 404. */
export function serveAssets(app: FastifyInstance): void {
  const serve = (reply: FastifyReply, type: string, body: Buffer | string | null): FastifyReply => {
    if (body === null) return reply.code(404).headers(SAFE).send('');
    const headers = { ...SAFE, 'content-type': type, 'cache-control': IMMUTABLE };
    return reply.headers(headers).send(body);
  };
  app.get<{ Params: { version: string; name: string } }>(
    '/assets/:version/:name',
    ({ params }, reply) => {
      const type = TYPES[params.name.split('.').at(-1) ?? ''] ?? 'text/plain';
      const known = params.version === version ? files.get(params.name) : undefined;
      return serve(reply, type, known ?? null);
    },
  );
  app.get<{ Params: { name: string } }>('/look/:name', ({ params }, reply) =>
    serve(reply, TYPES['css'] as string, lookStyle(params.name)),
  );
}
