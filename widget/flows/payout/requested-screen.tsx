// After a payout was requested: its status and what happens next.
import { amountText, Button, methodName, Result } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import type { Payout } from './records.ts';
import { t } from '../texts.ts';

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
      title={t('payout.requested', { amount: amountText(payout.display_net_amount) })}
    >
      <ol class="next" data-test="next">
        <li data-done="">{t('payout.next_requested')}</li>
        <li>{t('payout.next_review')}</li>
        <li>{t('payout.next_to', { name: methodName(destination.display_string) })}</li>
        <li>{t(login ? 'payout.next_at_once' : 'payout.next_days')}</li>
      </ol>
      <Button test="done" onClick={props.onDone}>
        {t('page.done')}
      </Button>
    </Result>
  );
}
