// Entering a card or an account where nobody but the processor sees the number: on a page of the
// processor's own origin. We begin an entry, the person finishes it there, and we learn a token.
// Knows no payment.
import type { Instant } from '../kernel/time.ts';
import type { CardToken } from './processor.ts';

/** What can be entered; `paypal` is a login that leaves our page and comes back. */
export const ENTRY_KINDS = ['card', 'bank', 'paypal'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** An entry to begin. */
export interface EntryWish {
  /** The sandbox world or production tenant whose book it is. */
  readonly world: number;
  readonly kind: EntryKind;
  /** Exact origin of the page that frames it; the only one that it tells how it ends. */
  readonly parentOrigin: string;
  /** Further sources of CSP's frame-ancestors, around that page. */
  readonly ancestors: readonly string[];
  /** Where a login comes back to; null for what is framed. */
  readonly returnUrl: string | null;
  /** Colours as `#rrggbb` in lower case, and which way the page is written. */
  readonly look: {
    readonly background: string;
    readonly primary: string;
    readonly dir: 'ltr' | 'rtl';
  };
  /** For whom it is saved, as the person reads it. */
  readonly label: string;
}

/** An entry that was begun. */
export interface BegunEntry {
  /** The processor's id of it; no secret. */
  readonly id: string;
  /** Address of its page. Who has it can finish the entry: it is shown to one person only. */
  readonly url: string;
  /** Origin of that page. */
  readonly origin: string;
  readonly expires: Instant;
}

/** The port. No method throws for an outcome. */
export interface MethodEntry {
  /** Begins one; null without a readable answer. */
  begin(wish: EntryWish): Promise<BegunEntry | null>;
  /**
   * What came of one, however often it is asked: its token once it is finished, `pending` before,
   * `absent` for one that ended or never was; null without a readable answer.
   */
  take(world: number, id: string): Promise<CardToken | 'pending' | 'cancelled' | 'absent' | null>;
}
