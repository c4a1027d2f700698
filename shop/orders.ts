// Orders of the shop. An order is kept here until it has an invoice; from then on everything is
// read back from the platform by our reference, also after a restart. One order per form, however
// often it is sent.
import type { ClientApi, Escrow, Invoice } from '../client/generated.ts';
import { feeOf, productOf, RENT_DAYS, type Product, type Stretch } from './goods.ts';
import type { People, Person } from './people.ts';

/** How a buyer pays: in the page, on a page of its own, or by choosing a method first. */
export type Way = 'here' | 'away' | 'choose';

/** What an order is about. */
export interface Order {
  readonly id: string;
  readonly product: Product;
  readonly buyer: string;
  readonly escrow: boolean;
}

/** An open link to the platform for the buyer. */
export interface OpenLink {
  readonly way: Way;
  readonly redirect: string;
}

/** The state of an order, as the platform reports it. */
export interface Standing {
  readonly order: Order;
  readonly stage: 'unpaid' | 'processing' | 'failed' | 'paid' | 'held' | 'shipped' | 'cancelled';
  /** Why it failed; else empty. */
  readonly reason: string;
  readonly invoice: string;
  readonly escrow: string;
  /** Minor units that are held. */
  readonly held: number;
  /** What is still held of a plan while buyer and seller disagree; null: they do not. */
  readonly disputed: readonly string[] | null;
  /** Where the buyer must confirm with the bank; else empty. */
  readonly confirm: string;
}

/** One part of a payment, as the widget's selection returns it. */
export interface MethodPart {
  readonly payment_method_id: string;
  readonly amount: number;
}

/** How the shop decides a disagreement: one stretch is met halfway, or none. */
export interface Settlement {
  readonly name: string;
  readonly token: string;
}

interface Begun {
  readonly order: Order;
  readonly link: OpenLink | null;
}

const REFERENCE = 'shop-order';
/** Which of several invoices of an order counts: a buyer may have tried more than once. */
const RANK = ['open', 'failed', 'processing', 'success'];

/** All orders. */
export class Orders {
  readonly #holdfast: ClientApi;
  readonly #people: People;
  readonly #begun = new Map<string, Begun>();

  constructor(holdfast: ClientApi, people: People) {
    this.#holdfast = holdfast;
    this.#people = people;
  }

  /** Opens a way to pay an order; the same token again gives the same link. */
  async open(order: Order, way: Way, token: string): Promise<void> {
    const redirect = await this.#redirect(order, way, `${way}-${token}`);
    this.#begun.set(order.id, { order, link: { way, redirect } });
  }

