// A flow without a screen, for an integrator's own tests: makes the same requests as the pages and
// ends with exactly the object that `onComplete` receives. [seed: Widget completion results]
import { chosenParts, type Bill, type PaymentPart } from './driver-choice.ts';
import { meansOf, type FlowOptions, type Means } from './driver-link.ts';
import { decide, enter, type TestMethod } from './driver-processor.ts';
import type {
  AuthorizedInvoice,
  Invoice,
  OpenSessionAnswer,
  PaymentMethod,
  SessionApi,
  SubmitKYCInput,
} from './generated.ts';

export type { PaymentPart } from './driver-choice.ts';
export type { FlowOptions } from './driver-link.ts';
export type { TestMethod } from './driver-processor.ts';

/** What `onComplete` receives. [G-76] */
export interface FlowResult {
  readonly source: string;
  readonly event: string;
  readonly state: 'complete' | 'cancel' | 'error';
  readonly trigger?: string;
  readonly paymentMethods?: readonly PaymentPart[];
  readonly id?: string;
  readonly psp_reference?: string;
  readonly pm_state?: string;
  readonly payout_status_id?: string;
  /** KYC state. */
  readonly result?: string;
}

/** The screen a person would see. */
export type Screen =
  /** Terms and consent, to be agreed to. */
  | 'agree'
  /** The flow's own content: a bill, methods, a form. */
  | 'choose'
  /** A payment or check is not decided yet. */
  | 'wait'
  /** The buyer must confirm a payment at the bank. */
  | 'confirm'
  | 'success'
  | 'failure'
  /** None: the flow has ended, and `result` says how. */
  | 'end';

const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** Opens a link as the page does. Throws HoldfastError where the page would show an error. */
export async function openFlow(options: FlowOptions): Promise<Flow> {
  const means = meansOf(options);
  await means.open(null);
  const opened = new Flow(means);
  await opened.begin();
  return opened;
}

/** One opened flow. Its methods are a person's actions; they throw where a page would refuse. */
export class Flow {
  /** Every operation that the session may call, for what has no method here. */
  readonly api: SessionApi;
  readonly #means: Means;
  /** Id of the invoice being paid; empty before. */
  #invoice = '';
  #paid: Invoice | null = null;
  #result: FlowResult | null = null;

  constructor(means: Means) {
    this.#means = means;
    this.api = means.api;
  }

  /** The opened link: flow, account, what must be agreed to. */
  get session(): OpenSessionAnswer {
    return this.#means.session();
  }

  /** A flow of terms with nothing to sign ends at once. */
  async begin(): Promise<void> {
    const { flow, to_agree } = this.session;
    if (flow === 'tos' && to_agree === null) await this.#finish({ state: 'complete' });
  }

