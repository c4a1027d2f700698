// What is bought: who is paid, how much, and the line items.
import type { FlowConfig } from '../../protocol.ts';
import type { Sale } from '../flow.ts';
import { Money, Skeleton, Screen } from '../kit/index.ts';

/** The large amount under the heading. */
export function Total({ invoice }: { readonly invoice: Sale }) {
  return (
    <p class="total" data-test="total">
      <Money value={invoice.display_amount} />
    </p>
  );
}

/** The line items, with SKU and reference if the page wants them, and a sum of several. */
export function Lines(props: {
  readonly invoice: Sale;
  readonly config: FlowConfig;
}) {
  const { invoice, config } = props;
  const lines = invoice.line_items;
  const reference = [invoice.reference_type, invoice.reference_id].filter(Boolean).join(' ');
  return (
    <dl class="lines" data-test="lines">
      {config.showInvoiceReferenceInfo === true && reference !== '' && (
        <div data-test="reference">
          <dt class="muted">Reference</dt>
          <dd>{reference}</dd>
        </div>
      )}
      {lines.map((line, at) => (
        <div key={at}>
          <dt>
            {line.description || 'Item'}
            {config.hideSKUs !== true && line.product_sku && <small>{line.product_sku}</small>}
          </dt>
          <dd>
            <Money value={line.display_amount} />
          </dd>
        </div>
      ))}
      {lines.length > 1 && (
        <div class="sum">
          <dt>Total</dt>
          <dd>
            <Money value={invoice.display_amount} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The placeholder while it loads. */
export function SummarySkeleton() {
  return (
    <Screen name="loading" title="Loading your order" heading="payee" busy>
      <Skeleton shapes={['title', 'box', 'short', 'list', 'button']} />
    </Screen>
  );
}
