// Sellers' accounts at the sandbox's processor: each is one of its bank accounts, which takes
// payouts at once, so that an integration can be tried from the link to the payout.
import { addSeconds, instantFromMillis } from '../../core/time.ts';
import type { PayeeOutcome, Payees } from '../../providers/payees/port.ts';
import type { SandboxCards } from '../ports/cards.ts';

const LINK_SECONDS = 300;

/** The port; `page` is where the link leads. */
export function simulatedPayees(attach: SandboxCards['attach'], page: string): Payees {
  const open = (reference: string): PayeeOutcome => {
    return { state: 'open', reference, payable: true, due: [] };
  };
  return {
    async open({ workspace }) {
      const account = await attach(workspace, 'bank');
      return account === null ? { state: 'unknown' } : open(account.token);
    },
    retrieve: async (_workspace, reference) => open(reference),
    async page() {
      const expires = addSeconds(instantFromMillis(Date.now()), LINK_SECONDS);
      return { url: page, expires };
    },
  };
}
