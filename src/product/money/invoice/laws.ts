// Invariants of invoices that `verify` checks beside those of the ledger. [G-45]
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('authorized_invoices_are_paid_once',
    'Of the invoices created from one authorized invoice, only the last is ever paid.',
    `select i.id::text as what from invoice i
      join invoice_document d on d.workspace = i.workspace and d.id = i.id
      left join authorized_invoice a on a.workspace = i.workspace
        and a.id = sale_term(d.id::text, d.document, 'authorized')::uuid
      where i.state in ('processing', 'success')
        and sale_term(d.id::text, d.document, 'authorized') is not null
        and coalesce(sale_term(d.id::text, d.document, 'kind'), 'escrow') = 'escrow'
        and a.latest_invoice_id is distinct from i.id`),
];

/** What invoices and returns moved, what is open, and what was announced. */
export const bookLaws: readonly Proof[] = [
  law('success_is_paid_once',
    'A successful invoice credits exactly its total, once; no other invoice keeps money.',
    `select i.id::text as what from invoice i
      join invoice_document d on d.workspace = i.workspace and d.id = i.id
      left join (select workspace, resource_id, sum(amount) filter (where amount > 0) as credited
        from posting p where exists (
          select from history s where s.workspace = p.workspace and s.resource_id = p.resource_id
            and s.version = p.version and s.machine = 'invoice' and s.to_state = 'success')
        group by workspace, resource_id) c on c.workspace = i.workspace and c.resource_id = i.id
      where coalesce(sale_term(d.id::text, d.document, 'kind'), '') not in ('cancel', 'refund')
        and ((i.state = 'success' and coalesce(c.credited, 0)
            <> sale_term(d.id::text, d.document, 'total')::bigint)
          or (i.state <> 'success' and c.credited is not null))`),
  law('returns_give_back_their_total', 'A refund or cancel invoice moves exactly its total, once.',
    `select i.id::text as what from invoice i
      join invoice_document d on d.workspace = i.workspace and d.id = i.id
      left join posting p on p.workspace = i.workspace and p.resource_id = i.id and p.version = 1
        and p.amount > 0
      where sale_term(d.id::text, d.document, 'kind') in ('cancel', 'refund')
      group by i.workspace, i.id, d.id, d.document
      having coalesce(sum(p.amount), 0) <> sale_term(d.id::text, d.document, 'total')::bigint`),
  law('pending_refunds_are_open',
    'Pending refund money belongs to refund and cancel invoices that are processing.',
    `select coalesce(b.workspace, o.workspace) || ' ' || coalesce(b.currency, o.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind = 'refund_pending' group by p.workspace, p.currency) b
      full join (select r.workspace, r.currency, sum(r.amount) as owed from transfer r
        join invoice i on i.workspace = r.workspace and i.id = r.resource_id
        and i.state = 'processing'
        where r.state <> 'replaced' group by r.workspace, r.currency) o
        on o.workspace = b.workspace and o.currency = b.currency
      where coalesce(b.held, 0) <> coalesce(o.owed, 0)`),
  law('holding_is_open_work', 'Money in holding belongs to invoices that are processing.',
    `select p.resource_id::text as what from posting p
      join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      and a.kind = 'holding'
      join invoice i on i.workspace = p.workspace and i.id = p.resource_id
      where i.state <> 'processing'
      group by p.workspace, p.resource_id, p.currency having sum(p.amount) <> 0`),
  law('captures_match',
    'A successful invoice captured what its payment attempts say; a failed one nothing.',
    `select i.id::text as what from invoice i
      join attempt t on t.workspace = i.workspace and t.resource_id = i.id
      where (i.state = 'success' and t.state <> 'captured')
        or (i.state = 'failed' and t.state = 'captured')`),
  law('finished_invoices_are_announced',
    'Each invoice that succeeded or failed has exactly one event, published or pending.',
    `select i.id::text as what from invoice i
      left join (select workspace, resource_id, resource_version from event
          where name = 'invoice-completed'
        union all select workspace, resource_id, resource_version from outbox
          where name = 'invoice-completed') e
        on e.workspace = i.workspace and e.resource_id = i.id
      where i.state in ('success', 'failed')
      group by i.workspace, i.id having count(e.resource_id) <> 1`),
];
