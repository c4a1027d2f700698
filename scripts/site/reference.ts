// The browsable API reference: Scalar's page and program as its package makes them, over copies of
// the OpenAPI documents with operations in groups. It asks no other host, and calls no operation.
import fastifyApiReference from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { hash } from 'node:crypto';

/** An OpenAPI document, as far as it is looked at here. */
export interface Described {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Hosts in the order in which a reader needs them; the rest follow. */
const FIRST = ['invoicing', 'payments', 'accounts', 'wallets', 'pii', 'auth'];
/** What is of staging only comes last. */
const LAST = 'Sandbox';
const HEAD = `<link rel="icon" href="data:,">
<style>
:root { --scalar-custom-header-height: 48px; }
body { margin: 0; }
.back { position: sticky; top: 0; z-index: 11; box-sizing: border-box; height: 48px;
  padding: 12px 24px; background: var(--scalar-background-1);
  border-bottom: 1px solid var(--scalar-border-color); }
.back a { color: var(--scalar-color-1); font: 600 15px/24px system-ui, sans-serif;
  text-decoration: none; }
</style>`;
const BACK = '<header class="back"><a href="../index.html">‹ Holdfast documentation</a></header>';

/** The files of the reference by name, from the document of each host. */
export async function referenceOf(
  documents: Readonly<Record<string, Described>>,
): Promise<Readonly<Record<string, string>>> {
  const hosts = [...new Set([...FIRST, ...Object.keys(documents).toSorted()])];
  const grouped = hosts.map((host) => [`${host}.json`, groupedOf(documents[host] as Described)]);
  const sources = hosts.map((slug) => {
    return { slug, title: documents[slug]?.info.title, url: `${slug}.json` };
  });
  const configuration = {
    ...{ sources, pageTitle: 'Holdfast API reference', cdn: 'PROGRAM' },
    ...{ withDefaultFonts: false, telemetry: false, persistAuth: false },
    ...{ hideTestRequestButton: true, hideClientButton: true, showDeveloperTools: 'never' },
    ...{ agent: { disabled: true }, mcp: { disabled: true } },
  };
  const app = fastify();
  // Its type lacks some of its own options.
  const given = { routePrefix: '/api', configuration: configuration as never } as const;
  await app.register(fastifyApiReference, given);
  const [page = '', program = ''] = await Promise.all(
    ['/api/', '/api/js/scalar.js'].map(async (url) => (await app.inject(url)).body),
  );
  await app.close();
  const script = `scalar.${hash('sha256', program).slice(0, 8)}.js`;
  const index = page
    .replace('<html>', '<html lang="en">')
    .replace('</head>', () => `${HEAD}</head>`)
    .replace('<body>', `<body>${BACK}`)
    .replace('PROGRAM', script);
  return { ...Object.fromEntries(grouped), [script]: program, 'index.html': index };
}

/** The document with each operation under the first word of its path. */
function groupedOf(document: Described): string {
  const names = new Map<string, string>();
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const word = path.split('/').find((part) => /^(?!v\d$|\{).+/.test(part)) ?? '';
    const words = word.replaceAll(/[^a-z0-9]+/g, ' ').trim();
    // One group for `payout` and `payouts`.
    const stem = words.replace(/s$/, '');
    const name = names.get(stem) ?? words.charAt(0).toUpperCase() + words.slice(1);
    names.set(stem, name);
    const tagged = Object.entries(methods).map(([of, one]) => [of, { ...one, tags: [name] }]);
    return [path, Object.fromEntries(tagged)];
  });
  const order = [...names.values()].toSorted((a, b) => Number(a === LAST) - Number(b === LAST));
  const tags = order.map((name) => ({ name }));
  return JSON.stringify({ ...document, tags, paths: Object.fromEntries(paths) });
}
