// The payout flow: one payout, after the identity is accepted. [public-facts 4.2]
import type { FlowContext } from '../flow.ts';
import { PayoutSteps } from './payout.tsx';

/** Ends with the destination and the payout's id. [G-76] */
export function PayoutFlow({ context }: { readonly context: FlowContext }) {
  return <PayoutSteps context={context} full={false} level="full" />;
}
