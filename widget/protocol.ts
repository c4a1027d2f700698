// How the integrator's page and our frame in it talk. Answers for the names and shapes of all
// messages and for who believes whom; refuses to know what a flow does or how a frame is drawn.
//
// The page on top (the loader runs in it) makes the frame at the link's address, and when the
// frame has loaded posts `start` to it, addressed to the exact origin of the link, with one end
// of a fresh MessagePort. That is the only message that travels between windows. The frame
// believes it once, and only when it came from the window directly above (`event.source`) and
// from an origin that the server named in the page (`frame_origins`, the tenant's registered
// origins; the browser has refused all other parents before by `frame-ancestors`). An address or
// a query never says who the parent is, and neither does `document.referrer`.
//
// From then on both sides use the port, which nobody else holds: a flood of messages to either
// window is not looked at. The frame says `ready` once a person can see something, `resize` when
// its height changes, `error` when a full-screen error is shown, and `complete` once, as its last
// word; then the loader takes the frame away. The loader says nothing more. When `ready` does not
// come within FRAME_WITHIN_MS, the frame did not load, and the page is told so.
//
// No message carries a token, a nonce or anything about a person. What `complete` carries is the
// result that the interface promises to the page. [seed: Events] [G-76]

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
] as const;
export type FlowName = (typeof FLOW_NAMES)[number];

/** Milliseconds from making the frame to its `ready`. */
export const FRAME_WITHIN_MS = 15_000;

/** Writing direction of the flow's texts. */
export type Direction = 'ltr' | 'rtl';

/** Two colours as #rgb or #rrggbb; readable text colours follow from them. */
export interface Theme {
  readonly backgroundColor?: string;
  readonly primaryColor?: string;
}

/** What a flow can be told to do differently. Keys of other flows are ignored. */
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
  /** What `txndetails` shows: an escrow, invoice, payout status or refund invoice id. */
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

/** How a flow ended, as its own code says it: the shell adds source and event. */
export interface FlowResult {
  readonly state: 'complete' | 'cancel' | 'error';
  readonly [field: string]: unknown;
}

/** What onComplete receives. [seed: Events] */
export interface CompleteResult extends FlowResult {
  readonly source: string;
  readonly event: string;
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
  | { readonly type: 'complete'; readonly result: CompleteResult }
  | { readonly type: 'error'; readonly error: ErrorResult };

/** True for the name of a flow. */
export function isFlowName(value: unknown): value is FlowName {
  return (FLOW_NAMES as readonly unknown[]).indexOf(value) >= 0;
}

/** True for a start message of this protocol; its options are checked by flows/config.ts. */
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
