// Invariants of reserves that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('reserves_hold_what_is_due',
    'A reserve holds what sales restricted and neither the clock nor a dispute took.',
    `select r.id::text as what from reserve r
      left join (select workspace, reserve_id, sum(amount) as held, max(through) as through,
          max(due) as due from reserve_hold group by workspace, reserve_id) h
        on h.workspace = r.workspace and h.reserve_id = r.id
      left join (select workspace, resource_id, sum((detail::json ->> 'amount')::bigint) as gone
        from history where machine = 'reserve' and version > 1 group by workspace, resource_id) s
        on s.workspace = r.workspace and s.resource_id = r.id
      where (r.total, r.total, r.newest_due) is distinct from (h.held, h.through, h.due)
        or r.held <> r.total - coalesce(s.gone, 0)`),
  law('reserves_are_restricted', 'What is in reserve is restricted.',
    `select r.id::text as what from reserve r
      join balance b on b.workspace = r.workspace and b.id = r.id where b.amount < r.held`),
  law('reserves_are_shares_of_sales',
    'Each sale restricts the share that its terms name, of all that it credited to a seller.',
    `select i.id::text as what from invoice i
      join (select workspace, id, (sale_term(id::text, document, 'reserve')::json
          ->> 'percent')::int as percent from invoice_document) d
        on d.workspace = i.workspace and d.id = i.id
      join posting e on e.workspace = i.workspace and e.resource_id = i.id and e.amount > 0
      join (select *, id as holds from wallet
        union all select *, kept_back_id from wallet where kept_back_id is not null) w
        on w.workspace = e.workspace and w.holds = e.account_id and w.account_id <> i.account_id
      left join reserve_hold h on h.workspace = i.workspace and h.invoice_id = i.id
        and h.reserve_id = w.kept_back_id
      where i.state = 'success' and d.percent is not null
      group by i.workspace, i.id, w.id, d.percent, h.amount
      having coalesce(h.amount, 0) <> floor(sum(e.amount) * d.percent / 100)`),
  law('reserves_cover_losses', 'A reserve covers lost and returned disputes only.',
    `select s.resource_id::text || ' v' || s.version as what from history s
      left join dispute d on d.workspace = s.workspace
        and d.id = (s.detail::json ->> 'dispute_id')::uuid and d.state in ('lost', 'returned')
      where s.machine = 'reserve' and s.event = 'cover' and d.id is null`),
];
