// Invariants of escrows that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { events } from '../../events.ts';

/** SQL: what the parts of an escrow `e` moved, by whether they went back, and how many. */
const MOVED = `lateral (select count(*) filter (where not m.back) as paid,
      count(*) filter (where m.back) as back,
      coalesce(sum(m.amount) filter (where not m.back), 0) as released,
      coalesce(sum(m.amount) filter (where m.back), 0) as returned
    from (select p ->> 'on' = 'return' as back,
        (select coalesce(sum((l ->> 1)::bigint), 0)
          from json_array_elements(p -> 'lines') l) as amount
      from json_array_elements(e.course::json -> 'parts') p) m) m`;

/** SQL: the invoices of escrows. */
const OF_ESCROWS = `(select workspace, sale_term(id::text, document, 'escrow') as escrow,
            sale_term(id::text, document, 'kind') as kind,
            sale_term(id::text, document, 'total')::bigint as total
          from invoice_document) i where escrow is not null`;

export const laws: readonly Proof[] = [
  law('escrow_money_is_open_escrows',
    'Escrow money equals the escrows in ESCROWED less their parts and disputed amounts.',
    `select coalesce(h.workspace, e.workspace) || ' ' || coalesce(h.currency, e.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
        and a.kind = 'escrow'
        group by p.workspace, p.currency) h
      full join (select e.workspace, sale_term(d.id::text, d.document, 'currency') as currency,
          sum(sale_term(d.id::text, d.document, 'total')::bigint - m.released - m.returned
            - coalesce(t.taken, 0)) as owed
        from escrow e join invoice_document d on d.workspace = e.workspace
          and sale_term(d.id::text, d.document, 'escrow') = e.id::text
          and sale_term(d.id::text, d.document, 'kind') = 'escrow'
        cross join ${MOVED}
        left join (select workspace, resource_id, sum(secured) as taken from reversal
          where state <> 'given_back' group by workspace, resource_id) t
          on t.workspace = d.workspace and t.resource_id = d.id
        where e.state = 'ESCROWED' group by 1, 2) e
        on e.workspace = h.workspace and e.currency = h.currency
      where coalesce(h.held, 0) <> coalesce(e.owed, 0)`),
  law('escrow_has_one_outcome',
    'A committed escrow has a commit invoice, a cancelled one a cancel invoice, and each part one.',
    `select e.id::text as what from escrow e
      cross join ${MOVED}
      left join (select workspace, escrow,
          count(*) filter (where kind = 'escrow') as escrows,
          count(*) filter (where kind = 'commit') as commits,
          count(*) filter (where kind = 'cancel') as cancels
        from ${OF_ESCROWS}
        group by 1, 2) k on k.workspace = e.workspace and k.escrow = e.id::text
      where (k.escrows, k.commits, k.cancels) is distinct from case when e.course is null
          then (1::bigint, (e.state = 'COMMITTED')::int::bigint,
            (e.state = 'CANCELLED')::int::bigint)
          else (1::bigint, m.paid, m.back) end
        or (e.course is not null and e.state = 'COMMITTED'
          and e.course::json -> 'parts' -> -1 ->> 'on' = 'return')
        or (e.course is not null and e.state = 'CANCELLED'
          and e.course::json -> 'parts' -> -1 ->> 'on' <> 'return')`),
  law('escrow_parts_are_their_invoices',
    'What was released and returned is on invoices; with what is held and disputed it is all.',
    `select e.id::text as what from escrow e
      cross join ${MOVED}
      left join (select workspace, escrow, sum(total) filter (where kind = 'escrow') as total,
          coalesce(sum(total) filter (where kind = 'commit'), 0) as paid,
          coalesce(sum(total) filter (where kind = 'cancel'), 0) as back
        from ${OF_ESCROWS}
        group by 1, 2) k on k.workspace = e.workspace and k.escrow = e.id::text
      cross join lateral (select coalesce(sum(value::bigint), 0) as taken
        from json_each_text(e.disputes::json -> 'taken')) t
      where e.course is not null and ((k.total, k.paid, k.back) is distinct from
          ((e.course::json ->> 'total')::bigint, m.released, m.returned)
        or m.released + m.returned + t.taken > k.total
        or (e.state in ('COMMITTED', 'CANCELLED')
          and m.released + m.returned + t.taken <> k.total))`),
  law('escrow_moves_are_announced',
    'Each outcome of an escrow has exactly one escrow-transaction-update event.',
    `select s.resource_id::text || ' v' || s.version as what from history s
      left join (select workspace, resource_id, resource_version from event
          where name = '${events.escrowChanged.name}'
        union all select workspace, resource_id, resource_version from outbox
          where name = '${events.escrowChanged.name}') e on e.workspace = s.workspace
        and e.resource_id = s.resource_id and e.resource_version = s.version
      where s.machine = 'escrow' and s.to_state <> s.from_state and s.version > 1
      group by s.workspace, s.resource_id, s.version having count(e.resource_id) <> 1`),
];
