// Who is sitting in front of the shop. Answers for the three people of the sandbox and for visitors
// that register; a marketplace of your own has logins here. Refuses to know money.
import { HoldfastError } from '../client/index.ts';
import type { ClientApi } from '../client/generated.ts';

/** The accounts that the sandbox begins with. */
export interface SeededAccounts {
  readonly buyer: { readonly account_id: string };
  readonly seller: { readonly account_id: string };
  readonly seller2: { readonly account_id: string };
}

/** One person. */
export interface Person {
  readonly account_id: string;
  readonly name: string;
  readonly trade: 'buyer' | 'sam' | 'sue' | 'visitor';
  /** What is said of them in a few words. */
  readonly about: string;
}

const PREFIX = 'kiln';
const ACCOUNT = /^acct_[0-9a-z]{26}$/;

/** Everybody that the shop knows. */
export class People {
  /** Those that are always there, the usual buyer first. */
  readonly fixed: readonly [Person, Person, Person];
  readonly #holdfast: ClientApi;
  readonly #known = new Map<string, Person | null>();

  constructor(holdfast: ClientApi, { buyer, seller, seller2 }: SeededAccounts) {
    this.#holdfast = holdfast;
    this.fixed = [
      { account_id: buyer.account_id, name: 'Bea', trade: 'buyer', about: 'buys' },
      { account_id: seller.account_id, name: 'Sam', trade: 'sam', about: 'sells, verified' },
      { account_id: seller2.account_id, name: 'Sue', trade: 'sue', about: 'sells, not verified' },
    ];
    for (const person of this.fixed) this.#known.set(person.account_id, person);
  }

  /** Who sells a product. */
  seller(trade: 'sam' | 'sue'): Person {
    return this.fixed[trade === 'sam' ? 1 : 2];
  }

  /** A person by account; null for one that is not of this shop. */
  async byId(account: string): Promise<Person | null> {
    const known = this.#known.get(account);
    if (known !== undefined || !ACCOUNT.test(account)) return known ?? null;
    const found = await this.#visitor(account);
    this.#known.set(account, found);
    return found;
  }

  /** After a restart the platform still knows who visited. */
  async #visitor(account_id: string): Promise<Person | null> {
    try {
      const { username } = await this.#holdfast.accounts.getUserInfo({ account_id });
      const [prefix, ...words] = username.split('-');
      return prefix === PREFIX ? visitor(account_id, words.slice(0, -1).join(' ')) : null;
    } catch (error) {
      if (error instanceof HoldfastError && error.status === 404) return null;
      throw error;
    }
  }

  /** Registers a visitor. The token of the form makes a second click the same visitor. */
  async register(name: string, token: string): Promise<Person> {
    const words = name.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').slice(0, 30);
    const username = `${PREFIX}-${words.replaceAll(/^-|-$/g, '') || 'visitor'}-${token}`;
    const { account_id } = await this.#holdfast.accounts.registerAccount(
      {
        username,
        full_name: name.trim(),
        email: { address: `${username}@example.test`, requires_verification: false },
      },
      { idempotencyKey: `register-${token}` },
    );
    const person = visitor(account_id, name.trim());
    this.#known.set(account_id, person);
    return person;
  }
}

function visitor(account_id: string, name: string): Person {
  const shown = name.replaceAll(/(^|\s)\S/g, (letter) => letter.toUpperCase());
  return { account_id, name: shown || 'Visitor', trade: 'visitor', about: 'just came in' };
}
