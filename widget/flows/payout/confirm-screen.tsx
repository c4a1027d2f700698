// The last screen before money leaves: amount, cost, destination.
import { amountText, BackButton, Button, Notice, Row, Rows, Screen } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { faceOf } from '../methods/face.tsx';
import { PriceLines } from './price.tsx';
import type { Quote } from './records.ts';
import { t } from '../texts.ts';

export function ConfirmScreen(props: {
  readonly quote: Quote;
  readonly destination: PaymentMethod;
  readonly busy: boolean;
  readonly problem: string;
  readonly onPay: () => void;
  readonly onBack: () => void;
}) {
  const { quote, busy, problem } = props;
  return (
    <Screen
      name="payout-confirm"
      title={t('payout.confirm')}
      above={<BackButton test="back" onClick={() => busy || props.onBack()} />}
    >
      <PriceLines quote={quote} />
      <div class="group">
        <h2>{t('payout.to')}</h2>
        <Rows>
          <Row {...faceOf(props.destination)} test="destination" />
        </Rows>
      </div>
      <div class="actions">
        {problem !== '' && (
          <Notice tone="error" test="problem">
            {problem}
          </Notice>
        )}
        <Button test="payout" busy={busy} onClick={props.onPay}>
          {t('payout.pay_out', { amount: amountText(quote.display_net_amount) })}
        </Button>
      </div>
    </Screen>
  );
}
