// Links to the platform's pages that a person visits for themselves: identity, business, payout,
// history. One link per form, however often it is sent.
import type { ClientApi } from '../client/generated.ts';

/** The flows offered on a person's own page. */
export type OwnFlow = 'kyc' | 'kyb' | 'payout' | 'txnhistory';

/** A link made for somebody. */
export interface OpenFlow {
  readonly token: string;
  readonly account: string;
  readonly flow: OwnFlow | 'escrow';
  readonly config: Readonly<Record<string, unknown>>;
  readonly redirect: string;
}

/** Labels of their buttons. */
export const OWN_FLOWS = {
  kyc: 'Verify your identity',
  kyb: 'Verify a business',
  payout: 'Cash out',
  txnhistory: 'Your transactions',
} as const satisfies Readonly<Record<OwnFlow, string>>;

/** The heading of a flow's page. */
export function headingOf(flow: OpenFlow['flow']): string {
  return flow === 'escrow' ? 'Where the money is' : OWN_FLOWS[flow];
}

/** The links of this process. */
export class Flows {
  readonly #holdfast: ClientApi;
  readonly #open = new Map<string, OpenFlow>();

  constructor(holdfast: ClientApi) {
    this.#holdfast = holdfast;
  }

  /** Makes a link into a flow; the same token again gives the same link. */
  async open(account: string, flow: OwnFlow, token: string): Promise<void> {
    await this.#link({ account, flow, token, config: {} }, {});
  }

  /** Makes a link to the escrow of an order. A buyer's lets them release; both may disagree. */
  async openEscrow(account: string, escrow: string, token: string, buys: boolean): Promise<void> {
    const own = buys ? 'release_escrow' : 'deliver_escrow';
    const scopes = ['read_invoices', own, 'write_disagreements'];
    const config = { transactionId: escrow };
    await this.#link({ account, flow: 'escrow', token, config }, { scopes });
  }

  async #link(open: Omit<OpenFlow, 'redirect'>, more: { scopes?: string[] }): Promise<void> {
    const { account: account_id, flow, token } = open;
    const made = await this.#holdfast.auth.authorizeUser(
      { account_id, mechanism: 'widget', flow, ...more },
      { idempotencyKey: `${flow}-${token}` },
    );
    const redirect = 'redirect' in made ? made.redirect : '';
    this.#open.set(token, { ...open, redirect });
  }

  /** A link of this person; null if there is none. */
  find(token: string, account_id: string): OpenFlow | null {
    const open = this.#open.get(token);
    return open?.account === account_id ? open : null;
  }
}

/** The name of a flow, checked. */
export function ownFlow(text: string): OwnFlow | null {
  return text in OWN_FLOWS && Object.hasOwn(OWN_FLOWS, text) ? (text as OwnFlow) : null;
}
