// Invariants of imports that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('openings_are_whole',
    'A prepared file of opening balances has the stated count and total of lines.',
    `select o.id::text as what from opening o
      left join (select workspace, opening_id, count(*) as n, sum(amount) as s from opening_line
        group by workspace, opening_id) l on l.workspace = o.workspace and l.opening_id = o.id
      where o.state not in ('reading', 'cancelled')
        and (coalesce(l.n, 0) <> o.lines or coalesce(l.s, 0) <> o.total)`),
  law('openings_are_booked',
    'The entries of a file of opening balances sum to its booked lines, and in the end to its ' +
      'total.',
    `select o.id::text as what from opening o
      left join (select workspace, opening_id, count(*) as n, sum(amount) as s from opening_line
        join (select workspace, id as opening_id, last_line from opening) b
          using (workspace, opening_id)
        where line <= last_line group by workspace, opening_id) l
        on l.workspace = o.workspace and l.opening_id = o.id
      left join (select p.workspace, p.resource_id, -sum(p.amount) as s from posting p
          join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
            and a.kind = 'opening_balances'
        group by p.workspace, p.resource_id) e on e.workspace = o.workspace and e.resource_id = o.id
      where o.state <> 'cancelled' and (coalesce(l.n, 0) <> o.booked
        or coalesce(l.s, 0) <> coalesce(e.s, 0)
        or (o.state = 'booked') <> (coalesce(e.s, 0) = o.total))`),
  law('opening_lines_are_booked_once',
    'Each line of opening balances is one entry of its wallet once it is booked, else none.',
    // What was merged since was credited to another wallet. [G-22]
    `with entered as (
        select p.workspace, p.resource_id, coalesce(w.id, p.account_id) as wallet_id,
          count(*) as n, sum(p.amount) as s
        from opening o
        join posting p on p.workspace = o.workspace and p.resource_id = o.id
          and p.account_version is not null
        left join wallet w on w.workspace = p.workspace and w.kept_back_id = p.account_id
        group by 1, 2, 3)
      select l.opening_id || ' line ' || l.line as what from opening_line l
      join opening o on o.workspace = l.workspace and o.id = l.opening_id
      join wallet w on w.workspace = l.workspace and w.id = l.wallet_id
      join account c on c.workspace = w.workspace and c.id = w.account_id
      left join entered e on e.workspace = l.workspace and e.resource_id = l.opening_id
        and e.wallet_id = l.wallet_id
      where c.merged_to is null
        and not exists (select from account m
          where m.workspace = c.workspace and m.merged_to = c.id)
        and (coalesce(e.n, 0) <> case when l.line <= o.last_line then 1 else 0 end
          or coalesce(e.s, 0) <> case when l.line <= o.last_line then l.amount else 0 end)`),
  law('openings_have_a_second_person',
    'Opening balances are booked only after another operator than the first confirmed them.',
    `select o.id::text as what from opening o
      left join history f
        on f.workspace = o.workspace and f.resource_id = o.id and f.event = 'begin'
      left join history s on s.workspace = o.workspace and s.resource_id = o.id
        and s.event = 'confirm'
      where o.state in ('confirmed', 'booking', 'booked')
        and (s.actor is null or s.actor = f.actor or o.confirmed_by is null
          or o.confirmed_by = o.prepared_by)`),
];
