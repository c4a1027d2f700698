// What is bought: who is paid, how much, and the line items.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FlowConfig } from '../../protocol.ts';
import type { Sale } from '../flow.ts';
import { Money } from '../kit/index.ts';
import { t } from '../texts.ts';

/** The large amount under the heading. */
export function Total({ invoice }: { readonly invoice: Sale }) {
  return (
    <p class="total" data-test="total">
      <Money value={invoice.display_amount} />
    </p>
  );
}

/** From so many lines on, all but the first are folded away. */
const FOLD_FROM = 8;
const SHOWN_FOLDED = 4;

/** The line items, with SKU and reference if the page wants them; tax, and a sum of several. */
export function Lines(props: {
  readonly invoice: Sale;
  readonly config: FlowConfig;
}) {
  const { invoice, config } = props;
  const [open, setOpen] = useState(false);
  const lines = invoice.line_items;
  const folds = lines.length >= FOLD_FROM;
  const sums = [
    ...(invoice.subtotal ? [['subtotal', invoice.subtotal] as const] : []),
    ...(invoice.tax ? [['tax', invoice.tax] as const] : []),
    ['total', invoice] as const,
  ];
  const reference = [invoice.reference_type, invoice.reference_id].filter(Boolean).join(' ');
  return (
    <div class="lines" data-test="lines">
      {config.showInvoiceReferenceInfo === true && reference !== '' && (
        <dl>
          <div data-test="reference">
            <dt class="muted">{t('sale.reference')}</dt>
            <dd>{reference}</dd>
          </div>
        </dl>
      )}
      <dl>
        {lines.map((line, at) => (
          <div key={at} class={folds && !open && at >= SHOWN_FOLDED ? 'folded' : ''}>
            <dt>
              {line.description || t('sale.item')}
              {config.hideSKUs !== true && line.product_sku && <small>{line.product_sku}</small>}
            </dt>
            <dd>
              <Money value={line.display_amount} />
            </dd>
          </div>
        ))}
      </dl>
      {folds && (
        <button
          class="fold-button"
          type="button"
          data-test="lines-all"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t('sale.fewer_items') : t('sale.all_items', { count: lines.length })}
        </button>
      )}
      {lines.length + sums.length > 2 && (
        <dl class="sum">
          {sums.map(([name, { display_amount }]) => (
            <div key={name} data-test={name}>
              <dt>{t(`sale.${name}`)}</dt>
              <dd>
                <Money value={display_amount} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** What a person presses to agree or pay: on a page of its own it stays in sight, with the total. */
export function PayBar(props: {
  /** Shown beside the button; null where the button says it. */
  readonly total: string | null;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="pay-bar" data-test="pay-bar">
      {props.total !== null && (
        <p>
          <span>{t('sale.total')}</span>
          <Money value={props.total} />
        </p>
      )}
      {props.children}
    </div>
  );
}
