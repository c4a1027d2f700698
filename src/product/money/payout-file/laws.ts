// Invariants of payout files that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';

/** SQL: the live files of transfer `r`. */
const LIVE = `payout_file_item i join payout_file f on f.workspace = i.workspace
  and f.id = i.file_id where i.workspace = r.workspace and i.transfer_id = r.id and i.live`;

export const laws: readonly Proof[] = [
  law('handed_over_money_is_in_files',
    'Handed over money is the sum of the payouts that the bank has not carried out yet.',
    `select coalesce(h.workspace, o.workspace) || ' ' || coalesce(h.currency, o.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind = 'payout_handed_over' group by p.workspace, p.currency) h
      full join (select workspace, currency, sum(amount) as owed from transfer
        where state = 'handed_over' group by workspace, currency) o
        on o.workspace = h.workspace and o.currency = h.currency
      where coalesce(h.held, 0) <> coalesce(o.owed, 0)`),
  law('payout_files_add_up',
    'Number and total of a payout file are those of its payouts, all in its currency.',
    `select f.id::text as what from payout_file f
      left join payout_file_item i on i.workspace = f.workspace and i.file_id = f.id
      left join transfer r on r.workspace = i.workspace and r.id = i.transfer_id
        and r.rail = 'file' and r.currency = f.currency
      group by f.workspace, f.id, f.transactions, f.total
      having count(r.id) <> f.transactions or sum(r.amount) is distinct from f.total
        or max(i.number) <> f.transactions`),
  law('payouts_are_in_one_live_file',
    'A payout is in one live file at most, and in none that was cancelled.',
    `select i.transfer_id::text as what from payout_file_item i
      join payout_file f on f.workspace = i.workspace and f.id = i.file_id
      group by i.workspace, i.transfer_id
      having count(*) filter (where i.live) > 1
        or bool_or(i.live and f.state = 'cancelled')
        or bool_or(not i.live and f.state <> 'cancelled')`),
  law('what_a_bank_has_is_in_its_file',
    'A transfer left exactly in a file that was handed over; no declined one waits in a file.',
    `select r.id::text as what from transfer r where r.rail = 'file' and case
      when r.state = 'waiting'
        then exists (select from ${LIVE} and f.state in ('handed_over', 'settled'))
      when r.state = 'handed_over'
        then not exists (select from ${LIVE} and f.state = 'handed_over')
      when r.state in ('paid', 'returned')
        then not exists (select from ${LIVE} and f.state in ('handed_over', 'settled'))
      when r.state = 'declined'
        then exists (select from ${LIVE} and f.state in ('collected', 'confirmed'))
      else true end`),
  law('files_book_the_bank_once',
    'A payout by file takes its net amount from the bank exactly while it is paid.',
    `select p.id::text as what from payout p
      join transfer r on r.workspace = p.workspace and r.id = p.transfer_id and r.rail = 'file'
      left join posting b on b.workspace = p.workspace and b.resource_id = p.id
        and exists (select from ledger_account a where a.workspace = b.workspace
          and a.id = b.account_id and a.kind = 'bank')
      group by p.workspace, p.id, p.state, p.amount, p.fee_amount
      having coalesce(sum(b.amount), 0)
        <> case p.state when 'SUCCESS' then p.amount - p.fee_amount else 0 end`),
  law('payout_files_have_two_people',
    'Each payout file was confirmed by another operator than who made it, before it left.',
    `select f.id::text as what from payout_file f
      left join history m on m.workspace = f.workspace and m.resource_id = f.id
        and m.event = 'collect'
      left join history c on c.workspace = f.workspace and c.resource_id = f.id
        and c.event = 'confirm'
      where m.actor is null or c.actor = m.actor or f.confirmed_by = f.made_by
        or (f.state in ('confirmed', 'handed_over', 'settled') and c.actor is null)`),
];
