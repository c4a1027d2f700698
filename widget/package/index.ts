// `@holdfast/widget`: the types of `Holdfast.execute`, and the script of an installation put on a
// page. The flows come from that installation: nothing of them is in this package.
import type { Direction, ErrorResult, FlowConfig, FlowName, Handle, Theme } from '../protocol.ts';

export type { Direction, ErrorResult, FlowConfig, FlowName, Handle, Theme } from '../protocol.ts';

/** What every result says. A member that only a completed flow has is optional. [seed: Events] */
export interface PlainResult {
  /** The service's name. */
  readonly source: string;
  /** `<word>.<flow>.complete` */
  readonly event: string;
  readonly state: 'complete' | 'cancel' | 'error';
  /** What the person pressed, such as `done-button`. */
  readonly trigger?: string;
}

/** A method that was chosen or added. */
export interface MethodResult extends PlainResult {
  readonly id?: string;
  readonly psp_reference?: string;
  readonly pm_state?: string;
}

/** A payout method, and the payout if one was requested. */
export interface PayoutResult extends MethodResult {
  readonly payout_status_id?: string;
}

/** A check of a person or business; `result` is its state. */
export interface CheckResult extends PlainResult {
  readonly result?: string;
}

/** What was chosen to pay with: pass it unchanged to the creation of an invoice or escrow. */
export interface SelectionResult extends PlainResult {
  readonly paymentMethods?: readonly {
    readonly payment_method_id: string;
    /** Minor units; 0 takes the rest. */
    readonly amount: number;
  }[];
}

/** What `onComplete` receives, by flow. [seed: Widget completion results] */
export interface FlowResults extends Record<FlowName, PlainResult> {
  readonly 'payment-selection': SelectionResult;
  readonly purchase: MethodResult;
  readonly payout: PayoutResult;
  readonly 'payout-full': PayoutResult;
  readonly kyc: CheckResult;
  readonly kyb: CheckResult;
}

/** What `onReady` receives. */
export type ReadyResult = Pick<PlainResult, 'source' | 'event'>;

/** How one flow is shown; docs/widget.md explains each option. */
export interface FlowOptions<Flow extends FlowName = FlowName> {
  readonly flow: Flow;
  /** The link from your server; it opens once. */
  readonly redirect: string | { readonly url: string };
  readonly onComplete: (result: FlowResults[Flow]) => void;
  readonly onError: (error: ErrorResult) => void;
  readonly onReady?: ((ready: ReadyResult) => void) | undefined;
  readonly flowConfig?: FlowConfig | undefined;
  readonly theme?: Theme | undefined;
  readonly dir?: Direction | undefined;
  readonly debug?: boolean | undefined;
}

/** Options of `execute`. */
export interface ExecuteOptions<Flow extends FlowName = FlowName> extends FlowOptions<Flow> {
  /** Id of the element that receives the frame. */
  readonly rootId: string;
}

/** The object that the script puts on `window`. */
export interface Widget {
  /** Starts a flow. Never throws: errors go to `onError`. */
  execute<Flow extends FlowName>(options: ExecuteOptions<Flow>): Handle;
}

/** Which script is loaded. */
export interface WidgetScript {
  /** `{widget_url}/ui/v1/widget`, or the address of one version from `versions.json`. */
  readonly src: string;
  /** The integrity hash of that version: the browser refuses a script of other bytes. */
  readonly integrity?: string | undefined;
  /** For a Content-Security-Policy with nonces. */
  readonly nonce?: string | undefined;
}

declare global {
  interface Window {
    Holdfast?: Widget;
  }
}

/** By address: scripts that were asked for. */
const asked = new Map<string, Promise<Widget>>();

/**
 * Puts the script on the page once and gives its object; what the page has loaded already is used.
 * Rejects if the script cannot be loaded or has other bytes than `integrity` says; then it may be
 * tried again.
 */
export function loadWidget(script: WidgetScript): Promise<Widget> {
  if (window.Holdfast !== undefined) return Promise.resolve(window.Holdfast);
  let loading = asked.get(script.src);
  if (loading === undefined) {
    loading = insert(script);
    loading.catch(() => asked.delete(script.src));
    asked.set(script.src, loading);
  }
  return loading;
}

function insert({ src, integrity, nonce }: WidgetScript): Promise<Widget> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    const fail = (): void => {
      element.remove();
      reject(new Error(`The widget could not be loaded from ${src}.`));
    };
    if (integrity !== undefined) element.integrity = integrity;
    if (nonce !== undefined) element.nonce = nonce;
    element.crossOrigin = 'anonymous';
    element.onload = () => (window.Holdfast === undefined ? fail() : resolve(window.Holdfast));
    element.onerror = fail;
    element.src = src;
    document.head.append(element);
  });
}
