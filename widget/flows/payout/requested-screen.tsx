// After a payout was requested: its status and what happens next.
import { Button, groupDigits, Result } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import type { Payout } from './records.ts';

/** Done ends the flow. */
export function RequestedScreen(props: {
  readonly payout: Payout;
  readonly destination: PaymentMethod;
  readonly onDone: () => void;
}) {
  const { payout, destination } = props;
  const login = destination.provider === 'paypal';
  return (
    <Result
      name="payout-requested"
      good
      title={`${groupDigits(payout.display_net_amount)} requested`}
    >
      <ol class="next" data-test="next">
        <li data-done="">Requested</li>
        <li>We review every payout first.</li>
        <li>It goes to {destination.display_string}.</li>
        <li>{login ? 'It should arrive at once.' : 'Your bank needs a few business days.'}</li>
      </ol>
      <Button test="done" onClick={props.onDone}>
        Done
      </Button>
    </Result>
  );
}
