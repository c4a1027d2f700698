// The full payout flow: with pending payouts, and the identity level that the page asked for.
// [public-facts 4.3, 4.8]
import type { FlowContext } from '../flow.ts';
import { PayoutSteps } from '../payout/payout.tsx';

/** Ends as the payout flow does. */
export function PayoutFullFlow({ context }: { readonly context: FlowContext }) {
  const level = context.config.verificationLevel ?? 'full';
  return <PayoutSteps context={context} full level={level} />;
}
