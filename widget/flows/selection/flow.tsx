// Payment selection: how the page's own purchase is to be paid; the result goes unchanged into the
// creation of the invoice or escrow. [seed: Widget completion results] [G-78]
import type { FlowContext } from '../flow.ts';
import { billOf, leadOf } from '../methods/bill.ts';
import { Chooser } from '../methods/chooser.tsx';
import { offerOf } from '../methods/choice.ts';
import { t } from '../texts.ts';

export function SelectionFlow({ context }: { readonly context: FlowContext }) {
  const bill = billOf(context.config);
  const hide = context.config.hideUserWallets === true;
  return (
    <Chooser
      context={context}
      title={t('methods.title')}
      {...(bill === null ? {} : { lead: leadOf(bill) })}
      label={t('methods.how')}
      button={t('methods.use')}
      adds={['card', 'paypal']}
      offer={(methods) => offerOf(methods, bill, hide)}
      onChosen={(paymentMethods) => context.finish({ state: 'complete', paymentMethods })}
    />
  );
}
