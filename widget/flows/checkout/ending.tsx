// The result of a payment: paid, or not and what to do about it.
import type { FlowContext } from '../flow.ts';
import { Button, groupDigits, PoweredLine, Result } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import { Receipt } from './receipt.tsx';
import { adviceOf, type AuthorizedInvoice, type Invoice } from './records.ts';

/** Paid, with the receipt; Done ends the flow. */
export function SuccessScreen(props: {
  readonly context: FlowContext;
  readonly invoice: AuthorizedInvoice;
  readonly paid: Invoice;
  readonly methods: readonly PaymentMethod[];
}) {
  const { context, invoice } = props;
  const free = invoice.line_items_total === 0;
  const amount = groupDigits(invoice.display_amount);
  const seller = context.session.integrator_name;
  return (
    <Result
      name="success"
      good
      title={free ? 'Confirmed' : `${amount} paid`}
      lead={
        invoice.is_escrow
          ? `Your money is held until ${seller} releases it to the seller.`
          : `Thank you. ${seller} has been notified.`
      }
    >
      <Receipt {...props} />
      <div class="actions">
        <Button
          test="done"
          onClick={() => context.finish({ state: 'complete', trigger: 'done-button' })}
        >
          Done
        </Button>
        <Button kind="quiet" test="print" onClick={() => window.print()}>
          Print or save
        </Button>
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
      title="The payment did not go through"
      lead={adviceOf(props.failed)}
    >
      <div class="actions">
        <Button test="choose-again" onClick={props.onAgain}>
          Choose another way to pay
        </Button>
        <Button
          kind="quiet"
          test="cancel"
          onClick={() => props.context.finish({ state: 'cancel' })}
        >
          Cancel
        </Button>
      </div>
    </Result>
  );
}
