// The base of browser tests: the platform, a browser, and an integrator's page on another site that
// loads the widget. A test fails on any console error and any policy breach, unless it announced
// that one beforehand.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type FrameLocator } from 'playwright-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { findBrowser, NO_BROWSER } from '../kit/chromium.ts';
import { startPlatform, type Platform, type PlatformOptions } from '../kit/platform.ts';

/** Milliseconds that anything on a page may take. */
const WITHIN_MS = 15_000;

/** A browser beside a platform. */
export interface Bench {
  readonly platform: Platform;
  /** Origin of the integrator's pages. */
  readonly shop: string;
  /** A fresh person: no cookies, nothing remembered; `phone`: a narrow screen. */
  visitor(options?: BrowserContextOptions & { readonly phone?: boolean }): Promise<Visitor>;
  /** A one-time link of the seeded buyer, or as `more` says. */
  link(flow: string | null, more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Fails if a visitor saw an error that it did not expect; closes everything. */
  stop(): Promise<void>;
}

/** What the widget said to the integrator's page. */
export interface Heard {
  readonly complete: readonly Record<string, unknown>[];
  readonly error: readonly Record<string, unknown>[];
  readonly ready: readonly Record<string, unknown>[];
}

/** Options of execute, but for callbacks and the root. */
export type Request = Readonly<Record<string, unknown>>;

/** The program of a browser on the PATH. */
export function browserPath(): string {
  const path = findBrowser();
  assert.ok(path !== null, NO_BROWSER);
  return path;
}

/** Launches the browser; tests run as root in containers, where its sandbox cannot. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
}

/** Starts everything. */
export async function openBench(options: PlatformOptions = {}): Promise<Bench> {
  const platform = await startPlatform(options);
  const shop = await serveShop(platform.ready.urls.widget);
  const browser = await launchBrowser();
  const visitors: Visitor[] = [];
  return {
    platform,
    shop: shop.origin,
    async visitor({ phone = false, ...more } = {}) {
      const viewport = phone ? { width: 360, height: 740 } : { width: 1_000, height: 800 };
      const context = await browser.newContext({ viewport, ...more });
      const visitor = await Visitor.come(context, shop.origin);
      visitors.push(visitor);
      return visitor;
    },
    async link(flow, more = {}) {
      const account_id = platform.ready.accounts.buyer.account_id;
      const body = { account_id, ...(flow === null ? {} : { flow }), ...more };
      const path = '/authorize/user';
      const made = await platform.api.must<{ redirect: string }>(200, 'auth', 'POST', path, {
        body,
      });
      return made.redirect;
    },
    async stop() {
      const troubles = visitors.flatMap((visitor) => visitor.troubles());
      await browser.close();
      await shop.stop();
      await platform.stop();
      assert.deepEqual(troubles, []);
    },
  };
}

/** One person in one browser. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #shop: string;
  readonly #seen: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(context: BrowserContext, page: Page, shop: string) {
    this.context = context;
    this.page = page;
    this.#shop = shop;
    context.on('page', (opened) => this.#watch(opened));
    this.#watch(page);
  }

  static async come(context: BrowserContext, shop: string): Promise<Visitor> {
    context.setDefaultTimeout(WITHIN_MS);
    return new Visitor(context, await context.newPage(), shop);
  }

  #watch(page: Page): void {
    // Breaches of a policy are errors in the console, too.
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#seen.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.#seen.push(error.message));
  }

  /** Says which error in the console is part of the test. */
  expect(error: RegExp): void {
    this.#expected.push(error);
  }

  /** Errors that nobody expected. */
  troubles(): string[] {
    return this.#seen.filter((seen) => !this.#expected.some((error) => error.test(seen)));
  }

  /** Opens the integrator's page, with the widget loaded and nothing begun. */
  async enterShop(path = '/'): Promise<void> {
    await this.page.goto(this.#shop + path);
    await this.until('typeof Holdfast === "object"');
  }

  /** Calls execute on the open page, in the element `root`. */
  async execute(wish: Request): Promise<void> {
    await this.page.evaluate(`start(${JSON.stringify({ rootId: 'root', ...wish })})`);
  }

  /** Enters the shop and begins a flow; gives what is in the frame. */
  async begin(wish: Request): Promise<FrameLocator> {
    await this.enterShop();
    await this.execute(wish);
    return this.frame();
  }

  /** The flow's frame. */
  frame(root = 'root'): FrameLocator {
    return this.page.frameLocator(`#${root} iframe`);
  }

  /** What has been said so far. */
  async heard(): Promise<Heard> {
    return (await this.page.evaluate('heard')) as Heard;
  }

  /** Waits until an expression is true on the page, whose policy forbids it to wait by itself. */
  async until(expression: string): Promise<void> {
    const deadline = Date.now() + WITHIN_MS;
    while ((await this.page.evaluate(expression)) !== true) {
      assert.ok(Date.now() < deadline, `${expression} did not become true`);
      await pause(25);
    }
  }

  /** Waits until as much was said of a kind; gives the last of it. */
  async hears(kind: keyof Heard, count = 1): Promise<Record<string, unknown>> {
    await this.until(`heard.${kind}.length >= ${count}`);
    return (await this.heard())[kind].at(-1) as Record<string, unknown>;
  }
}

/** What a test hook names, on a page or in a frame. */
export function hook(place: Page | FrameLocator, name: string): Locator {
  return place.locator(`[data-test="${name}"]`);
}

const SHOP_SCRIPT = `
window.heard = { complete: [], error: [], ready: [] };
window.start = (options) => {
  window.handle = window.Holdfast.execute({
    onComplete: (result) => heard.complete.push(result),
    onError: (error) => heard.error.push(error),
    onReady: (ready) => heard.ready.push(ready),
    ...options,
  });
};`;

/** The integrator's site, as docs/widget.md has it: on another site, with a policy of its own. */
async function serveShop(widget: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const page = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<h1>Shop</h1><div id="root"></div><div id="second"></div>
<script src="/shop.js"></script><script src="${widget}/ui/v1/widget"></script></html>`;
  // A shop that has forgotten us in its policy.
  const framed = (path = '/'): string => (path === '/no-frames' ? "'none'" : widget);
  const policy = `default-src 'none'; img-src data:; script-src 'self' ${widget}; frame-src `;
  const server = createServer((request, response) => {
    const script = request.url === '/shop.js';
    response.writeHead(200, {
      'content-type': script ? 'text/javascript' : 'text/html; charset=utf-8',
      'content-security-policy': policy + framed(request.url),
      // As strict as a site can be whose frame opens windows for browser logins.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    });
    response.end(script ? SHOP_SCRIPT : page);
  });
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
