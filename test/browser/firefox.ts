// Firefox ESR as its distribution packages it, driven by WebDriver BiDi. playwright-core, which the
// other browser tests have, asks for commands that an ESR does not know yet.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type ElementHandle, type Frame, type Page } from 'puppeteer-core';
import { findFirefox, NO_FIREFOX } from '../kit/chromium.ts';
import { png } from '../kit/sample-files.ts';

/** Milliseconds that anything on a page may take. */
const WITHIN_MS = 20_000;

/** A page or a frame, by the hooks in it. */
export class Hooks {
  readonly #place: Page | Frame;

  constructor(place: Page | Frame) {
    this.#place = place;
  }

  #at(name: string) {
    return this.#place.locator(`[data-test="${name}"]`).setTimeout(WITHIN_MS);
  }

  /** The element once it is there and seen. */
  async see(name: string): Promise<ElementHandle> {
    return (await this.#at(name).waitHandle()) as ElementHandle;
  }

  async text(name: string): Promise<string> {
    return (await this.see(name)).evaluate((one) => one.textContent ?? '');
  }

  async click(name: string): Promise<void> {
    await this.#at(name).click();
  }

  /** Fills a field in, or chooses in a list. */
  async fill(name: string, value: string): Promise<void> {
    await this.#at(name).fill(value);
  }

  /** Types key by key; gives what stands in the field then. */
  async type(name: string, text: string): Promise<string> {
    const field = await this.see(name);
    await field.type(text);
    return field.evaluate((one) => (one as unknown as { readonly value: string }).value);
  }

  /** The frame in an element. */
  async frame(within: string): Promise<Hooks> {
    const place = this.#place.locator(`[data-test="${within}"] iframe`).setTimeout(WITHIN_MS);
    return new Hooks((await (await place.waitHandle()).contentFrame()) as Frame);
  }

  /** Chooses a file; Firefox reads it when it is sent. */
  async choose(name: string, path: string): Promise<void> {
    const field = await this.#place.waitForSelector(`[data-test="${name}"]`);
    await (field as ElementHandle).uploadFile(path);
    await this.see(`${name}-clear`);
  }
}

/** A Firefox of one language with one page. */
export interface Fox {
  readonly page: Page;
  /** Errors in the console and of scripts. */
  readonly troubles: readonly string[];
  /** A file with a picture. */
  readonly photo: string;
  stop(): Promise<void>;
}

/** Launches it. Throws where there is none. */
export async function openFirefox(language: string): Promise<Fox> {
  const executablePath = findFirefox();
  assert.ok(executablePath !== null, NO_FIREFOX);
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: { 'intl.accept_languages': language },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 400, height: 800 });
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-firefox-'));
  const photo = join(folder, 'photo.png');
  writeFileSync(photo, png(300, 200));
  const stop = async (): Promise<void> => {
    await browser.close();
    rmSync(folder, { recursive: true });
  };
  return { page, troubles, photo, stop };
}
