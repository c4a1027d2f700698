// The messages between the integrator's page and our frame in it, and who accepts which.

// The page above (the loader runs in it) creates the frame at the link's URL and, once it has
// loaded, posts `start` to it, addressed to the exact origin of the link, with one end of a new
// MessagePort. No other message travels between windows. The frame accepts it once, and only from
// the window directly above (`event.source`) and from an origin that the server wrote into the page
// (`frame_origins`, the tenant's registered origins; the browser has refused all other parents by
// `frame-ancestors`). The parent is never taken from a URL, a query or `document.referrer`.
//
// From then on both sides use the port, which nobody else holds: other messages to either window
// are ignored. The frame sends `ready` once a person can see something, `resize` when its height
// changes, `title` when its title does, which is in the person's language, `error` when a
// full-screen error is shown, and `complete` once, as its last message; then the loader removes the
// frame. The loader sends nothing more. If `ready` does not come within
// FRAME_WITHIN_MS, the frame did not load, and the page is told so.
//
// No message carries a token, a nonce or personal data. `complete` carries the result that the
// interface promises to the page. [seed: Events] [G-76]

/** Flows that a link can open. [seed: Widget script] [public-facts 4.1] */
export const FLOW_NAMES = [
  'payment-selection',
  'checkout',
  'tos',
  'kyc',
  'purchase',
  'payout',
  'payout-full',
  'txnhistory',
  'txndetails',
  'kyb',
  'escrow',
] as const;
export type FlowName = (typeof FLOW_NAMES)[number];

/** Milliseconds from creating the frame to its `ready`. */
export const FRAME_WITHIN_MS = 15_000;

/** Writing direction of the flow's texts. */
export type Direction = 'ltr' | 'rtl';

/** Two colours as #rgb or #rrggbb; readable text colours are derived from them. */
export interface Theme {
  readonly backgroundColor?: string;
  readonly primaryColor?: string;
}

/** Options that change a flow. Keys of other flows are ignored. */
export type FlowConfig = {
  readonly hideExitButtons?: boolean;
  readonly hideUserWallets?: boolean;
  readonly hideSKUs?: boolean;
  readonly showInvoiceReferenceInfo?: boolean;
  readonly hideWalletBalance?: boolean;
  readonly hideMergedAccountSelector?: boolean;
  readonly selectButton?: { readonly label?: string };
  /** A null label drops the header. */
  readonly section?: { readonly label?: string | null };
  /** Where a browser login returns to, for native apps. [G-79] */
  readonly postOAuthURLOverride?: string;
  readonly transactionDetails?: {
    /** Minor units, above zero. */
    readonly transaction_amount?: number;
    readonly currency?: string;
  };
  readonly verificationLevel?: 'basic_pii';
  readonly currency?: string;
  /** Minor units, above zero. */
  readonly fixedAmount?: number;
  readonly txnHistoryTabIndex?: 0 | 1;
  /**
   * What `txndetails` shows: an escrow, invoice, payout status or refund invoice id; and `escrow`,
   * an escrow id.
   */
  readonly transactionId?: string;
};

/** Loader to frame, with a MessagePort; the only message between windows. */
export interface StartMessage {
  readonly holdfast: 1;
  readonly type: 'start';
  readonly flow: FlowName;
  readonly flowConfig: FlowConfig;
  readonly theme: Theme;
  /** Null: as the server says. */
  readonly dir: Direction | null;
  readonly debug: boolean;
}

/** How a flow ended, as its own code reports it: the shell adds source and event. */
export interface FlowResult {
  readonly state: 'complete' | 'cancel' | 'error';
  readonly [field: string]: unknown;
}

/** What onComplete receives. [seed: Events] */
export interface CompleteResult extends FlowResult {
  readonly source: string;
  readonly event: string;
}

/** What `execute` returns. */
export interface Handle {
  /** Removes the flow without a result. */
  close(): void;
}

/** What onError receives. [G-76] */
export interface ErrorResult {
  readonly source: string;
  readonly event: string;
  readonly code: string;
  readonly message: string;
}

/** Frame to loader, over the port. */
export type FrameMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'complete'; readonly result: CompleteResult }
  | { readonly type: 'error'; readonly error: ErrorResult };

/** True for the name of a flow. */
export function isFlowName(value: unknown): value is FlowName {
  return (FLOW_NAMES as readonly unknown[]).indexOf(value) >= 0;
}

/** True for a start message of this protocol; flows/config.ts checks its options. */
export function isStart(value: unknown): value is StartMessage {
  const message = value as Partial<StartMessage> | null;
  return (
    typeof message === 'object' &&
    message !== null &&
    message.holdfast === 1 &&
    message.type === 'start' &&
    isFlowName(message.flow)
  );
}
