// Invariants of payouts that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { events } from '../../events.ts';

export const laws: readonly Proof[] = [
  law('payout_money_is_open_payouts',
    'Pending and handed over payout money is that of payouts neither finished nor paid.',
    `select coalesce(h.workspace, o.workspace) || ' ' || coalesce(h.currency, o.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind in ('payout_pending', 'payout_handed_over') group by p.workspace, p.currency) h
      full join (select workspace, currency, sum(amount) as owed from payout
        where state in ('FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD', 'FAILED',
          'CREDIT-TRANSFER-INITIATED') group by workspace, currency) o
        on o.workspace = h.workspace and o.currency = h.currency
      where coalesce(h.held, 0) <> coalesce(o.owed, 0)`),
  law('payouts_are_paid_once',
    'A payout in SUCCESS paid exactly its net amount, once; no other payout stays paid.',
    `select p.id::text as what from payout p
      left join transfer r on r.workspace = p.workspace and r.resource_id = p.id
        and r.purpose = 'payout' and r.state = 'paid'
      group by p.workspace, p.id, p.state, p.amount, p.fee_amount, p.currency
      having count(r.id) <> (p.state = 'SUCCESS')::int
        or sum(r.amount) <> p.amount - p.fee_amount or max(r.currency) <> p.currency`),
  law('payouts_under_way_are_sent',
    'A payout is being sent exactly while its outbound transfer is open.',
    `select p.id::text as what from payout p
      left join transfer r on r.workspace = p.workspace and r.id = p.transfer_id
      where p.state = 'CREDIT-TRANSFER-INITIATED'
        and coalesce(r.state not in ('sending', 'pending', 'parked', 'waiting', 'handed_over'),
          true)`),
  law('payouts_leave_the_accepted_only',
    'No payout was requested or sent without an accepted identity of its account.',
    `select s.resource_id::text || ' v' || s.version as what from history s
      join payout p on p.workspace = s.workspace and p.id = s.resource_id
      left join history k on k.workspace = p.workspace and k.resource_id = p.account_id
        and k.machine = 'kyc' and k.version = (s.detail::json ->> 'kyc_version')::int
      where s.event in ('request', 'execute', 'release') and k.to_state is distinct from 'ACCEPT'`),
  law('payout_ends_are_announced',
    'Each time a payout is paid, fails or is returned there is exactly one event.',
    `select s.resource_id::text || ' v' || s.version as what from history s
      left join (select workspace, resource_id, resource_version from event
          where name = '${events.payoutCompleted.name}'
        union all select workspace, resource_id, resource_version from outbox
          where name = '${events.payoutCompleted.name}') e on e.workspace = s.workspace
        and e.resource_id = s.resource_id and e.resource_version = s.version
      where s.machine = 'payout'
        and s.to_state in ('SUCCESS', 'FAILED', 'SUPPORT-REJECTED', 'SYSTEM-REJECTED')
      group by s.workspace, s.resource_id, s.version having count(e.resource_id) <> 1`),
];
