// The people who can use the shop: the three of the sandbox, a seller in Germany whom the shop
// registers, and visitors who register. Your own marketplace has logins here.
import { HoldfastError } from '../client/index.ts';
import type { ClientApi } from '../client/generated.ts';
import type { Product } from './goods.ts';

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
  readonly trade: Product['seller'] | 'buyer' | 'visitor';
}

const PREFIX = 'kiln';
/** The seller in Germany; the IBAN is an invented one that is well formed. */
const GRETA = {
  username: `${PREFIX}-greta`,
  full_name: 'Greta Töpfer',
  email: { address: 'greta@example.test', requires_verification: false },
};
const IBAN = 'DE89 3704 0044 0532 0130 00';
const ACCOUNT = /^acct_[0-9a-z]{26}$/;

/** Everybody known to the shop. */
export class People {
  /** Those who always exist, the usual buyer first; `meet` adds the seller in Germany. */
  fixed: readonly [Person, Person, Person, ...Person[]];
  readonly #holdfast: ClientApi;
  readonly #known = new Map<string, Person | null>();
  readonly #verified = new Set<string>();
  #met: Promise<void> | null = null;

  constructor(holdfast: ClientApi, { buyer, seller, seller2 }: SeededAccounts) {
    this.#holdfast = holdfast;
    this.fixed = [
      { account_id: buyer.account_id, name: 'Bea', trade: 'buyer' },
      { account_id: seller.account_id, name: 'Sam', trade: 'sam' },
      { account_id: seller2.account_id, name: 'Sue', trade: 'sue' },
    ];
    for (const person of this.fixed) this.#known.set(person.account_id, person);
  }

  /** The seller of a product. */
  seller(trade: Product['seller']): Person {
    const found = this.fixed.find((one) => one.trade === trade);
    if (found === undefined) throw new Error(`nobody has met ${trade} yet`);
    return found;
  }

  /** A person in a few words. */
  about({ account_id, trade }: Person): string {
    if (trade === 'buyer') return 'buys';
    if (trade === 'visitor') return 'is new here';
    const sells = trade === 'greta' ? 'sells from Germany' : 'sells';
    return `${sells}, ${this.#verified.has(account_id) ? 'verified' : 'not verified'}`;
  }

  /** Records the state of an identity, from an answer or an event. */
  learn(account_id: string, state: string): void {
    if (state === 'ACCEPT') this.#verified.add(account_id);
    else this.#verified.delete(account_id);
  }

  /** Reads the sellers' identities once; later changes come as events. */
  meet(): Promise<void> {
    this.#met ??= this.#meet().catch((error: unknown) => {
      this.#met = null;
      throw error;
    });
    return this.#met;
  }

  async #meet(): Promise<void> {
    const greta: Person = { account_id: await this.#greta(), name: 'Greta', trade: 'greta' };
    this.#known.set(greta.account_id, greta);
    const [bea, sam, sue] = this.fixed;
    this.fixed = [bea, sam, sue, greta];
    const [, ...sellers] = this.fixed;
    for (const { account_id } of sellers) {
      this.learn(account_id, (await this.#holdfast.pii.getKYCStatus({ account_id })).state);
    }
  }

  /** The seller in Germany, verified and with a bank account; made once in each sandbox. */
  async #greta(): Promise<string> {
    const { accounts, payments, pii } = this.#holdfast;
    const { username } = GRETA;
    const before = await accounts.searchUserInfo({ username }).catch(absent);
    const { account_id } = before ?? (await accounts.registerAccount(GRETA));
    // Set last, so that a start that was cut off is finished by the next.
    if ((await pii.getKYCStatus({ account_id })).state === 'NODATA') {
      const account = { account_id, iban: IBAN, holder_name: GRETA.full_name };
      await payments.createBankAccount(account, { idempotencyKey: `bank-${account_id}` });
      await pii.setAccountKYCState({ account_id, state: 'ACCEPT' });
    }
    return account_id;
  }

  /** A person by account; null for one that is not of this shop. */
  async byId(account: string): Promise<Person | null> {
    await this.meet();
    const known = this.#known.get(account);
    if (known !== undefined || !ACCOUNT.test(account)) return known ?? null;
    const found = await this.#visitor(account);
    this.#known.set(account, found);
    return found;
  }

  /** After a restart the platform still knows who visited. */
  async #visitor(account_id: string): Promise<Person | null> {
    const found = await this.#holdfast.accounts.getUserInfo({ account_id }).catch(absent);
    const [prefix, ...words] = (found?.username ?? '').split('-');
    return prefix === PREFIX ? visitor(account_id, words.slice(0, -1).join(' ')) : null;
  }

  /** Registers a visitor. The form's token makes a second click the same visitor. */
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

function absent(error: unknown): null {
  if (error instanceof HoldfastError && error.status === 404) return null;
  throw error;
}

function visitor(account_id: string, name: string): Person {
  const shown = name.replaceAll(/(^|\s)\S/g, (letter) => letter.toUpperCase());
  return { account_id, name: shown || 'Visitor', trade: 'visitor' };
}
