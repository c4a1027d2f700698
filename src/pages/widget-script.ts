// The widget's script at three kinds of address: the newest, one version for good, and the list of
// versions with their integrity hashes.
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../product/context.ts';
import { bundles, withWord, type Bundles } from './bundles.ts';
import { sendFile } from './send-file.ts';

const PATH = '/ui/v1/widget';
/** Any site may load these. Integrity is only checked of what is requested by CORS. */
const OPEN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;
const FOR_MINUTES = { ...OPEN, 'cache-control': 'public, max-age=300' } as const;
const FOR_GOOD = { ...OPEN, 'cache-control': 'public, max-age=31536000, immutable' } as const;

/** One version of the script. */
interface Version {
  readonly version: string;
  /** Names the bytes: the script of a version that is still being written may change. */
  readonly path: string;
  /** As the attribute `integrity` takes it. */
  readonly integrity: string;
  readonly text: string;
}

/** This build's first, then what releases before it served. [G-83] */
export function versionsOf(
  word: string,
  { loader, version, released }: Pick<Bundles, 'loader' | 'version' | 'released'>,
): readonly Version[] {
  const before = Object.entries(released)
    .filter(([, text]) => text !== loader)
    .toSorted(([one], [other]) => other.localeCompare(one, 'en', { numeric: true }));
  return [[version, loader] as const, ...before].map(([name, source]) => {
    const text = withWord(word, source);
    const digest = hash('sha384', text, 'base64');
    const path = `${PATH}/${name}/${hash('sha256', text, 'hex').slice(0, 16)}.js`;
    return { version: name, path, integrity: `sha384-${digest}`, text };
  });
}

/** Serves the script of the widget's host. [seed: Widget script] */
export function serveWidgetScripts(
  app: FastifyInstance,
  { urls, word }: Pick<Services, 'urls' | 'word'>,
): void {
  let made: Promise<readonly Version[]> | null = null;
  const all = (): Promise<readonly Version[]> =>
    (made ??= bundles().then(
      (built) => versionsOf(word, built),
      (error: unknown) => {
        made = null;
        throw error;
      },
    ));
  const type = 'text/javascript; charset=utf-8';
  app.get(PATH, async (request, reply) => {
    const [newest] = await all();
    return sendFile(request, reply, { type, text: newest?.text ?? '' }, FOR_MINUTES);
  });
  app.get(`${PATH}/versions.json`, async (request, reply) => {
    const list = (await all()).map(({ version, path, integrity }) => ({
      version,
      url: urls.widget + path,
      integrity,
    }));
    const text = JSON.stringify({ versions: list });
    const json = { type: 'application/json; charset=utf-8', text };
    return sendFile(request, reply, json, FOR_MINUTES);
  });
  app.get(`${PATH}/:version/:name`, async (request, reply) => {
    const wanted = (request.raw.url ?? '').split('?', 1)[0];
    const found = (await all()).find(({ path }) => path === wanted);
    if (found === undefined) return reply.code(404).headers(OPEN).send('');
    return sendFile(request, reply, { type, text: found.text }, FOR_GOOD);
  });
}
