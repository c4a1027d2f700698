// One account of a Stripe-shaped server, in memory: the objects and their state machines as Stripe
// describes them: what the API does, and what only the world outside can do.
import {
  ApiError,
  invalid,
  newId,
  type Behaviour,
  type Charge,
  type Dispute,
  type Event,
  type Intent,
  type Metadata,
  type Method,
  type Moved,
  type NewIntent,
  type Refund,
  type Seller,
  type Session,
  type Transaction,
  type Transfer,
  type Uploaded,
} from './objects.ts';

/** The fee of every charge, in minor units, and days until it may be paid out. */
export const FEE = 30;
const AVAILABLE_SECONDS = 2 * 86_400;

export class Account {
  readonly id = newId('acct');
  readonly live: boolean;
  readonly intents = new Map<string, Intent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly files = new Map<string, Uploaded>();
  readonly sellers = new Map<string, Seller>();
  readonly transfers = new Map<string, Transfer>();
  readonly reversals = new Map<string, object>();
  readonly methods = new Map<string, Method>();
  readonly sessions = new Map<string, Session>();
  readonly transactions: Transaction[] = [];
  readonly events: Event[] = [];
  /** Seconds that this server's clock is ahead. */
  ahead = 0;
  /** True: no money is available. */
  poor = false;
  /** What the next capture takes instead. */
  wrong: { amount?: number; currency?: string; twice?: true } | null = null;
  readonly #page: (intent: string) => string;
  #tell: (event: Event) => void = () => {};

  constructor(live: boolean, page: (intent: string) => string) {
    this.live = live;
    this.#page = page;
  }

  /** Who hears of events. */
  listen(tell: (event: Event) => void): void {
    this.#tell = tell;
  }

  now(): number {
    return Math.floor(Date.now() / 1_000) + this.ahead;
  }

  /** Saves a card or account for a new customer. */
  save(does: Behaviour): Method {
    const method = { id: newId('pm'), customer: newId('cus'), does };
    this.methods.set(method.id, method);
    return method;
  }

  knows(customer: string): boolean {
    return [...this.methods.values()].some((method) => method.customer === customer);
  }

  tell(type: string, object: object, previous_attributes?: object, account?: string): void {
    const event: Event = {
      ...{ id: newId('evt'), object: 'event', api_version: '2026-10-28.endive', type },
      ...{ livemode: this.live, created: this.now(), ...(account !== undefined && { account }) },
      data: {
        object: structuredClone(object),
        ...(previous_attributes && { previous_attributes }),
      },
    };
    this.events.push(event);
    this.#tell(event);
  }

  move([type, reporting_category]: readonly [string, string], moved: Moved): void {
    const { amount, currency, source, fee = 0 } = moved;
    const created = this.now();
    this.transactions.push({
      ...{ id: newId('txn'), object: 'balance_transaction', amount, currency, fee },
      ...{ net: amount - fee, type, reporting_category, source, created },
      available_on: created + (type.startsWith('transfer') ? 0 : AVAILABLE_SECONDS),
    });
  }

  create({ amount, currency, customer, payment_method, ...rest }: NewIntent): Intent {
    const { capture_method, metadata } = rest;
    const method = this.methods.get(payment_method);
    if (!this.knows(customer)) throw invalid('resource_missing', { param: 'customer' });
    if (method?.customer !== customer) {
      throw invalid('resource_missing', { param: 'payment_method' });
    }
    if (!Number.isSafeInteger(amount) || amount > 99_999_999) throw invalid('amount_too_large');
    const intent: Intent = {
      ...{ id: newId('pi'), object: 'payment_intent', livemode: this.live, amount, currency },
      ...{ amount_capturable: 0, amount_received: 0, customer, payment_method, capture_method },
      ...{ metadata, status: 'requires_confirmation', latest_charge: null, next_action: null },
      ...{ last_payment_error: null, created: this.now() },
    };
    this.intents.set(intent.id, intent);
    return intent;
  }

  intent(id: string): Intent {
    const intent = this.intents.get(id);
    if (intent === undefined) {
      throw new ApiError(404, 'invalid_request_error', 'resource_missing', { param: 'intent' });
    }
    return intent;
  }

