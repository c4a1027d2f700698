// Invariants between the bank's statements, incoming transfers, deposits and the ledger that
// `verify` checks: each query gives the rows that break one. [G-91]
import { law, type Proof } from '../../../core/proof.ts';
import { OPEN_STATES } from './machine.ts';
import { OWN_KINDS } from './tables.ts';

const OWN = OWN_KINDS.map((kind) => `'${kind}'`).join(', ');

const posted = (kind: string): string => `select p.workspace, p.currency, p.resource_id,
    sum(p.amount) as held
  from posting p join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
    and a.kind = '${kind}'`;

export const laws: readonly Proof[] = [
  law('credited_transfers_are_deposited_once',
    'Each credited transfer has one deposit, of its amount to its wallet; no other has one.',
    `select t.id::text as what from incoming_transfer t
      left join deposit d on d.workspace = t.workspace and d.incoming_transfer_id = t.id
        and d.state = 'success' and (d.amount, d.currency, d.wallet_id)
          = (t.amount, t.currency, t.wallet_id)
      group by t.workspace, t.id, t.state
      having count(d.id) <> (case t.state when 'credited' then 1 else 0 end)
      union all select d.id::text from deposit d
        left join incoming_transfer t on t.workspace = d.workspace
          and t.id = d.incoming_transfer_id and t.state = 'credited'
        where d.incoming_transfer_id is not null and t.id is null`),
  law('bank_in_is_what_came_in',
    'Incoming transfers book each amount at the bank once, less what was sent back.',
    `select t.id::text as what from incoming_transfer t
      left join (${posted('bank')} group by 1, 2, 3) b
        on b.workspace = t.workspace and b.resource_id = t.id
      left join deposit d on d.workspace = t.workspace and d.incoming_transfer_id = t.id
      left join (${posted('bank')} group by 1, 2, 3) e
        on e.workspace = d.workspace and e.resource_id = d.id
      where coalesce(b.held, 0) + coalesce(e.held, 0) <> case
        when t.state in ('credited', 'covered', ${OPEN_STATES}) then -t.amount else 0 end`),
  law('unallocated_is_open', 'The unallocated money is that of the open incoming transfers.',
    `select coalesce(b.workspace, o.workspace) || ' ' || coalesce(b.currency, o.currency) as
      what
      from (select workspace, currency, sum(held) as held
        from (${posted('bank_unallocated')} group by 1, 2, 3) each group by 1, 2) b
      full join (select workspace, currency, sum(amount) as held from incoming_transfer
        where state in (${OPEN_STATES}) group by 1, 2) o
        on o.workspace = b.workspace and o.currency = b.currency
      where coalesce(b.held, 0) <> coalesce(o.held, 0)`),
  law('openings_are_covered_once',
    'Opening balances arrive by transfers that two people found to cover them, each once.',
    `select t.id::text as what from incoming_transfer t
      left join (${posted('opening_balances')} group by 1, 2, 3) b
        on b.workspace = t.workspace and b.resource_id = t.id
      left join history c
        on c.workspace = t.workspace and c.resource_id = t.id and c.event = 'cover'
      where coalesce(b.held, 0) <> case t.state when 'covered' then t.amount else 0 end
        or (t.state = 'covered' and (t.wallet_id is not null or c.actor is null
          or not exists (select from history p where p.workspace = t.workspace
            and p.resource_id = t.id and p.event = 'propose' and p.actor <> c.actor)))`),
  law('decided_rows_are_booked_once',
    'A row that a person explained has one decision, and is booked once with its amount.',
    `select coalesce(e.id, d.entry_id)::text as what
      from (select * from bank_entry where settles in (${OWN})) e
      full join (select * from bank_booking where state = 'booked') d
        on d.workspace = e.workspace and d.entry_id = e.id
      left join incoming_transfer t on t.workspace = d.workspace and t.id = d.transfer_id
      left join (${posted('bank')} group by 1, 2, 3) b
        on b.workspace = d.workspace and b.resource_id = d.id
      left join lateral (select sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind = case d.kind when 'bank_fee' then 'bank_fees'
            when 'own_payment' then 'own_payments' else 'bank_reversals' end
        where p.workspace = d.workspace and p.resource_id = d.id) o on true
      cross join lateral (select case when d.kind = 'reversal' and t.state = 'returned' then 0
        else d.amount end as wanted) w
      where e.id is null or d.id is null or (d.kind, d.currency, d.amount) is distinct from
          (e.settles, e.currency, case e.direction when 'debit' then -e.amount else e.amount end)
        or coalesce(b.held, 0) <> -w.wanted or coalesce(o.held, 0) <> w.wanted`),
  law('transfers_agree_with_the_statement',
    'A transfer has the amount, currency and bank account of its row of the statement.',
    `select t.id::text as what from incoming_transfer t
      join bank_entry e on e.workspace = t.workspace and e.id = t.entry_id
      where e.direction <> 'credit' or (e.amount, e.currency, e.bank_account_id)
        is distinct from (t.amount, t.currency, t.bank_account_id)`),
];
