// Purchase: one method to buy with, chosen or added; the page is told which. [G-76]
import type { FlowContext } from '../flow.ts';
import { billOf, leadOf } from '../methods/bill.ts';
import { Chooser } from '../methods/chooser.tsx';
import { offerOf } from '../methods/choice.ts';
import { purchaseMethods, withinLimit } from './limits.ts';
import { t } from '../texts.ts';

export function PurchaseFlow({ context }: { readonly context: FlowContext }) {
  const bill = billOf(context.config);
  const card = withinLimit('card', bill);
  return (
    <Chooser
      context={context}
      title={t('methods.title')}
      {...(bill === null ? {} : { lead: leadOf(bill) })}
      label={t('methods.how_purchase')}
      button={t('page.continue')}
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
