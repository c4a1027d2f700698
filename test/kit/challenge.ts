// The buyer at the bank, for tests: finds the page where a payment waits, and decides there as the
// page's script would.
import assert from 'node:assert/strict';
import type { Api } from './api.ts';

const WITHIN_MS = 20_000;

export class Bank {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Waits until something is so. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + WITHIN_MS;
    while (!(await holds())) {
      assert.ok(Date.now() < deadline, `not so after ${WITHIN_MS} ms: ${holds.toString()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Waits until the invoice or deposit at a path says where its buyer confirms. */
  async pageOf(path: string): Promise<string> {
    let url: string | undefined;
    await this.until(async () => {
      type Seen = { authentication_url?: string };
      url = (await this.#api.must<Seen>(200, 'invoicing', 'GET', path)).authentication_url;
      return url !== undefined;
    });
    return url ?? '';
  }

  /** The page as a browser gets it. */
  async read(url: string): Promise<string> {
    return (await fetch(url)).text();
  }

  /** Decides; gives the status of the answer. */
  async decide(url: string, decision: 'confirm' | 'refuse'): Promise<number> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ decision });
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }
}
