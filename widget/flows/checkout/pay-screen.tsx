// The screen where a buyer sees what is bought, chooses how to pay, and pays.
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, groupDigits, Notice, PoweredLine, Screen } from '../kit/index.ts';
import { partsOf, type Choice, type Offer, type PaymentPart } from '../methods/choice.ts';
import type { EntryKind } from '../methods/entry-screen.tsx';
import { MethodList } from '../methods/method-list.tsx';
import type { AuthorizedInvoice } from './records.ts';
import { Lines, PayBar, Total } from './summary.tsx';

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
  const free = invoice.line_items_total === 0;
  const parts = partsOf(offer, choice);
  const pay = (): void => {
    setMissing(parts === null);
    if (parts !== null) props.onPay(parts);
  };
  const label = config.selectButton?.label;
  const words = free ? 'Confirm' : `Pay ${groupDigits(invoice.display_amount)}`;
  return (
    <Screen
      name="summary"
      title={context.page ? 'Total to pay' : `Pay ${session.integrator_name}`}
      heading="payee"
      below={<Total invoice={invoice} />}
    >
      {invoice.description !== '' && <p class="muted">{invoice.description}</p>}
      <Lines invoice={invoice} config={config} />
      {!free && (
        <div inert={busy}>
          <MethodList
            {...props}
            label="How would you like to pay?"
            error={missing && parts === null ? 'Choose a payment method or add one.' : undefined}
            adds={['card', 'paypal']}
          />
        </div>
      )}
      {invoice.is_escrow && (
        <Notice title="Protected purchase" test="escrow-note">
          Your money is held until {session.integrator_name} releases it to the seller.
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
          Cancel
        </Button>
        <p class="small muted centre" id="legal">
          You buy from {session.integrator_name}, the seller of record.
        </p>
        <PoweredLine />
      </div>
    </Screen>
  );
}
