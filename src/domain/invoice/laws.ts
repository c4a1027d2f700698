// Invariants of invoices that `verify` checks beside those of the ledger. [G-45]
import type { Proof } from '../../ledger/index.ts';

export const invoiceLaws: readonly Proof[] = [
  {
    name: 'authorized_invoices_are_paid_once',
    law: 'Of the invoices created from one authorized invoice, only the last is ever paid.',
    text: `select i.id::text as what from invoice i
      join invoice_document d on d.world = i.world and d.id = i.id
      left join authorized_invoice a on a.world = i.world
        and a.id = (d.document::json ->> 'authorized')::uuid
      where i.state in ('processing', 'success') and d.document::json ->> 'authorized' is not null
        and coalesce(d.document::json ->> 'kind', 'escrow') = 'escrow'
        and a.latest_invoice_id is distinct from i.id`,
  },
];
