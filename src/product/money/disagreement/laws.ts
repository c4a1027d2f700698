// Invariants of disagreements that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('disagreements_freeze_escrows',
    'An escrow that holds money says that its sides disagree exactly while that is open.',
    `select coalesce(e.id, d.escrow_id)::text as what
      from (select * from escrow where state = 'ESCROWED'
        and disputes::json ->> 'disagreement' is not null) e
      full join (select * from disagreement where state = 'open') d
        on d.workspace = e.workspace and d.escrow_id = e.id
      where e.id is null or d.id is null or e.time_left is null`),
  law('settlements_are_what_was_held',
    'A resolved disagreement divided all that was held when it was opened, and so it was moved.',
    `select d.id::text as what from disagreement d
      join escrow e on e.workspace = d.workspace and e.id = d.escrow_id
      cross join lateral (select d.settlement::json as s) s
      cross join lateral (
        select coalesce(sum(l.amount) filter (where l.moved = 'release'), 0) as sellers,
          coalesce(sum(l.amount) filter (where l.moved = 'return'), 0) as buyer,
          coalesce(sum(l.amount) filter (where l.moved = 'keep'), 0) as integrator
        from (select p ->> 'on' as moved, (l ->> 1)::bigint as amount
          from json_array_elements(e.course::json -> 'parts') p,
            json_array_elements(p -> 'lines') l
          where (p ->> 'at')::timestamptz >= d.updated) l) m
      where d.state = 'resolved' and (e.state not in ('COMMITTED', 'CANCELLED')
        or (m.sellers, m.buyer, m.integrator) is distinct from
          ((s ->> 'to_sellers')::numeric, (s ->> 'to_buyer')::numeric,
            (s ->> 'to_integrator')::numeric)
        or m.sellers + m.buyer + m.integrator <> d.held)`),
  law('statements_are_steps',
    'Each statement of a disagreement is of one step of it, and each such step has one.',
    `select coalesce(e.id, s.resource_id)::text as what from disagreement_statement e
      full join (select * from history where machine = 'disagreement' and event = 'state') s
        on s.workspace = e.workspace and s.resource_id = e.disagreement_id
          and s.version = e.version
      where e.id is null or s.resource_id is null`),
];
