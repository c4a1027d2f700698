// HTML pages of the processor host: no inline script or style, framed only by whom they are for,
// never cached; and their scripts and styles under URLs with a content hash.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { lookName, lookStyle, type Look } from './retrieve.ts';

/** One page. Everything but `body` is plain text and is escaped here. */
export interface Page {
  readonly title: string;
  readonly look: Look;
  /** Module script from the folder `pages`; null for a page without one. */
  readonly script: string | null;
  /** Given to the script as `data-` attributes of the main element. */
  readonly data: Readonly<Record<string, string>>;
  /** HTML. */
  readonly body: string;
  /** Sources of CSP's frame-ancestors; empty: never framed. */
  readonly ancestors: readonly string[];
  readonly status?: number;
  /** Style from the folder `pages`, after the common one. */
  readonly style?: string;
}

/** A look for pages that are not embedded. */
export const PLAIN: Look = { background: '#ffffff', primary: '#1f5eff', dir: 'ltr' };

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
/** A valid source of frame-ancestors: nothing that ends the directive. */
const SOURCE = /^https?:\/\/[a-z0-9.-]+(?::(?:[0-9]{1,5}|\*))?$/i;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe between tags and in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ENTITIES[found] as string);
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const framed = [...new Set(page.ancestors)].filter((source) => SOURCE.test(source));
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framed.length === 0 ? "'none'" : framed.join(' ')}`,
  ];
  return reply
    .code(page.status ?? 200)
    .headers({
      ...SAFE,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    })
    .send(htmlOf(page));
}

const NO_SCRIPT = `<noscript><p class="notice">This page needs JavaScript. Turn it on and load it
again.</p></noscript>`;

function htmlOf({ title, look, script, data, body, style }: Page): string {
  const attributes = Object.entries(data).map(([key, value]) => ` data-${key}="${escaped(value)}"`);
  const module =
    script === null ? '' : `\n<script type="module" src="/assets/${version}/${script}"></script>`;
  const own =
    style === undefined ? '' : `\n<link rel="stylesheet" href="/assets/${version}/${style}">`;
  return `<!doctype html>
<html lang="en" dir="${look.dir}">
<head>
<meta charset="utf-8">
<title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/look/${lookName(look)}">
<link rel="stylesheet" href="/assets/${version}/page.css">${own}${module}
</head>
<body>
<main aria-label="${escaped(title)}"${attributes.join('')}>
${body}${script === null ? '' : `\n${NO_SCRIPT}`}
</main>
</body>
</html>
`;
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
