// Payment selection: how the page's own purchase is to be paid; the result goes unchanged into the
// creation of the invoice or escrow. [seed: Widget completion results] [G-78]
import type { FlowContext } from '../flow.ts';
import { moneyText } from '../kit/index.ts';
import { billOf } from '../methods/bill.ts';
import { Chooser } from '../methods/chooser.tsx';
import { offerOf } from '../methods/choice.ts';

export function SelectionFlow({ context }: { readonly context: FlowContext }) {
  const bill = billOf(context.config);
  const hide = context.config.hideUserWallets === true;
  return (
    <Chooser
      context={context}
      title="Payment method"
      {...(bill === null ? {} : { lead: `For ${moneyText(bill.total, bill.currency)}` })}
      label="How would you like to pay?"
      button="Use this method"
      adds={['card', 'paypal']}
      offer={(methods) => offerOf(methods, bill, hide)}
      onChosen={(paymentMethods) => context.finish({ state: 'complete', paymentMethods })}
    />
  );
}
