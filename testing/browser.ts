// A person's browser, driven by Playwright if the project has it: opens a hosted link, or a flow of
// the widget on a page of its own, and takes the steps of client/playwright there.
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import type { FlowResult } from '../client/driver.ts';
import * as steps from '../client/playwright.ts';
import { onlyKnown, type NamesOf } from './options.ts';

/** How the browser is launched. */
export interface BrowserOptions {
  /** Program of a Chromium; default: Playwright's own, or one on the PATH. */
  readonly executablePath?: string;
  /** False shows it. */
  readonly headless?: boolean;
  /** Milliseconds that anything on a page may take; default 15 seconds. */
  readonly timeoutMs?: number;
}

/** The part of Playwright's Page that is used; for more, cast it: `page as unknown as Page`. */
export interface OpenedPage extends steps.Place {
  goto(url: string): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  setDefaultTimeout(ms: number): void;
}

/** The steps of client/playwright, each without its place. */
export type Steps = {
  readonly [Name in Exclude<keyof typeof steps, 'widgetFrame'>]: (typeof steps)[Name] extends (
    place: steps.Place,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** An opened flow: a person's steps, and what the integrator's page was told. */
export interface Screen extends Steps {
  readonly page: OpenedPage;
  /** Where the steps are taken: the page, or the widget's frame in it. */
  readonly place: steps.Place;
  /** What `onComplete` received; waits for it. Only of the widget. */
  result(): Promise<FlowResult>;
}

/** Options of a widget flow: those of `execute()` without its callbacks. */
export interface WidgetWish {
  readonly flow: string;
  readonly redirect: string;
  readonly flowConfig?: object;
  readonly theme?: object;
}

/** The part of a launched browser that is used. */
interface Launched {
  newPage(): Promise<OpenedPage>;
  close(): Promise<void>;
}

interface Chromium {
  executablePath(): string;
  launch(options: object): Promise<Launched>;
}

const PACKAGES = ['playwright', '@playwright/test', 'playwright-core'];
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const TIMEOUT_MS = 15_000;
const NAMES: NamesOf<BrowserOptions> = { executablePath: true, headless: true, timeoutMs: true };
const LOOK_EVERY_MS = 25;

/** A browser for a platform. */
export class Browser implements AsyncDisposable {
  readonly #browser: Launched;
  readonly #widget: string;
  readonly #timeoutMs: number;
  #shop: Server | null = null;

  private constructor(browser: Launched, widget: string, timeoutMs: number) {
    this.#browser = browser;
    this.#widget = widget;
    this.#timeoutMs = timeoutMs;
  }

  /** Launches it; `widget` is the widget's host. Throws a sentence that says what is missing. */
  static async launch(widget: string, options: BrowserOptions): Promise<Browser> {
    onlyKnown('browser', options, NAMES);
    const { headless = true, timeoutMs = TIMEOUT_MS } = options;
    const chromium = findChromium();
    const path = options.executablePath ?? programOf(chromium);
    // Chromium's own sandbox does not work for root, as in many containers.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const program = path === null ? {} : { executablePath: path };
    const launched = await chromium.launch({ headless, args, ...program });
    return new Browser(launched, widget, timeoutMs);
  }

  /** An empty page. */
  async newPage(): Promise<OpenedPage> {
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(this.#timeoutMs);
    return page;
  }

  /** Opens a hosted link and presses Continue. */
  async openHosted(redirect: string): Promise<Screen> {
    const page = await this.newPage();
    await page.goto(redirect);
    await steps.openLink(page);
    const result = (): Promise<never> =>
      Promise.reject(new Error('A hosted page tells its result to the address of its link.'));
    return { ...stepsIn(page), page, place: page, result };
  }

  /** Opens a widget flow on an integrator's page made for this. */
  async openWidget(wish: WidgetWish): Promise<Screen> {
    const page = await this.newPage();
    await page.goto(await this.#shopAddress());
    await page.evaluate(`begin(${JSON.stringify({ rootId: 'root', ...wish })})`);
    const place = steps.widgetFrame(page, '#root');
    return { ...stepsIn(place), page, place, result: () => this.#resultOf(page) };
  }

  /** Closes every page. */
  async close(): Promise<void> {
    await this.#browser.close();
    this.#shop?.close();
    this.#shop?.closeAllConnections();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #resultOf(page: OpenedPage): Promise<FlowResult> {
    const deadline = Date.now() + this.#timeoutMs;
    for (;;) {
      const told = (await page.evaluate('told')) as { result: FlowResult | null; error: unknown };
      if (told.result !== null) return told.result;
      if (Date.now() > deadline) {
        const error = told.error === null ? '' : ` onError received ${JSON.stringify(told.error)}.`;
        throw new Error(`The flow has not ended within ${this.#timeoutMs} ms.${error}`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async #shopAddress(): Promise<string> {
    this.#shop ??= await serveShop(this.#widget);
    return `http://localhost:${(this.#shop.address() as AddressInfo).port}/`;
  }
}

function stepsIn(place: steps.Place): Steps {
  type Step = (place: steps.Place, ...rest: never[]) => unknown;
  const all = Object.entries(steps) as [string, Step][];
  const bound = all.map(([name, step]) => [name, (...rest: never[]) => step(place, ...rest)]);
  return Object.fromEntries(bound) as Steps;
}

/** A page that loads the widget, on a port that keeps no process alive. */
async function serveShop(widget: string): Promise<Server> {
  const page = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<div id="root"></div><script src="${widget}/ui/v1/widget"></script><script>
const told = { result: null, error: null };
const onComplete = (result) => { told.result = result; };
const onError = (error) => { told.error = error; };
const begin = (wish) => { Holdfast.execute({ ...wish, onComplete, onError }); };
</script></html>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.unref().listen(0, 'localhost', resolve));
  return server;
}

/** Playwright as the project installed it. */
function findChromium(): Chromium {
  const require = createRequire(join(process.cwd(), 'package.json'));
  for (const name of PACKAGES) {
    try {
      return (require(name) as { chromium: Chromium }).chromium;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(
    'Browser tests need Playwright: `npm install --save-dev playwright`. Without it, ' +
      '`openFlow` of holdfast/client/driver does what a person does, without a screen.',
  );
}

/** Null for Playwright's own browser. */
function programOf(chromium: Chromium): string | null {
  if (existsSync(chromium.executablePath())) return null;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = found.find((one) => existsSync(one));
  if (path !== undefined) return path;
  throw new Error(
    'Playwright has no browser here: `npx playwright install chromium`, or say where one is with ' +
      '`executablePath`.',
  );
}