  async #redirect(order: Order, way: Way, idempotencyKey: string): Promise<string> {
    const { auth, invoicing } = this.#holdfast;
    if (way === 'choose') {
      const { buyer: account_id } = order;
      const wish = { account_id, mechanism: 'widget', flow: 'payment-selection' } as const;
      const made = await auth.authorizeUser(wish, { idempotencyKey });
      return 'redirect' in made ? made.redirect : '';
    }
    const sale = {
      ...this.#saleOf(order),
      is_escrow: order.escrow,
      invoice_mechanism: way === 'here' ? 'widget' : 'service_hosted',
    };
    return (await invoicing.authorizeInvoice(sale, { idempotencyKey })).redirect;
  }

  /** The open way to pay. */
  linkOf({ id }: Order): OpenLink | null {
    return this.#begun.get(id)?.link ?? null;
  }

  /** The buyer is back: what was opened has ended. */
  close(order: Order): void {
    this.#begun.set(order.id, { order, link: null });
  }

  /** Pays with the methods that the buyer chose before. */
  async payWith(order: Order, methods: readonly MethodPart[]): Promise<void> {
    const link = this.linkOf(order);
    if (link === null) return;
    const { invoicing } = this.#holdfast;
    // One selection pays once: each has a link of its own.
    const token = link.redirect.split('/').at(-1)?.slice(0, 60) ?? order.id;
    const sale = { ...this.#saleOf(order), payment_methods: methods };
    const make = { idempotencyKey: `make-${token}` };
    const pay = { idempotencyKey: `pay-${token}` };
    if (order.escrow) {
      const plan = await this.#planOf(order);
      const { id: escrow_id } = await invoicing.createEscrow({ ...sale, ...plan }, make);
      await invoicing.payEscrow({ escrow_id }, pay);
    } else {
      const { invoice_id } = await invoicing.createInvoice(sale, make);
      await invoicing.payInvoice({ invoice_id }, pay);
    }
  }

  /** The milestones of a commission, or when a deposit goes back, by the clock of the sandbox. */
  async #planOf({ product: { plan } }: Order) {
    if (plan === undefined) return {};
    if (plan === 'deposit') {
      const { now } = await this.#holdfast.invoicing.sandboxClock();
      const back = new Date(Date.parse(now) + RENT_DAYS * 86_400_000).toISOString();
      return { return_at: back.replace('Z', '000Z') };
    }
    const milestones = plan.map(({ name, price: amount }, line_item) => {
      return { name, line_items: [{ line_item, amount }] };
    });
    return { milestones };
  }

  /** Decides a disagreement: half of one stretch is the seller's, all else goes back. */
  async settle({ escrow: escrow_id, order }: Standing, wish: Settlement): Promise<void> {
    const { invoicing } = this.#holdfast;
    const account_id = order.buyer;
    const { line_items: all } = await invoicing.getEscrowOfParty({ escrow_id, account_id });
    const line_items = all.filter(({ held }) => held > 0).map(({ line_item_id, ...one }) => {
      const to_sellers = one.description === wish.name ? Math.floor(one.held / 2) : 0;
      return { line_item_id, to_sellers, to_buyer: one.held - to_sellers, to_integrator: 0 };
    });
    const once = { idempotencyKey: `settle-${wish.token}` };
    await invoicing.resolveDisagreement({ escrow_id, line_items }, once);
  }

  /** A week passes, in the sandbox alone. */
  async passWeek(token: string): Promise<void> {
    const seconds = RENT_DAYS * 86_400;
    const once = { idempotencyKey: `week-${token}` };
    await this.#holdfast.invoicing.sandboxMoveClock({ advance_seconds: seconds }, once);
  }

  /** Reports that the goods are on their way: the seller is paid. */
  async ship({ escrow: escrow_id }: Standing, token: string): Promise<void> {
    const once = { idempotencyKey: `ship-${token}` };
    await this.#holdfast.invoicing.commitEscrow({ escrow_id }, once);
  }

  /** Cancels the sale: the buyer gets everything back. */
  async cancel({ escrow: escrow_id }: Standing, token: string): Promise<void> {
    const once = { idempotencyKey: `cancel-${token}` };
    await this.#holdfast.invoicing.cancelEscrow({ escrow_id }, once);
  }

  /** An order of this person, bought or sold; null if there is none. */
  async find(id: string, person: Person): Promise<Standing | null> {
    const invoices = await this.#invoicesOf(person);
    const invoice = invoices.find(({ reference_id }) => reference_id === id);
    const order = this.#begun.get(id)?.order;
    if (invoice === undefined) {
      return order?.buyer === person.account_id ? unpaid(order) : null;
    }
    if (invoice.state !== 'processing') return this.#standingOf(invoice);
    const { invoice_id } = invoice;
    return this.#standingOf(await this.#holdfast.invoicing.getInvoice({ invoice_id }));
  }

  /** Everything that a person bought and sold, newest first. */
  async list(person: Person): Promise<readonly Standing[]> {
    const invoices = await this.#invoicesOf(person);
    const listed = new Set(invoices.map(({ reference_id }) => reference_id));
    const fresh = [...this.#begun.values()]
      .map(({ order }) => order)
      .filter(({ id, buyer }) => buyer === person.account_id && !listed.has(id));
    const standings = await Promise.all(invoices.map((one) => this.#standingOf(one)));
    return [...fresh.toReversed().map(unpaid), ...standings.filter((one) => one !== null)];
  }

  /** The seller of an order's product. */
  sellerOf({ product }: Order): Person {
    return this.#people.seller(product.seller);
  }

  #saleOf({ id, product, buyer, escrow }: Order) {
    const { plan, price, tax = 0, id: product_sku, name } = product;
    const whole = [{ name, price, tax }];
    const sold = Array.isArray(plan) ? (plan as readonly Stretch[]) : whole;
    return {
      account_id: buyer,
      reference_type: REFERENCE,
      reference_id: id,
      description: product.name,
      metadata: { product: product.id, escrow },
      line_items: sold.map((one) => this.#lineOf({ ...product, ...one }, product_sku)),
    };
  }

  #lineOf({ seller, name: description, ...of }: Product, product_sku: string) {
    const { price: amount, tax = 0 } = of;
    const fee_amount = feeOf({ price: amount, tax });
    return {
      amount,
      ...(tax > 0 && { tax: { amount: tax, inclusive: true, description: '19 % VAT' } }),
      currency: 'USD',
      transaction_type: 'user_to_user',
      product_sku,
      description,
      recipients: [
        {
          amount: amount - tax - fee_amount,
          destination_account_id: this.#people.seller(seller).account_id,
          fee_amount,
          fee_description: 'Kiln & Thread',
        },
      ],
    } as const;
  }

  /** The invoices of a person's orders, one for each, newest first. */
  async #invoicesOf({ account_id }: Person): Promise<Invoice[]> {
    const all = await this.#holdfast.invoicing.listAccountInvoices({
      account_id,
      include_recipient_transactions: 'true',
      sort_field: 'created',
    });
    const best = new Map<string, Invoice>();
    for (const one of all) {
      const before = best.get(one.reference_id);
      if (one.reference_type !== REFERENCE) continue;
      if (before !== undefined && RANK.indexOf(before.state) >= RANK.indexOf(one.state)) continue;
      best.set(one.reference_id, one);
    }
    return [...best.values()];
  }

  /** The state of an order from its invoice and escrow; null for a product not sold here. */
  async #standingOf(invoice: Invoice): Promise<Standing | null> {
    const { invoice_id, metadata, reference_id: id, account_id: buyer } = invoice;
    const product = productOf(String(metadata?.['product']));
    if (product === null) return null;
    const order = { id, product, buyer, escrow: metadata?.['escrow'] === true };
    const escrow = order.escrow
      ? await this.#holdfast.invoicing.getEscrowByInvoice({ invoice_id })
      : null;
    const isHeld = escrow?.status === 'ESCROWED';
    return {
      order,
      stage: stageOf(invoice, escrow),
      reason: invoice.failure_reason ?? '',
      invoice: invoice_id,
      escrow: escrow?.id ?? '',
      held: isHeld ? (escrow.held_amount ?? product.price) : 0,
      disputed: isHeld && product.plan !== undefined ? await this.#disputed(escrow, buyer) : null,
      confirm: 'authentication_url' in invoice ? (invoice.authentication_url ?? '') : '',
    };
  }

  async #disputed({ id: escrow_id }: Escrow, account_id: string): Promise<string[] | null> {
    const seen = await this.#holdfast.invoicing.getEscrowOfParty({ escrow_id, account_id });
    if (seen.disagreement !== 'open') return null;
    return seen.line_items.filter(({ held }) => held > 0).map(({ description }) => description);
  }
}

function unpaid(order: Order): Standing {
  const nothing = { reason: '', invoice: '', escrow: '', held: 0, disputed: null, confirm: '' };
  return { order, stage: 'unpaid', ...nothing };
}

function stageOf({ state }: Invoice | Invoice, escrow: Escrow | null): Standing['stage'] {
  if (escrow?.status === 'COMMITTED') return 'shipped';
  if (escrow?.status === 'CANCELLED') return 'cancelled';
  if (state === 'success') return escrow === null ? 'paid' : 'held';
  return state === 'open' ? 'unpaid' : state;
}
