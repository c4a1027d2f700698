// The receipt on the page of a payment: what was bought, and the facts a buyer needs later. It is
// also what is printed.
import type { VNode } from 'preact';
import type { FlowContext } from '../flow.ts';
import { amountText, methodName } from '../kit/index.ts';
import type { PaymentMethod } from '../methods/choice.ts';
import type { AuthorizedInvoice, Invoice } from './records.ts';
import { Lines } from './summary.tsx';
import { datesLocale, t } from '../texts.ts';

export interface ReceiptProps {
  readonly context: FlowContext;
  readonly invoice: AuthorizedInvoice;
  readonly paid: Invoice;
  /** Of the account, for their names. */
  readonly methods: readonly PaymentMethod[];
}

/** A method's name; one that is paid with once, and not listed, has none. */
function nameOf(methods: readonly PaymentMethod[], id: string): string {
  const found = methods.find((one) => one.id === id);
  if (found === undefined) return t('checkout.unsaved_method');
  return found.provider === 'wallet' ? t('methods.balance') : methodName(found.display_string);
}

/** How it was paid, each method with its amount where there are several. */
function paidWith({ paid, methods }: ReceiptProps): string {
  const parts = Object.values(paid.payment_methods);
  const texts = parts.map(({ payment_method_id, display_amount }) => {
    const name = nameOf(methods, payment_method_id);
    return parts.length === 1 ? name : `${name} (${amountText(display_amount)})`;
  });
  return texts.join(', ');
}

/** How to reach the shop; an e-mail address or a page, as the server has checked. */
function Contact({ contact }: { readonly contact: string }) {
  const page = contact.includes('://');
  return <a href={page ? contact : `mailto:${contact}`}>{contact.replace(/^https:\/\//, '')}</a>;
}

/** Number, lines, date, method, seller, and how to reach the shop. */
export function Receipt(props: ReceiptProps) {
  const { context, invoice, paid } = props;
  const { contact } = context.boot;
  const time = { dateStyle: 'long', timeStyle: 'short' } as const;
  const facts: readonly (readonly [string, VNode | string])[] = [
    [t('checkout.receipt_number'), paid.invoice_id],
    [t('checkout.date'), new Date(paid.updated).toLocaleString(datesLocale(), time)],
    [t('checkout.paid_with'), paidWith(props)],
    [t('checkout.seller'), context.session.integrator_name],
    [t('checkout.questions'), contact === '' ? '' : <Contact contact={contact} />],
  ];
  const known = facts.filter(([, value]) => value !== '');
  return (
    <div class="stack" data-test="receipt">
      {invoice.description !== '' && <p class="muted">{invoice.description}</p>}
      <Lines invoice={invoice} config={context.config} />
      <dl class="facts">
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
