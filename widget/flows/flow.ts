// The contract between the shell and every flow: what a flow is given and gives back.
//
// A flow draws with kit/ only, inside the page's <main>; all stylesheets are imported by style.css.
import type { FunctionComponent } from 'preact';
import type { Texts } from '../../texts/say.ts';
import type { Api } from './api.ts';
import type { Direction, FlowConfig, FlowName, FlowResult } from '../protocol.ts';

/** What the server wrote into the page (`data-boot`). */
export interface Boot {
  /** The service's name on the wire. [G-80] */
  readonly word: string;
  readonly env: 'staging' | 'production';
  readonly link: 'unused' | 'used' | 'expired' | 'unknown';
  /** Replaces the nonce in the URL once the person has continued; '' for no link. */
  readonly handle: string;
  /** The flow the link was made for; null: the caller chooses. */
  readonly flow: string | null;
  /** The flow that a hosted path or its query names. */
  readonly flow_query: string | null;
  readonly integrator_name: string;
  readonly frame_origins: readonly string[];
  /** Where a whole page goes at the end; checked by the server. */
  readonly return_url: string | null;
  /** The shop's own page, for whoever cannot go on here; null: it has registered none. */
  readonly home: string | null;
  /** How to reach the shop: an e-mail address or a page; '' if it has not said. */
  readonly contact: string;
  /** Where developers read the mails that this sandbox keeps; null where it keeps none. */
  readonly mails: string | null;
  readonly look: {
    readonly background_color: string;
    readonly primary_color: string;
    /** '' or a data URL. */
    readonly logo: string;
  };
  readonly dir: Direction;
  /** True where the link, or the page above, says in which direction it is read, whatever the language. */
  dir_fixed: boolean;
  /** The language that the server chose, one of `languages`. */
  readonly language: string;
  readonly languages: readonly {
    /** By BCP 47. */
    readonly tag: string;
    /** In the language itself. */
    readonly name: string;
    /** A part of the names of its files. */
    readonly file: string;
    /** What the tenant says otherwise than the file. */
    readonly own?: Texts;
  }[];
  /** Said where the texts do not load. */
  readonly failed: string;
}

/** What is bought, as shown to a person before they agree to anything. [G-45] */
export interface Sale {
  readonly is_escrow: boolean;
  readonly description: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly line_items: readonly {
    readonly description?: string;
    readonly product_sku?: string;
    readonly display_amount: string;
  }[];
  readonly display_amount: string;
  /** Both absent where no tax is stated. */
  readonly subtotal?: Shown;
  readonly tax?: Shown;
}

interface Shown {
  readonly display_amount: string;
}

/** What must be agreed to before the session has a token. */
export interface ToAgree {
  /** Null if the link is not about a sale. */
  readonly sale: Sale | null;
  readonly terms: {
    readonly version: number;
    readonly created: string;
    readonly content: string;
  } | null;
  readonly consent: readonly { readonly scope: string; readonly sentence: string }[];
}

/** An opened link: who is acting, for which tenant, and with what. */
export interface Session {
  readonly flow: FlowName;
  readonly mechanism: string;
  readonly account_id: string;
  readonly integrator: string;
  readonly integrator_name: string;
  /** '' if the link is not about an authorized invoice. */
  readonly authorized_invoice_id: string;
  readonly is_escrow: boolean;
  readonly scopes: readonly string[];
  readonly to_agree: ToAgree | null;
  /** '' while something must be agreed to. */
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  /** For the page that opened it; kept in memory only. */
  readonly resume: string;
}

/** Everything a flow may use from outside. */
export interface FlowContext {
  readonly boot: Boot;
  readonly session: Session;
  readonly api: Api;
  /** Options of the caller, checked. */
  readonly config: FlowConfig;
  /** True on a page of its own, false in a frame of another page. */
  readonly page: boolean;
  /** Where a browser login returns to: this page, or what the caller chose. [G-79] */
  readonly returnUrl: string;
  /** The entry with which a browser login has just returned (whole page); else ''. */
  readonly returnedEntry: string;
  /** Ends the flow; the shell adds source and event. Only the first call counts. */
  finish(result: FlowResult): void;
  /** A full-screen error with Reload and Close: the flow cannot continue. */
  crash(code: string, message: string, details?: unknown): void;
  /** A person can see something: the page above may drop its spinner. Once. */
  ready(): void;
  /**
   * Goes to a browser login, by a click: a whole page leaves and returns with `returnedEntry`; in a
   * frame a window opens, and this resolves when the person is back, done or not.
   */
  leave(url: string): Promise<void>;
}

/** A flow: draws itself until it calls finish or crash. */
export type FlowComponent = FunctionComponent<{ context: FlowContext }>;
