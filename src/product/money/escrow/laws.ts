// Invariants of escrows that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { events } from '../../events.ts';

export const laws: readonly Proof[] = [
  law('escrow_money_is_open_escrows',
    'Escrow money equals the escrows in ESCROWED less disputed amounts, by currency.',
    `select coalesce(h.workspace, e.workspace) || ' ' || coalesce(h.currency, e.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
        and a.kind = 'escrow'
        group by p.workspace, p.currency) h
      full join (select e.workspace, sale_term(d.id::text, d.document, 'currency') as currency,
          sum(sale_term(d.id::text, d.document, 'total')::bigint - coalesce(t.taken, 0)) as owed
        from escrow e join invoice_document d on d.workspace = e.workspace
          and sale_term(d.id::text, d.document, 'escrow') = e.id::text
          and sale_term(d.id::text, d.document, 'kind') = 'escrow'
        left join (select workspace, resource_id, sum(secured) as taken from reversal
          where state <> 'given_back' group by workspace, resource_id) t
          on t.workspace = d.workspace and t.resource_id = d.id
        where e.state = 'ESCROWED' group by 1, 2) e
        on e.workspace = h.workspace and e.currency = h.currency
      where coalesce(h.held, 0) <> coalesce(e.owed, 0)`),
  law('escrow_has_one_outcome',
    'A committed escrow has a commit invoice, a cancelled one a cancel invoice, others none.',
    `select e.id::text as what from escrow e
      left join (select workspace, sale_term(id::text, document, 'escrow') as escrow,
          string_agg(kind, ' ' order by kind) as kinds
        from invoice_document
        cross join lateral (select sale_term(id::text, document, 'kind') as kind) of_kind
        where sale_term(id::text, document, 'escrow') is not null
        group by 1, 2) k on k.workspace = e.workspace and k.escrow = e.id::text
      where k.kinds is distinct from case e.state
        when 'COMMITTED' then 'commit escrow' when 'CANCELLED' then 'cancel escrow'
        else 'escrow' end`),
  law('escrow_moves_are_announced',
    'Each outcome of an escrow has exactly one escrow-transaction-update event.',
    `select s.resource_id::text || ' v' || s.version as what from step s
      left join (select workspace, resource_id, resource_version from event
          where name = '${events.escrowChanged.name}'
        union all select workspace, resource_id, resource_version from outbox
          where name = '${events.escrowChanged.name}') e on e.workspace = s.workspace
        and e.resource_id = s.resource_id and e.resource_version = s.version
      where s.machine = 'escrow' and s.to_state <> s.from_state and s.version > 1
      group by s.workspace, s.resource_id, s.version having count(e.resource_id) <> 1`),
];
