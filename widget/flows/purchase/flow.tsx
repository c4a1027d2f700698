// Purchase: one method to buy with, chosen or added; the page is told which. [G-76]
import type { FlowContext } from '../flow.ts';
import { moneyText } from '../kit/index.ts';
import { billOf } from '../methods/bill.ts';
import { Chooser } from '../methods/chooser.tsx';
import { offerOf } from '../methods/choice.ts';
import { purchaseMethods, withinLimit } from './limits.ts';

export function PurchaseFlow({ context }: { readonly context: FlowContext }) {
  const bill = billOf(context.config);
  const card = withinLimit('card', bill);
  return (
    <Chooser
      context={context}
      title="Payment method"
      {...(bill === null ? {} : { lead: `For ${moneyText(bill.total, bill.currency)}` })}
      label="Choose how to pay"
      button="Continue"
      adds={card ? ['card', 'paypal'] : ['paypal']}
      offer={(methods) => offerOf(purchaseMethods(methods, bill), bill, true)}
      onChosen={([part], methods) => {
        const chosen = methods.find(({ id }) => id === part?.payment_method_id);
        if (chosen === undefined) return;
        const { id, psp_reference, pm_state } = chosen;
        context.finish({ state: 'complete', id, psp_reference, pm_state });
      }}
    />
  );
}
