// A tiny marketplace, the product under test: the buyer's money is held when an order is placed,
// and goes to the seller, less our share, when the parcel has arrived.
import { createClient } from 'holdfast/client';

/** What we keep of each sale, in percent. */
const SHARE = 10;

export class Marketplace {
  #platform;
  #orders = new Map();

  /**
   * @param {import('holdfast/client').Urls} urls
   * @param {{ client_id: string, client_secret: string }} credentials
   */
  constructor(urls, credentials) {
    const { client_id: clientId, client_secret: clientSecret } = credentials;
    this.#platform = createClient({ urls, clientId, clientSecret });
  }

  /**
   * Places an order: the money leaves the buyer and is held. `price` is in cents.
   * @param {{ buyer: string, method: string, sellerWallet: string, price: number }} wish
   */
  async buy({ buyer, method, sellerWallet, price }) {
    const fee = Math.round((price * SHARE) / 100);
    const recipient = { destination_wallet_id: sellerWallet, amount: price - fee, fee_amount: fee };
    const escrow = await this.#platform.invoicing.createEscrow({
      account_id: buyer,
      payment_methods: [{ payment_method_id: method }],
      line_items: [
        {
          amount: price,
          currency: 'USD',
          transaction_type: 'user_to_user',
          recipients: [recipient],
        },
      ],
    });
    await this.#platform.invoicing.payEscrow({ escrow_id: escrow.id });
    this.#orders.set(escrow.id, 'placed');
    return escrow.id;
  }

  /** The parcel has arrived: the seller gets the money. */
  async delivered(order) {
    await this.#platform.invoicing.commitEscrow({ escrow_id: order });
  }

  /** Takes an event of the platform, which was verified before. */
  take(event) {
    if (event.event_name !== 'escrow-transaction-update') return;
    const { id, status } = event.message;
    const states = { ESCROWED: 'paid', COMMITTED: 'done', CANCELLED: 'refunded' };
    this.#orders.set(id, states[status] ?? 'failed');
  }

  /** `placed`, `paid`, `done`, `refunded` or `failed`. */
  stateOf(order) {
    return this.#orders.get(order);
  }
}
