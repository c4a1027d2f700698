// Which methods can pay for something, which is proposed, and how a choice is sent to the platform.
// [seed: POST /v2/invoice] [public-facts 4.6]
import { t, type Key } from '../texts.ts';

/** The part of a payment method that screens need. [seed: Payment method record] */
export interface PaymentMethod {
  readonly id: string;
  readonly provider: string;
  readonly method_class: string;
  readonly display_string: string;
  readonly processing_currency: string;
  readonly pm_state: string;
  readonly psp_reference: string;
  /** Minor units. */
  readonly wallet_balance: string;
  /** Of a card: the last month in which it is valid, `YYYY-MM`. */
  readonly expires?: string;
  readonly is_default?: true;
  /** It was entered for this sale alone. */
  readonly kept?: false;
}

/** True from the month after a card's last. */
export function hasExpired({ expires }: PaymentMethod, now = new Date()): boolean {
  return expires !== undefined && expires < now.toISOString().slice(0, 7);
}

/** Ways to pay once on the processor's page, where nothing is saved. */
export type OnceKind = 'card' | 'ideal' | 'bancontact';

const ONCE: Readonly<Record<OnceKind, Key>> = {
  card: 'methods.once_card',
  ideal: 'methods.once_ideal',
  bancontact: 'methods.once_bancontact',
};
const MARK = 'once-';

/** Rows for paying once; the account's own method is made when one is chosen. */
export function onceMethods(kinds: readonly OnceKind[], { currency }: Bill): PaymentMethod[] {
  return kinds.map((kind) => ({
    ...{ id: MARK + kind, provider: 'once', method_class: kind, display_string: t(ONCE[kind]) },
    ...{ processing_currency: currency, pm_state: 'ACTIVE', psp_reference: '' },
    wallet_balance: '0',
  }));
}

/** How a row of `onceMethods` pays; null for any other method. */
export function onceKindOf(id: string): OnceKind | null {
  const kinds = Object.keys(ONCE) as OnceKind[];
  return kinds.find((kind) => MARK + kind === id) ?? null;
}

/** What is to be paid. */
export interface Bill {
  readonly currency: string;
  /** Minor units. */
  readonly total: number;
}

/** What can be chosen from. */
export interface Offer {
  readonly bill: Bill | null;
  /** The wallet that can pay a part or all; null: none, or it is one of the rows. */
  readonly wallet: PaymentMethod | null;
  /** Minor units in that wallet. */
  readonly balance: number;
  /** The wallet alone is enough. */
  readonly covers: boolean;
  /** The rows, one of which can be chosen. */
  readonly rows: readonly PaymentMethod[];
}

/** What is chosen: the wallet's switch, and the row. */
export interface Choice {
  readonly wallet: boolean;
  readonly row: string | null;
}

/** One element of `payment_methods`. */
export interface PaymentPart {
  readonly payment_method_id: string;
  readonly amount: number;
}

/** Accounts that only receive payouts. */
const RECEIVING: readonly string[] = ['bank', 'payee'];

/**
 * What an account can pay with. Without a bill the wallet is a row among the others; with one it is
 * a switch, since it may pay a part, and methods of other currencies are left out.
 */
export function offerOf(
  methods: readonly PaymentMethod[],
  bill: Bill | null,
  hideWallets: boolean,
): Offer {
  const usable = methods.filter(
    ({ pm_state, processing_currency, provider }) =>
      pm_state === 'ACTIVE' &&
      !RECEIVING.includes(provider) &&
      (bill === null || processing_currency === bill.currency) &&
      !(hideWallets && provider === 'wallet'),
  );
  if (bill === null) return { bill, wallet: null, balance: 0, covers: false, rows: usable };
  const funded = usable.find((one) => one.provider === 'wallet' && Number(one.wallet_balance) > 0);
  const balance = Number(funded?.wallet_balance ?? 0);
  return {
    bill,
    wallet: funded ?? null,
    balance,
    covers: balance >= bill.total,
    rows: usable.filter(({ provider }) => provider !== 'wallet'),
  };
}

/** True if the wallet can be switched on: it is enough, or something else can pay the rest. */
export function walletUsable({ wallet, covers, rows }: Offer): boolean {
  return wallet !== null && (covers || rows.length > 0);
}

/**
 * The proposal: the person's default, else the wallet if it pays everything, else the first other
 * method that has not expired.
 */
export function firstChoice(offer: Offer): Choice {
  const wanted = offer.rows.find((one) => one.is_default === true && !hasExpired(one));
  if (wanted !== undefined) return { wallet: false, row: wanted.id };
  if (offer.wallet !== null && offer.covers) return { wallet: true, row: null };
  const others = offer.rows.filter(({ provider }) => provider !== 'wallet');
  return { wallet: false, row: (others.find((one) => !hasExpired(one)) ?? others[0])?.id ?? null };
}

/** The choice, as far as the offer still has it. */
export function keptChoice(choice: Choice, offer: Offer): Choice {
  const kept = {
    wallet: choice.wallet && walletUsable(offer),
    row: offer.rows.some(({ id }) => id === choice.row) ? choice.row : null,
  };
  return kept.wallet || kept.row !== null ? kept : firstChoice(offer);
}

/**
 * The choice as `payment_methods`: one method pays everything (amount 0); a wallet that is not
 * enough pays its balance and the other method the rest. Null: too little is chosen.
 */
export function partsOf(offer: Offer, choice: Choice): readonly PaymentPart[] | null {
  if (offer.bill?.total === 0) return [];
  const { wallet } = offer;
  if (choice.wallet && wallet !== null && offer.covers) {
    return [{ payment_method_id: wallet.id, amount: 0 }];
  }
  if (choice.row === null) return null;
  const rest = { payment_method_id: choice.row, amount: 0 };
  if (!choice.wallet || wallet === null) return [rest];
  return [{ payment_method_id: wallet.id, amount: offer.balance }, rest];
}

/** Minor units that a row pays beside the wallet. */
export function restOf({ bill, balance }: Offer): number {
  return Math.max((bill?.total ?? 0) - balance, 0);
}
