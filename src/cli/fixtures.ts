// Fixtures for event recipes: calls on the running sandbox, people with money, a sale between two
// of them, and waiting for a state.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostName } from '../core/operation.ts';
import type { Server } from './server.ts';

/** An account with its USD wallet. */
export interface Person {
  readonly account_id: string;
  readonly wallet_id: string;
  /** The payment method of that wallet. */
  readonly method: string;
}

interface MethodSeen {
  readonly id: string;
  readonly provider: string;
  readonly processing_currency: string;
  readonly psp_reference: string;
}

/** Minor units that fixtures' people are given, and that their sales cost. */
export const FUNDS = 10_000;
export const PRICE = 2_500;

const WAIT_MS = 20_000;
const LOOK_MS = 100;

/** Calls of one recipe. */
export class Stage {
  readonly server: Server;
  /** Prints what the calls alone do not show. */
  readonly note: (text: string) => void;

  constructor(server: Server, note: (text: string) => void) {
    this.server = server;
    this.note = note;
  }

  async get<T>(host: HostName, path: string): Promise<T> {
    return (await this.server.call(host, 'GET', path)) as T;
  }

  async post<T>(host: HostName, path: string, body?: object): Promise<T> {
    return (await this.server.call(host, 'POST', path, body)) as T;
  }

  /** Registers an account with invented data. */
  async person(): Promise<Person> {
    const body = { username: `trigger-${randomUUID()}`, full_name: 'Terry Trigger' };
    const made = await this.post<{ account_id: string }>('accounts', '/register', body);
    return this.personOf(made.account_id);
  }

  /** The USD wallet of an existing account. */
  async personOf(account_id: string): Promise<Person> {
    const path = `/v1/${account_id}/payment_methods`;
    const methods = await this.get<MethodSeen[]>('payments', path);
    const wallet = methods.find((one) => {
      return one.provider === 'wallet' && one.processing_currency === 'USD';
    });
    if (wallet === undefined) throw new Error(`${account_id} has no USD wallet.`);
    return { account_id, wallet_id: wallet.psp_reference, method: wallet.id };
  }

  /** Puts sandbox money into an account's wallet; returns the deposit's id. */
  async fund(account_id: string): Promise<string> {
    const body = { account_id, currency: 'USD', amount: FUNDS };
    return (await this.post<{ deposit_id: string }>('invoicing', '/sandbox/deposits', body))
      .deposit_id;
  }

  /** Attaches a test card or account; returns the payment method's id. */
  async attach(account_id: string, test_card: string): Promise<string> {
    const body = { account_id, test_card };
    const path = '/sandbox/payment_methods';
    return (await this.post<{ id: string }>('invoicing', path, body)).id;
  }

  /**
   * A sale from a new buyer with money to a new seller, as invoice or escrow, not paid yet; by
   * wallet or by a test card.
   */
  async sale<T>(path: '/v2/invoice' | '/v2/escrow', test_card?: string): Promise<T> {
    const [buyer, seller] = [await this.person(), await this.person()];
    const { account_id } = buyer;
    if (test_card === undefined) await this.fund(account_id);
    const method = test_card === undefined ? null : await this.attach(account_id, test_card);
    const money = { amount: PRICE, currency: 'USD' };
    const recipients = [{ ...money, destination_wallet_id: seller.wallet_id }];
    const line = { ...money, transaction_type: 'user_to_user', product_sku: 'TRIGGER-1' };
    return this.post('invoicing', path, {
      account_id,
      description: 'A sale that holdfast trigger made',
      payment_methods: [{ payment_method_id: method ?? buyer.method }],
      line_items: [{ ...line, recipients }],
    });
  }

  /** Reads until the state is reached; throws one sentence after 20 seconds. */
  async until<T>(path: string, reached: (seen: T) => boolean): Promise<T> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const seen = await this.get<T>('invoicing', path);
      if (reached(seen)) return seen;
      if (Date.now() > deadline) {
        throw new Error(`${path} did not reach the expected state in time.`);
      }
      await sleep(LOOK_MS);
    }
  }
}
