// The screen where a buyer sees what is bought, chooses how to pay, and pays.
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { amountText, Button, Notice, PoweredLine, Screen } from '../kit/index.ts';
import { partsOf, type Choice, type Offer, type PaymentPart } from '../methods/choice.ts';
import type { EntryKind } from '../methods/entry-screen.tsx';
import { MethodList } from '../methods/method-list.tsx';
import type { AuthorizedInvoice } from './records.ts';
import { Lines, PayBar, Total } from './summary.tsx';
import { t } from '../texts.ts';

export interface PayScreenProps {
  readonly context: FlowContext;
  readonly invoice: AuthorizedInvoice;
  readonly offer: Offer;
  readonly choice: Choice;
  /** Why the last press failed; else ''. */
  readonly problem: string;
  readonly busy: boolean;
  readonly onChoose: (choice: Choice) => void;
  readonly onAdd: (kind: EntryKind) => void;
  readonly onChanged: () => void;
  readonly onPay: (parts: readonly PaymentPart[]) => void;
}

/** Summary, methods, the pay button. */
export function PayScreen(props: PayScreenProps) {
  const { context, invoice, offer, choice, problem, busy } = props;
  const [missing, setMissing] = useState(false);
  const { config, session } = context;
  const shop = session.integrator_name;
  const free = invoice.line_items_total === 0;
  const parts = partsOf(offer, choice);
  const pay = (): void => {
    setMissing(parts === null);
    if (parts !== null) props.onPay(parts);
  };
  const label = config.selectButton?.label;
  const amount = amountText(invoice.display_amount);
  const words = free ? t('checkout.confirm') : t('checkout.pay', { amount });
  return (
    <Screen
      name="summary"
      title={context.page ? t('checkout.total_to_pay') : t('checkout.pay_shop', { shop })}
      heading="payee"
      below={<Total invoice={invoice} />}
    >
      {invoice.description !== '' && <p class="muted">{invoice.description}</p>}
      <Lines invoice={invoice} config={config} />
      {!free && (
        <div inert={busy}>
          <MethodList
            {...props}
            label={t('methods.how')}
            error={missing && parts === null ? t('methods.missing') : undefined}
            adds={['card', 'paypal']}
          />
        </div>
      )}
      {invoice.is_escrow && (
        <Notice title={t('checkout.protected')} test="escrow-note">
          {t('checkout.held', { shop })}
        </Notice>
      )}
      {problem !== '' && (
        <Notice tone="error" test="problem">
          {problem}
        </Notice>
      )}
      <PayBar total={label === undefined || free ? null : invoice.display_amount}>
        <Button test="pay" busy={busy} describedBy="legal" onClick={pay}>
          {label ?? words}
        </Button>
      </PayBar>
      <div class="actions">
        <Button
          kind="quiet"
          test="cancel"
          disabled={busy}
          onClick={() => context.finish({ state: 'cancel' })}
        >
          {t('page.cancel')}
        </Button>
        <p class="small muted centre" id="legal">
          {t('checkout.seller_of_record', { shop })}
        </p>
        <PoweredLine />
      </div>
    </Screen>
  );
}
