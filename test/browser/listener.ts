// Records everything that a browser sends or stores (requests with headers, messages between
// windows and over ports, storage) and the server's secrets, for tests that no secret leaks.
import assert from 'node:assert/strict';
import type { BrowserContext, Page, Response } from 'playwright-core';

/** What was sent, as text, by the place it was seen at. */
interface Sent {
  readonly where: string;
  readonly text: string;
}

/** Everything heard of one browser. */
export interface Listener {
  readonly requests: readonly string[];
  readonly messages: readonly Sent[];
  /** The tokens of sessions that were opened, newest last. */
  readonly tokens: readonly string[];
  /** Fails if a request left this machine, a header lacked, or a secret is where none may be. */
  quiet(more?: readonly string[]): void;
}

const HOOKS = `
addEventListener('message', ({ data }) => heardBy('window', JSON.stringify(data ?? null)), true);
{
  const send = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, ...rest) {
    heardBy('port', JSON.stringify(message ?? null));
    return send.call(this, message, ...rest);
  };
  const shout = BroadcastChannel.prototype.postMessage;
  BroadcastChannel.prototype.postMessage = function (message) {
    heardBy('broadcast', JSON.stringify(message ?? null));
    return shout.call(this, message);
  };
}`;

const MACHINE = /^(?:data:|blob:|about:|https?:\/\/(?:127\.0\.0\.1|localhost)[:/])/;

/** What every answer to a page of ours carries, by what it is; nothing of the shop's. */
const CARRIED: readonly (readonly [RegExp, Readonly<Record<string, RegExp>>])[] = [
  [
    /\/(?:ui\/appauth|checkout|entry|challenge|login|[0-9a-f-]{36}\/[a-z-]+)\/[^/]+$/,
    {
      'cache-control': /no-store/,
      'content-security-policy': /^default-src 'none';.*frame-ancestors /,
      'referrer-policy': /^no-referrer$/,
      'x-content-type-options': /^nosniff$/,
    },
  ],
  [/\/ui\/api\//, { 'cache-control': /no-store/, 'x-content-type-options': /^nosniff$/ }],
  [/\/assets\//, { 'cache-control': /immutable/, 'x-content-type-options': /^nosniff$/ }],
];

/** Headers that an answer should have had. */
function missing(response: Response): string[] {
  const { pathname } = new URL(response.url());
  const [, wanted = {}] = CARRIED.find(([path]) => path.test(pathname)) ?? [];
  const headers = response.headers();
  return Object.entries(wanted)
    .filter(([name, value]) => !value.test(headers[name] ?? ''))
    .map(([name]) => `${name} of ${pathname}: ${headers[name]}`);
}

/** Begins to listen; before the first page is loaded. */
export async function listen(context: BrowserContext): Promise<Listener> {
  const requests: string[] = [];
  const messages: Sent[] = [];
  const tokens: string[] = [];
  const secrets: string[] = [];
  const nonces: string[] = [];
  const referers: string[] = [];
  const bare: string[] = [];
  await context.exposeBinding('heardBy', (_, where: string, text: string) => {
    messages.push({ where, text });
  });
  await context.addInitScript(HOOKS);
  context.on('request', (request) => {
    requests.push(request.url());
    referers.push(request.headers()['referer'] ?? '');
    const { pathname } = new URL(request.url());
    if (!pathname.endsWith('/ui/api/session')) return;
    const { nonce } = request.postDataJSON() as { nonce: string };
    nonces.push(nonce);
  });
  context.on('response', (response) => {
    bare.push(...missing(response));
    if (!response.url().endsWith('/ui/api/session') || !response.ok()) return;
    void response.json().then(({ payload }: { payload: Record<string, string> }) => {
      const { access_token: token = '', resume = '' } = payload;
      if (token !== '') tokens.push(token);
      secrets.push(...[token, resume].filter((secret) => secret !== ''));
    });
  });
  return {
    requests,
    messages,
    tokens,
    quiet(more = []) {
      assert.ok(requests.length > 0 && tokens.length > 0, 'nothing was heard at all');
      assert.deepEqual(requests.filter((url) => !MACHINE.test(url)), []);
      assert.deepEqual(bare, []);
      const told = [...requests, ...referers, ...messages.map(({ text }) => text)].join('\n');
      for (const secret of [...secrets, ...more]) {
        assert.ok(!told.includes(secret), `told: ${secret.slice(0, 12)}`);
      }
      // A nonce stands in the address of its own page only, which is never a referrer.
      const own = /\/(?:ui\/appauth|checkout|[0-9a-f-]{36}\/[a-z-]+)\/[^/]+$/;
      const others = requests.filter((url) => !own.test(new URL(url).pathname));
      const rest = [...others, ...referers, ...messages.map(({ text }) => text)].join('\n');
      for (const nonce of nonces) assert.ok(!rest.includes(nonce), 'a nonce was told');
    },
  };
}

/** Where a browser gives a frame no storage, nothing is kept. */
const KEPT = `(async () => {
  const look = async (what) => {
    try {
      return await what();
    } catch (error) {
      if (/denied|security policy/.test(error.message)) return [];
      throw error;
    }
  };
  return {
    url: location.href,
    local: await look(() => Object.keys(localStorage)),
    session: await look(() => Object.keys(sessionStorage)),
    databases: await look(async () => (await indexedDB.databases()).map(({ name }) => name)),
    caches: await look(() => caches.keys()),
    workers: await look(async () => 
      (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope)),
    cookie: document.cookie,
    name: window.name,
  };
})()`;

const NOTHING = {
  local: [],
  session: [],
  databases: [],
  caches: [],
  workers: [],
  cookie: '',
  name: '',
};

/** What every frame of a page keeps; all of it must be nothing. `origins`: ours. */
export async function keepsNothing(page: Page, origins: readonly string[]): Promise<void> {
  const ours = page.frames().filter((frame) => origins.includes(new URL(frame.url()).origin));
  for (const frame of ours) {
    const { url, ...kept } = (await frame.evaluate(KEPT)) as Record<string, unknown>;
    assert.deepEqual(kept, NOTHING, String(url));
  }
}
