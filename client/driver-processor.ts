// What a person does on the pages of the sandbox's processor: enters a card or account, logs in,
// confirms a payment. Accepts test numbers only; there is no driver for a real processor's pages.
import { ownFetch } from './client.ts';
import {
  TEST_BANKS,
  TEST_CARDS,
  TEST_ROUTING,
  type SessionApi,
  type TEST_LOGINS,
} from './generated.ts';
import { send, type Fetch } from './transport.ts';

/** A test card, bank account or login by name, or a card by what is typed. */
export type TestMethod =
  | keyof typeof TEST_CARDS
  | keyof typeof TEST_BANKS
  | (typeof TEST_LOGINS)[number]
  | {
      readonly number: string;
      readonly expiry_month?: number;
      readonly expiry_year?: number;
      readonly cvc?: string;
    };

interface Way {
  readonly fetch?: Fetch;
  readonly redirect: string;
}

const FAR_YEAR = 2040;

/** Enters a method on the processor's page; returns the entry to attach. */
export async function enter(way: Way, api: SessionApi, method: TestMethod): Promise<string> {
  const kind = kindOf(method);
  const login = kind === 'paypal' ? { return_url: way.redirect.replace(/\?.*/, '') } : {};
  const entry = await api.payments.createPaymentMethodEntry({ kind, ...login });
  // A login's page has another URL, but posts to the same entry.
  const url = entry.url.replace(/\/login\/(?=[^/]+$)/, '/entry/');
  await post(way, url, typed(method));
  return entry.entry_id;
}

/** Decides a payment on the bank's page. */
export async function decide(way: Way, url: string, decision: string): Promise<void> {
  await post(way, url, { decision });
}

function kindOf(method: TestMethod): 'card' | 'bank' | 'paypal' {
  if (typeof method === 'object' || method in TEST_CARDS) return 'card';
  return method in TEST_BANKS ? 'bank' : 'paypal';
}

/** What is typed on the page. */
function typed(method: TestMethod): object {
  const card = typeof method === 'object' ? method : null;
  const number = card?.number ?? TEST_CARDS[method as keyof typeof TEST_CARDS];
  if (number !== undefined) {
    const { expiry_month = 12, expiry_year = FAR_YEAR, cvc } = card ?? {};
    const code = cvc ?? (/^3[47]/.test(number) ? '1234' : '123');
    return { number: number.replaceAll(' ', ''), expiry_month, expiry_year, cvc: code };
  }
  const account_number = TEST_BANKS[method as keyof typeof TEST_BANKS];
  if (account_number !== undefined) return { routing_number: TEST_ROUTING, account_number };
  return { login: method };
}

async function post({ fetch }: Way, url: string, body: object): Promise<void> {
  const call = {
    operation: '',
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    repeatable: false,
    bare: true,
  };
  await send(fetch ?? ownFetch, call, null);
}
