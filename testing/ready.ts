// The ready line of a started platform.
import type { Urls } from '../client/index.ts';
import type { Host } from '../client/generated.ts';
import type { Pair } from './caller.ts';

/** The ids of a seeded person; the same in each workspace. */
export interface SeededSeller {
  readonly account_id: string;
  readonly wallet_id: string;
}

/** The buyer has USD 1,000.00 and two cards, one of which is always declined. */
export interface SeededBuyer extends SeededSeller {
  readonly wallet_payment_method_id: string;
  readonly card_payment_method_id: string;
  readonly declined_card_payment_method_id: string;
}

/** The seeded accounts; the first seller's identity is accepted. */
export interface Accounts {
  readonly buyer: SeededBuyer;
  readonly seller: SeededSeller;
  readonly seller2: SeededSeller;
}

/** The ready line. */
export interface Ready {
  /** Base URLs of the hosts. */
  readonly urls: Required<Urls> & Readonly<Record<Host, string>>;
  readonly client: Pair;
  readonly integrator: string;
  readonly accounts: Accounts;
  /** How to sign in to the console. */
  readonly console: {
    readonly username: string;
    readonly password: string;
    readonly totp_secret: string;
  };
}
