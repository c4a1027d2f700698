// Invariants about where money lies that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { STANDING } from '../../../ledger/index.ts';

const kindsOf = (of: 'lies' | 'owed' | 'own'): string =>
  Object.entries(STANDING)
    .flatMap(([kind, standing]) => (standing === of ? [`'${kind}'`] : []))
    .join(', ');

/** SQL: the balance of system accounts, positive where money lies there or was spent. */
const lying = (...kinds: readonly (keyof typeof STANDING)[]): string =>
  `select p.workspace, p.currency, a.kind, -sum(p.amount) as amount from posting p
    join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      and a.kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})
    group by p.workspace, p.currency, a.kind`;

/** SQL: currencies in which what the books say (`b`) is not what `facts` say. */
const differs = (books: string, facts: string): string =>
  `select workspace || ' ' || currency as what from (
      select workspace, currency, amount from (${books}) b
      union all select workspace, currency, -amount from (${facts}) f) both_sides
    group by workspace, currency having sum(amount) <> 0`;

export const laws: readonly Proof[] = [
  law('money_lies_where_it_is_owed',
    'In each currency what lies at providers, at the bank and in between is owed or our own.',
    `select p.workspace || ' ' || p.currency as what from posting p
      join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
      group by p.workspace, p.currency
      having sum(p.amount) filter (where a.kind in (${kindsOf('lies')}))
        is distinct from -sum(p.amount) filter (
          where a.kind in (${kindsOf('owed')}, ${kindsOf('own')}))`),
  law('settlements_agree_with_the_statement',
    'A booked statement row has its settlement and each settlement its row: the same facts.',
    `select coalesce(l.id, s.id)::text as what from statement_line l
      full join settlement s on s.workspace = l.workspace and s.line_id = l.id
      where (l.booked or s.id is not null) and (s.kind, s.reference, s.currency, s.fee,
          abs(s.amount), s.amount < 0) is distinct from (l.kind, l.reference, l.currency, l.fee,
          case when l.kind in ('dispute_under_review', 'dispute_lost') then 0 else l.amount end,
          l.kind in ('refund', 'payout', 'chargeback', 'return', 'fee', 'provider_payout'))`),
  law('available_is_what_was_settled',
    'Available money at the processor is the sum of its settled statement rows, less fees.',
    differs(
      lying('processor_available'),
      `select workspace, currency, amount - fee as amount from settlement where state <> 'pending'`,
    )),
  law('funds_stand_in_the_books',
    'Funds show what the books say lies at the processor, at the bank and elsewhere.',
    differs(
      `select workspace, currency || ' ' || case kind when 'bank' then 'bank'
          when 'opening_balances' then 'elsewhere' else 'processor' end as currency, amount
        from (${lying('processor_available', 'bank', 'opening_balances')}) places`,
      `select workspace, currency || ' ' || place as currency, available as amount from funds`,
    )),
  law('held_funds_are_held',
    'What funds hold back is the sum of the open holds of outbound transfers.',
    `select f.id::text as what from funds f
      left join funds_hold h on h.workspace = f.workspace and h.funds_id = f.id
        and h.state = 'held'
      group by f.workspace, f.id, f.held having f.held <> coalesce(sum(h.amount), 0)`),
  law('in_transit_is_under_way',
    'Money in transit is what the processor sent to our bank and the bank has not shown yet.',
    differs(
      lying('in_transit'),
      `select workspace, currency, -amount as amount from settlement where state = 'in_transit'`,
    )),
  law('fees_are_what_was_kept',
    'The costs in the books are the fees and charges of booked statement rows.',
    differs(
      lying('processor_fees', 'unreturned_fees', 'dispute_fees'),
      `select workspace, currency, case kind when 'fee' then fee - amount else fee end as amount
        from settlement`,
    )),
  law('lost_fees_are_unreturned',
    'Fees that were lost with refunds are those that their captured payments name.',
    differs(
      lying('unreturned_fees'),
      `select workspace, currency, unreturned as amount from settlement`,
    )),
];
