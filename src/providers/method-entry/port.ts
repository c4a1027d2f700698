// Entry of a card or account on a page of the processor's own origin, so that only the processor
// sees the number. We begin an entry, the person finishes it there, and we get a token.
import type { Instant } from '../../core/time.ts';
import type { CardToken } from '../processor/port.ts';

/** What can be entered; `paypal` is a login that leaves our page and returns. */
export const ENTRY_KINDS = ['card', 'bank', 'paypal'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** An entry to begin. */
export interface EntryRequest {
  /** The sandbox workspace or production tenant it belongs to. */
  readonly workspace: number;
  readonly kind: EntryKind;
  /** Exact origin of the framing page, the only one told how the entry ends. */
  readonly parentOrigin: string;
  /** Further sources for CSP's frame-ancestors. */
  readonly ancestors: readonly string[];
  /** Where a login returns to; null for framed entries. */
  readonly returnUrl: string | null;
  /** Colours as `#rrggbb` in lower case, the writing direction, and the language by BCP 47. */
  readonly look: {
    readonly background: string;
    readonly primary: string;
    readonly dir: 'ltr' | 'rtl';
    /** Absent where it is not known. */
    readonly language?: string;
  };
  /** For whom it is saved, as shown to the person. */
  readonly label: string;
}

/** An entry that was begun. */
export interface BegunEntry {
  /** The processor's id of it; not secret. */
  readonly id: string;
  /** Address of its page. Whoever has it can finish the entry: show it to one person only. */
  readonly url: string;
  /** Origin of that page. */
  readonly origin: string;
  /** False: the page refuses to be framed, so the person goes there; else only a login does. */
  readonly framed?: false;
  readonly expires: Instant;
}

/** What was entered. */
export interface EnteredToken extends CardToken {
  /** Of a card: the last month in which it is valid, `YYYY-MM`. */
  readonly expires?: string | undefined;
  /** Of a card: the same each time that it is entered for this tenant; opaque. */
  readonly fingerprint?: string | undefined;
}

/** The port. No method throws for an outcome. */
export interface MethodEntry {
  /** Begins an entry; null without a readable answer. */
  begin(request: EntryRequest): Promise<BegunEntry | null>;
  /**
   * The outcome of an entry, repeatable: its token once finished, `pending` before, `absent` if it
   * expired or never existed; null without a readable answer.
   */
  take(
    workspace: number,
    id: string,
  ): Promise<EnteredToken | 'pending' | 'cancelled' | 'absent' | null>;
}
