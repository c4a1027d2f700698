// Pages of the platform that a person visits for themselves: identity, business, payout, history.
// Answers for one link per form, however often it is sent. Refuses to know what happens inside.
import type { ClientApi } from '../client/generated.ts';

/** The flows that the shop offers on a person's own page. */
export type OwnFlow = 'kyc' | 'kyb' | 'payout' | 'txnhistory';

/** A link that was made for somebody. */
export interface OpenFlow {
  readonly token: string;
  readonly account: string;
  readonly flow: OwnFlow;
  readonly redirect: string;
}

/** What each is called on a button. */
export const OWN_FLOWS: Readonly<Record<OwnFlow, string>> = {
  kyc: 'Verify your identity',
  kyb: 'Verify a business',
  payout: 'Cash out',
  txnhistory: 'Your history',
};

/** The links of this process. */
export class Flows {
  readonly #holdfast: ClientApi;
  readonly #open = new Map<string, OpenFlow>();

  constructor(holdfast: ClientApi) {
    this.#holdfast = holdfast;
  }

  /** Makes a link into a flow; the same token again gives the same. */
  async open(account_id: string, flow: OwnFlow, token: string): Promise<void> {
    const made = await this.#holdfast.auth.authorizeUser(
      { account_id, mechanism: 'widget', flow },
      { idempotencyKey: `${flow}-${token}` },
    );
    const redirect = 'redirect' in made ? made.redirect : '';
    this.#open.set(token, { token, account: account_id, flow, redirect });
  }

  /** A link of this person; null when there is none. */
  find(token: string, account_id: string): OpenFlow | null {
    const open = this.#open.get(token);
    return open?.account === account_id ? open : null;
  }
}

/** The name of a flow, checked. */
export function ownFlow(text: string): OwnFlow | null {
  return text in OWN_FLOWS && Object.hasOwn(OWN_FLOWS, text) ? (text as OwnFlow) : null;
}