  /** The screen a person would see now; retrieves a payment in progress. */
  async state(): Promise<Screen> {
    if (this.#result !== null) return 'end';
    if (this.session.to_agree !== null) return 'agree';
    await this.#look();
    if (this.#paid === null) return 'choose';
    const { state, authentication_url: url } = this.#paid;
    if (state === 'success') return 'success';
    if (state === 'failed') return 'failure';
    return url === undefined ? 'wait' : 'confirm';
  }

  /**
   * Agrees to the requested terms and consents; does nothing if there are none. New terms may come
   * into force during a flow: then paying or adding a method fails with TERMS_NOT_SIGNED, `state()`
   * is 'agree', and after agreeing it can be repeated.
   */
  async agree(): Promise<void> {
    const asked = this.session.to_agree;
    if (asked === null) return;
    const version = asked.terms === null ? {} : { terms_version: asked.terms.version };
    await this.#means.open({ ...version, consent: true });
    await this.begin();
  }

  /** The account's payment methods. */
  paymentMethods(): Promise<readonly PaymentMethod[]> {
    return this.api.payments.listPaymentMethods({ account_id: this.session.account_id });
  }

  /** What is to be paid. */
  authorizedInvoice(): Promise<AuthorizedInvoice> {
    const { authorized_invoice_id } = this.session;
    return this.api.invoicing.getAuthorizedInvoice({ authorized_invoice_id });
  }

  /**
   * Adds a card, bank account or wallet login of the sandbox by name, or a card by number, on the
   * processor's own page.
   */
  async addTestMethod(method: TestMethod): Promise<PaymentMethod> {
    const entry_id = await enter(this.#means.options, this.api, method);
    return this.api.payments.createPaymentMethod({ entry_id });
  }

  /**
   * Pays an authorized invoice and waits: 'success', 'failure', 'confirm' if the buyer must confirm
   * at the bank, 'agree' if new terms must be agreed to first. Without methods: the wallet if it is
   * enough, else the first other method.
   */
  async pay(choice: { readonly methods?: readonly PaymentPart[] } = {}): Promise<Screen> {
    const payment_methods = choice.methods ?? (await this.#proposal());
    try {
      this.#invoice = await this.#submit(payment_methods);
    } catch (error) {
      if (this.session.to_agree === null) throw error;
      return 'agree';
    }
    return this.#decided();
  }

  /** Creates and submits what is to be paid; returns the id of its invoice. */
  async #submit(payment_methods: readonly PaymentPart[]): Promise<string> {
    const { authorized_invoice_id, is_escrow } = this.session;
    const input = { authorized_invoice_id, payment_methods };
    const { invoicing } = this.api;
    if (is_escrow) {
      const { id: escrow_id, escrow_invoice_id } = await invoicing.createEscrow(input);
      await invoicing.payEscrow({ escrow_id });
      return escrow_invoice_id;
    }
    const { invoice_id } = await invoicing.createInvoice(input);
    await invoicing.payInvoice({ invoice_id });
    return invoice_id;
  }

  /** Confirms a payment at the bank or refuses it, and waits for the result. */
  async confirmChallenge(decision: 'confirm' | 'refuse' = 'confirm'): Promise<Screen> {
    const url = this.#paid?.authentication_url;
    if (url === undefined) throw new Error('no payment is waiting for confirmation');
    await decide(this.#means.options, url, decision);
    return this.#decided(url);
  }

  /** Ends a payment selection or purchase with the chosen methods. */
  async selectMethods(methods?: readonly PaymentPart[]): Promise<FlowResult> {
    const parts = methods ?? (await this.#proposal());
    if (this.session.flow === 'payment-selection') {
      return this.#finish({ state: 'complete', paymentMethods: parts });
    }
    const chosen = named(await this.paymentMethods(), parts[0]?.payment_method_id);
    return this.#finish({ state: 'complete', ...chosen });
  }

  /** Sends the identity form and waits for the check; ends the flow with its state. */
  async submitKyc(form: SubmitKYCInput): Promise<FlowResult> {
    const { account_id } = this.session;
    await this.api.pii.submitKYC(form);
    const state = async () => (await this.api.pii.getKYCStatus({ account_id })).state;
    const result = await this.#patiently(state, (one) => one !== 'PROCESSING');
    const trigger = result === 'ACCEPT' ? { trigger: 'continue-button' } : {};
    return this.#finish({ state: 'complete', result, ...trigger });
  }

  /** Requests a payout from the account's wallet; ends the flow with its destination and id. */
  async requestPayout(wish: {
    readonly amount: number;
    readonly currency: string;
    readonly destination_payment_method_id: string;
  }): Promise<FlowResult> {
    const methods = await this.paymentMethods();
    const wallet = methods.find(
      (one) => one.provider === 'wallet' && one.processing_currency === wish.currency,
    );
    const { payout_status_id } = await this.api.invoicing.createPayout({
      ...wish,
      account_id: this.session.account_id,
      source_payment_method_id: wallet?.id ?? '',
    });
    const destination = named(methods, wish.destination_payment_method_id);
    return this.#finish({ state: 'complete', ...destination, payout_status_id });
  }

  /** Presses Cancel. */
  cancel(): Promise<FlowResult> {
    return this.#finish({ state: 'cancel' });
  }

  /** What `onComplete` received; presses Done after a successful payment. */
  async result(): Promise<FlowResult> {
    if (this.#result !== null) return this.#result;
    const screen = await this.state();
    if (screen !== 'success') throw new Error(`the flow has not ended; it shows ${screen}`);
    return this.#finish({ state: 'complete', trigger: 'done-button' });
  }

  async #finish(end: Omit<FlowResult, 'source' | 'event'>): Promise<FlowResult> {
    if (this.#result !== null) return this.#result;
    const { flow, mechanism } = this.session;
    const hosted = /^(.+)_hosted$/.exec(mechanism)?.[1];
    const source = this.#means.options.word ?? hosted ?? 'service';
    this.#result = { ...end, source, event: `${source}.${flow}.complete` };
    await this.#means.end();
    return this.#result;
  }

  async #proposal(): Promise<readonly PaymentPart[]> {
    const methods = await this.paymentMethods();
    return chosenParts(methods, await this.#bill(), this.session.flow !== 'purchase');
  }

  async #bill(): Promise<Bill | null> {
    if (this.session.authorized_invoice_id === '') {
      const { transactionDetails: told } = this.#means.options;
      return told === undefined
        ? null
        : { total: told.transaction_amount, currency: told.currency };
    }
    const { line_items_total, line_items_currency } = await this.authorizedInvoice();
    return { total: line_items_total, currency: line_items_currency };
  }

  /** Retrieves the payment of the authorized invoice, if there is one. */
  async #look(): Promise<void> {
    if (this.session.authorized_invoice_id === '') return;
    const { invoicing } = this.api;
    if (this.#invoice === '') {
      // Another window of the same person may be paying.
      const { state, invoice_id, escrow_id } = await this.authorizedInvoice();
      if (state === 'open') return;
      const escrow = escrow_id === '' ? null : await invoicing.getEscrow({ escrow_id });
      this.#invoice = escrow?.escrow_invoice_id ?? invoice_id;
    }
    this.#paid = await invoicing.getInvoice({ invoice_id: this.#invoice });
  }

  /** Waits until a payment is decided, or must be confirmed at another URL than `but`. */
  async #decided(but?: string): Promise<Screen> {
    return this.#patiently(
      () => this.state(),
      (screen) =>
        screen !== 'wait' && (screen !== 'confirm' || this.#paid?.authentication_url !== but),
    );
  }

  async #patiently<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
    const deadline = Date.now() + (this.#means.options.patienceMs ?? PATIENCE_MS);
    for (;;) {
      const seen = await look();
      if (holds(seen) || Date.now() > deadline) return seen;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

/** A method as the result shows it. Throws if the account does not have it. */
function named(
  methods: readonly PaymentMethod[],
  wanted: string | undefined,
): Pick<PaymentMethod, 'id' | 'psp_reference' | 'pm_state'> {
  const chosen = methods.find(({ id }) => id === wanted);
  if (chosen === undefined) throw new Error('the account has no such payment method');
  const { id, psp_reference, pm_state } = chosen;
  return { id, psp_reference, pm_state };
}
