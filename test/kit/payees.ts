// A processor's accounts of sellers for tests of the product, in memory: what it answers is set.
import { newUuid } from '../../src/core/ids.ts';
import type { PayeeOutcome, Payees } from '../../src/providers/payees/port.ts';

type Open = Extract<PayeeOutcome, { readonly state: 'open' }>;

export class FakePayees implements Payees {
  /** Keys under which accounts were opened. */
  readonly keys: string[] = [];
  /** Accounts by reference; one that is deleted is closed. */
  readonly accounts = new Map<string, Open>();
  /** What every call answers instead. */
  instead: PayeeOutcome | null = null;
  /** True: the account is opened, but the answer is lost. */
  silent = false;
  /** True: no page is given. */
  noPage = false;
  readonly #byKey = new Map<string, string>();

  async open({ key }: { readonly key: string }): Promise<PayeeOutcome> {
    if (this.instead !== null) return this.instead;
    const reference = this.#byKey.get(key) ?? `acct_${newUuid()}`;
    if (!this.#byKey.has(key)) {
      this.keys.push(key);
      this.#byKey.set(key, reference);
      this.require(reference, ['external_account']);
    }
    return this.silent ? { state: 'unknown' } : (this.accounts.get(reference) as Open);
  }

  async retrieve(_workspace: number, reference: string): Promise<PayeeOutcome> {
    return this.instead ?? this.accounts.get(reference) ?? { state: 'closed' };
  }

  async page(_workspace: number, reference: string, back: { readonly returnUrl: string }) {
    if (this.noPage) return null;
    const url = `https://setup.example/${reference}/${newUuid()}?to=${back.returnUrl}`;
    return { url, expires: '2999-01-01T00:00:00.000000Z' };
  }

  /** The processor requires this of the seller; nothing: the account takes payouts. */
  require(reference: string, due: readonly string[]): void {
    this.accounts.set(reference, { state: 'open', reference, payable: due.length === 0, due });
  }
}
