// The note above a list of transactions about earnings that cannot be spent; nothing for most.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Money } from '../kit/index.ts';
import { heldLines, type Debts, type HeldLine, type Reserves } from './held.ts';

export function HeldNote({ context }: { readonly context: FlowContext }) {
  const [lines, setLines] = useState<readonly HeldLine[]>([]);
  useEffect(() => {
    const { api } = context;
    Promise.all([
      api.get<Reserves>('/invoicing/v1/seller_reserves'),
      api.get<Debts>('/invoicing/v1/seller_debts'),
    ]).then(
      (read) => setLines(heldLines(...read)),
      // The list reads well without it.
      () => {},
    );
  }, []);
  if (lines.length === 0) return null;
  return (
    <dl class="lines" data-test="held">
      {lines.map(({ name, amount, why }, at) => (
        <div key={at}>
          <dt>
            {name}
            <small class="held-why">{why}</small>
          </dt>
          <dd>
            <Money value={amount} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
