// The result of a payment: paid, or not and what to do about it.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { amountText, Button, PoweredLine, Result } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { authorizedInvoice } from './calls.ts';
import { Receipt } from './receipt.tsx';
import { adviceOf, type AuthorizedInvoice, type Invoice } from './records.ts';
import { t } from '../texts.ts';

/** Paid, with the receipt; Done ends the flow. */
export function SuccessScreen(props: {
  readonly context: FlowContext;
  readonly invoice: AuthorizedInvoice;
  readonly paid: Invoice;
  readonly methods: readonly PaymentMethod[];
}) {
  const { context, invoice } = props;
  const [url, setUrl] = useState<string>();
  // Without the page of the receipt, this one is printed.
  useEffect(
    () => void authorizedInvoice(context).then((now) => setUrl(now.receipt_url), () => {}),
    [],
  );
  const free = invoice.line_items_total === 0;
  const amount = amountText(invoice.display_amount);
  const shop = context.session.integrator_name;
  return (
    <Result
      name="success"
      good
      title={free ? t('checkout.confirmed') : t('checkout.paid', { amount })}
      lead={t(invoice.is_escrow ? 'checkout.held' : 'checkout.thanks', { shop })}
    >
      <Receipt {...props} />
      <div class="actions">
        <Button
          test="done"
          onClick={() => context.finish({ state: 'complete', trigger: 'done-button' })}
        >
          {t('page.done')}
        </Button>
        {url === undefined ? (
          <Button kind="quiet" test="print" onClick={() => window.print()}>
            {t('checkout.print')}
          </Button>
        ) : (
          <a
            class="button button-quiet button-wide"
            href={url}
            target="_blank"
            rel="noopener"
            data-test="receipt-page"
          >
            {t('checkout.receipt_page')}
          </a>
        )}
        <PoweredLine />
      </div>
    </Result>
  );
}

/** Not paid; the buyer may choose again or stop. */
export function FailureScreen(props: {
  readonly context: FlowContext;
  readonly failed: Invoice;
  readonly onAgain: () => void;
}) {
  return (
    <Result
      name="failure"
      good={false}
      title={t('checkout.failed')}
      lead={adviceOf(props.failed)}
    >
      <div class="actions">
        <Button test="choose-again" onClick={props.onAgain}>
          {t('checkout.another_way')}
        </Button>
        <Button
          kind="quiet"
          test="cancel"
          onClick={() => props.context.finish({ state: 'cancel' })}
        >
          {t('page.cancel')}
        </Button>
      </div>
    </Result>
  );
}
