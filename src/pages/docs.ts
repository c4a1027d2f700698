// The documentation at /docs/ and /llms.txt: files that were built, sent as they are and only by
// the list that came with them. A checkout builds them when somebody first asks.
import { spawn, type ChildProcess } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOTE_HEADERS, notePage } from '../markup/note-page.ts';
import { contentPolicy } from '../markup/policy.ts';
import type { Services } from '../product/context.ts';
import { offerFile } from './send-file.ts';
import { builtSite, siteBuilder, SITE_PATH, type Site } from './site.ts';

const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;
const IMMUTABLE = 'public, max-age=31536000, immutable';
const BUILDING = notePage(
  'The documentation is being made',
  'A fresh clone makes it once, which takes a minute or two. This page opens it by itself.',
);
const NOT_BUILT = notePage(
  'The documentation is not made yet',
  'Run npm run docs:site in the folder of the program, then load this page again.',
);

/** The invoicing host's pages. */
export function docsPages(app: FastifyInstance, { env }: Pick<Services, 'env'>): void {
  let site: Site | null = null;
  let child: ChildProcess | null = null;
  let failed = false;
  const begin = (): void => {
    const builder = env === 'staging' ? siteBuilder() : null;
    if (child !== null || failed) return;
    if (builder === null) return void (failed = true);
    child = spawn(process.execPath, builder, { stdio: 'ignore' });
    child.once('error', () => (failed = true));
    child.once('close', (code) => {
      failed = code !== 0;
      child = null;
    });
  };
  app.addHook('onClose', async () => void child?.kill());
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<FastifyReply> => {
    // A build of newer sources takes an old folder away.
    if (site === null || !existsSync(site.folder)) site = await builtSite();
    if (site !== null) return sendPage(site, path, request, reply);
    begin();
    const again = failed ? {} : { refresh: '3', 'retry-after': '5' };
    void reply.code(503).headers({ ...HEADERS, ...NOTE_HEADERS, ...again });
    return reply.type('text/html; charset=utf-8').send(failed ? NOT_BUILT : BUILDING);
  };
  app.get('/llms.txt', (request, reply) => answer(request, reply, 'llms.txt'));
  app.get<{ Params: { '*': string } }>(`${SITE_PATH}*`, (request, reply) =>
    answer(request, reply, request.params['*']),
  );
}

/** Sends a file of the site; another path gets its page for lost readers. */
function sendPage(
  { folder, files }: Site,
  asked: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = /(?:^|\/)$/.test(asked) ? `${asked}index.html` : asked;
  const found = [path, `${path}.html`].find((one) => Object.hasOwn(files, one));
  const name = found ?? '404.html';
  const file = files[name];
  if (file === undefined) throw new Error(`the documentation has no ${name}`);
  const headers = {
    ...HEADERS,
    'cache-control': file.immutable ? IMMUTABLE : 'no-cache',
    'content-security-policy': policyOf(file.scripts ?? []),
  };
  const pack = offerFile(request, reply, file, headers);
  if (pack === null) return reply.code(304).send();
  const stream = createReadStream(join(folder, pack ? `${name}.gz` : name));
  return reply.code(found === undefined ? 404 : 200).send(stream);
}

/** Inline scripts by their hashes; the generators colour code by attributes and write styles. */
function policyOf(scripts: readonly string[]): string {
  const styles = "'self' 'unsafe-inline'";
  return contentPolicy({ 'script-src': ["'self'", ...scripts].join(' '), 'style-src': styles });
}