  #require(intent: Intent, ...states: readonly string[]): void {
    if (states.includes(intent.status)) return;
    throw invalid('payment_intent_unexpected_state', { payment_intent: intent });
  }

  #does(intent: Intent): Behaviour {
    return this.methods.get(intent.payment_method ?? '')?.does ?? { type: 'card' };
  }

  confirm(id: string, returnUrl: string | null): Intent {
    const intent = this.intent(id);
    this.#require(intent, 'requires_confirmation', 'requires_payment_method');
    const does = this.#does(intent);
    if (intent.payment_method === null) throw invalid('parameter_missing');
    if (does.declines !== undefined && does.at !== 'capture') {
      return this.#decline(intent, does.declines);
    }
    if (does.challenged === true) {
      if (returnUrl === null) throw invalid('parameter_missing', { param: 'return_url' });
      intent.status = 'requires_action';
      const page = { url: this.#page(intent.id), return_url: returnUrl };
      intent.next_action = { type: 'redirect_to_url', redirect_to_url: page };
      this.tell('payment_intent.requires_action', intent);
      return intent;
    }
    return this.#reserve(intent, does);
  }

  #reserve(intent: Intent, does: Behaviour): Intent {
    const { amount, currency, metadata, id: payment_intent } = intent;
    const charge: Charge = {
      ...{ id: newId('ch'), object: 'charge', livemode: this.live, amount, amount_captured: 0 },
      ...{ amount_refunded: 0, currency, metadata: { ...metadata }, payment_intent },
      ...{ payment_method_details: { type: does.type }, created: this.now() },
    };
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    if (does.type === 'us_bank_account' || does.later === true) {
      intent.status = 'processing';
      this.tell('payment_intent.processing', intent);
    } else {
      intent.status = 'requires_capture';
      intent.amount_capturable = amount;
      this.tell('payment_intent.amount_capturable_updated', intent);
    }
    const atOnce = does.type === 'ideal' || does.type === 'bancontact';
    return atOnce && intent.status === 'requires_capture' ? this.#take(intent) : intent;
  }

  /** Ends a try; the same payment could be tried again with another method. */
  #decline(intent: Intent, decline_code: string): never {
    const known = ['expired_card', 'incorrect_cvc', 'processing_error', 'authentication_required'];
    const code = known.includes(decline_code) ? decline_code : 'card_declined';
    intent.last_payment_error = { code, decline_code, type: 'card_error' };
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.amount_capturable = 0;
    this.tell('payment_intent.payment_failed', intent);
    throw new ApiError(402, 'card_error', code, { decline_code, payment_intent: intent });
  }

  capture(id: string): Intent {
    const intent = this.intent(id);
    this.#require(intent, 'requires_capture');
    const does = this.#does(intent);
    if (does.declines !== undefined) return this.#decline(intent, does.declines);
    return this.#take(intent);
  }

  #take(intent: Intent): Intent {
    const charge = this.charges.get(intent.latest_charge ?? '');
    if (charge === undefined) throw new Error('nothing was reserved');
    const { amount = intent.amount, currency = intent.currency, twice } = this.wrong ?? {};
    this.wrong = null;
    intent.status = 'succeeded';
    intent.amount_capturable = 0;
    intent.amount_received = charge.amount_captured = amount;
    intent.currency = charge.currency = currency;
    const type = charge.payment_method_details.type === 'card' ? 'charge' : 'payment';
    for (let n = 0; n < (twice ? 2 : 1); n += 1) {
      this.move([type, 'charge'], { amount, currency, source: charge.id, fee: FEE });
    }
    this.tell('charge.captured', charge);
    this.tell('payment_intent.succeeded', intent);
    return intent;
  }

  cancel(id: string): Intent {
    const intent = this.intent(id);
    const open = ['requires_payment_method', 'requires_capture', 'requires_confirmation'];
    this.#require(intent, ...open, 'requires_action', 'processing');
    intent.status = 'canceled';
    intent.amount_capturable = 0;
    intent.next_action = null;
    this.tell('payment_intent.canceled', intent);
    return intent;
  }

  refund(id: string, asked: number | null, metadata: Metadata): Refund {
    const intent = this.intent(id);
    const charge = this.charges.get(intent.latest_charge ?? '');
    if (intent.status !== 'succeeded' || charge === undefined) throw invalid(null);
    const left = charge.amount_captured - charge.amount_refunded;
    if (left === 0) throw invalid('charge_already_refunded');
    const amount = asked ?? left;
    if (amount > left) throw invalid(null);
    charge.amount_refunded += amount;
    const refund: Refund = {
      ...{ id: newId('re'), object: 'refund', amount, currency: charge.currency, metadata },
      ...{ payment_intent: id, charge: charge.id, status: 'succeeded', created: this.now() },
    };
    this.refunds.set(refund.id, refund);
    const { id: source, currency } = refund;
    this.move(['refund', 'refund'], { amount: -amount, currency, source });
    this.tell('refund.created', refund);
    return refund;
  }

  /** The buyer decides on the bank's page; false where there is nothing to decide. */
  authenticate(id: string, confirms: boolean): boolean {
    const intent = this.intent(id);
    if (intent.status !== 'requires_action') return false;
    intent.next_action = null;
    if (confirms) this.#reserve(intent, { type: 'card' });
    else {
      intent.status = 'requires_payment_method';
      intent.payment_method = null;
      const code = 'payment_intent_authentication_failure';
      intent.last_payment_error = { code, type: 'invalid_request_error' };
      this.tell('payment_intent.payment_failed', intent);
    }
    return true;
  }

  /** Takes the money of a payment that was declined, as no processor should. */
  contradict(id: string): void {
    this.#take(this.#reserve(this.intent(id), { type: 'card' }));
  }

  /** A pending bank debit settles or fails. */
  settle(id: string, well: boolean): boolean {
    const intent = this.intent(id);
    if (intent.status !== 'processing') return false;
    if (well) this.#take(intent);
    else {
      intent.status = 'requires_payment_method';
      intent.last_payment_error = { code: 'insufficient_funds', type: 'card_error' };
      this.tell('payment_intent.payment_failed', intent);
    }
    return true;
  }
}
