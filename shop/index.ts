// The demo shop Kiln & Thread: a marketplace on a server of its own that uses Holdfast through the
// public client alone. It makes no call before the first visit.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { HoldfastError } from '../client/index.ts';
import { ICON } from './art.ts';
import { Feed } from './feed.ts';
import { Flows } from './flows.ts';
import { Hooks } from './hooks.ts';
import { chosen, file, fromHere, json, Objection, readVisit, send } from './http.ts';
import type { Reply, Visit } from './http.ts';
import { Orders } from './orders.ts';
import { troublePage } from './pages/account.ts';
import { noteHtml } from './panel.ts';
import { People, type SeededAccounts } from './people.ts';
import { routeOf } from './routes.ts';
import { draw } from './shows.ts';
import type { Desk, Turn } from './turn.ts';
import { openClient, type Credentials } from './wire.ts';

/** What the shop is given: contents of a sandbox's ready line. */
export interface ShopOptions extends Credentials {
  readonly accounts: SeededAccounts;
}

/** A running shop. */
export interface Shop {
  /** Answers one request; never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends the open streams. */
  close(): void;
}

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/shop.css': ['shop.css', 'text/css; charset=utf-8'],
  '/shop.js': ['shop.js', 'text/javascript; charset=utf-8'],
};

/** Opens the shop. `fault` is called with the shop's own failures. */
export function openShop(options: ShopOptions, fault: (error: unknown) => void): Shop {
  const { urls } = options;
  const feed = new Feed((note) => noteHtml(note).text);
  // A call for the shop's own needs, which the panel does not show.
  const { invoicing } = openClient(options, new Feed(() => ''));
  let desk = furnish(options, feed);
  let workspace: string | null = null;
  /** Starts anew after a reset or rollback of the sandbox: earlier visitors may not exist. */
  const deskNow = async (): Promise<Desk> => {
    const known = await invoicing.sandboxListWorlds().catch(() => null);
    const now = known?.worlds.find(({ current }) => current)?.world_id ?? workspace;
    if (workspace !== null && now !== workspace) desk = furnish(options, feed);
    workspace = now;
    return desk;
  };
  return {
    async handle(request, response) {
      try {
        const visit = await readVisit(request);
        const ours = visit.headers.host === new URL(urls.shop).host;
        if (ours && visit.path === '/feed' && visit.method === 'GET') {
          feed.follow(response, Number(visit.headers['last-event-id'] ?? visit.query.get('after')));
          return;
        }
        const reply = await answer({ urls, hooks: () => desk.hooks, desk: deskNow }, visit, fault);
        send(response, visit.method === 'HEAD' ? { ...reply, body: '' } : reply, urls.widget);
      } catch (error) {
        fault(error);
        if (!response.headersSent) send(response, plain(error), urls.widget);
        else response.destroy();
      }
    },
    close: () => feed.close(),
  };
}

function furnish(options: ShopOptions, feed: Feed): Desk {
  const holdfast = openClient(options, feed);
  const people = new People(holdfast, options.accounts);
  return {
    urls: options.urls,
    holdfast,
    people,
    feed,
    orders: new Orders(holdfast, people),
    flows: new Flows(holdfast),
    hooks: new Hooks(holdfast, feed, `${options.urls.shop}/hooks`, (event) => {
      if (event.event_name !== 'kyc-webhook') return;
      people.learn(event.message.account_id, event.message.state);
    }),
  };
}

/** The shop's current state. */
interface Inside {
  readonly urls: Desk['urls'];
  hooks(): Hooks;
  desk(): Promise<Desk>;
}

async function answer(
  inside: Inside,
  visit: Visit,
  fault: (error: unknown) => void,
): Promise<Reply> {
  const { origin, host } = new URL(inside.urls.shop);
  if (visit.method === 'POST' && visit.path === '/hooks') return delivered(inside.hooks(), visit);
  // Under another name a browser would take it for the platform's own site, or a stranger's.
  if (visit.headers.host !== host) {
    return { status: 302, headers: { location: origin + visit.path }, body: '' };
  }
  const asset = await assetOf(visit);
  if (asset !== null) return asset;
  const route = routeOf(visit);
  if (route === null && !isPerson(visit)) return NOTHING;
  const desk = await inside.desk();
  const me = (await desk.people.byId(chosen(visit, 'who'))) ?? desk.people.fixed[0];
  const turn: Turn = { desk, visit, me, id: route?.id ?? '', notes: desk.feed.recent() };
  try {
    if (route === null) throw new Objection(404, UNKNOWN);
    if (visit.method === 'POST' && !fromHere(visit, origin)) {
      throw new Objection(403, 'This request came from another site, so the shop ignored it.');
    }
    return await route.handler(turn);
  } catch (error) {
    return sorry(turn, error, fault);
  }
}

const UNKNOWN = 'There is nothing at this address.';
/** For programs, which try every host for the interface: answered as the interface does. */
const NOTHING: Reply = {
  ...json({
    status: 'Failure',
    message: [UNKNOWN],
    codes: ['NOT_FOUND'],
    payload: { error: UNKNOWN },
  }),
  status: 404,
};

function isPerson({ headers }: Visit): boolean {
  return headers.accept?.includes('text/html') === true;
}

async function delivered(hooks: Hooks, visit: Visit): Promise<Reply> {
  try {
    await hooks.receive(visit);
    return { status: 204, headers: {}, body: '' };
  } catch (error) {
    return plain(error);
  }
}

async function assetOf(visit: Visit): Promise<Reply | null> {
  if (visit.path === '/icon.svg') return file(visit, 'image/svg+xml', ICON);
  const found = Object.hasOwn(FILES, visit.path) ? FILES[visit.path] : undefined;
  if (found === undefined) return null;
  const [name, type] = found;
  return file(visit, type, await readFile(join(import.meta.dirname, 'browser', name), 'utf8'));
}

/** The page, or the answer to the page's script, that says what went wrong. */
async function sorry(turn: Turn, error: unknown, fault: (error: unknown) => void): Promise<Reply> {
  const known = error instanceof HoldfastError || error instanceof Objection;
  if (!known) fault(error);
  const codes = error instanceof HoldfastError ? error.codes : [];
  const sentence = sentenceOf(error);
  if (turn.visit.path.endsWith('/result')) return json({ trouble: sentence });
  const status = error instanceof Objection ? error.status : 502;
  return draw(turn, () => troublePage(sentence, codes), status);
}

function sentenceOf(error: unknown): string {
  if (error instanceof Objection) return error.message;
  if (!(error instanceof HoldfastError)) return 'The shop has failed; see its log.';
  // The codes are shown beside it.
  return error.message.replace(`${error.codes.join(', ')}: `, '');
}

function plain(error: unknown): Reply {
  const status = error instanceof Objection ? error.status : 500;
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: sentenceOf(error) };
}
