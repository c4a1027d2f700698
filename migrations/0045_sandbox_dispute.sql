-- How a dispute goes on at the sandbox card processor. As before, these tables are a foreign
-- system's.

-- Where the dispute of a charge stands; null without one. One that is won or withdrawn gives the
-- money back to the merchant: then nobody has taken the charge back any more.
alter table processor_charge
  add column dispute text collate "C"
    check (dispute in ('needs_response', 'under_review', 'won', 'lost', 'withdrawn'));
update processor_charge set dispute = 'needs_response' where taken_back = 'chargeback';
alter table processor_charge
  add constraint processor_charge_dispute check (
    coalesce(dispute in ('needs_response', 'under_review', 'lost'), false)
      = coalesce(taken_back = 'chargeback', false));

-- A charge moves along its lifecycle only, and what was agreed or taken never changes. What was
-- given back grows while it is captured; a refund that fails makes it less. What was taken back
-- comes back by the end of its dispute alone.
create or replace function check_processor_charge() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
    ('challenged', 'authorized'), ('challenged', 'declined'), ('challenged', 'reversed'),
    ('authorized', 'authorized'), ('authorized', 'pending'), ('authorized', 'captured'),
    ('authorized', 'reversed'), ('authorized', 'declined'), ('pending', 'captured'),
    ('pending', 'reversed'), ('pending', 'declined'), ('captured', 'captured'),
    ('captured', 'reversed'), ('reversed', 'reversed')
  ) or (old.world, old.key, old.token, old.reference, old.amount, old.currency, old.barred,
      old.challenge)
    is distinct from
    (new.world, new.key, new.token, new.reference, new.amount, new.currency, new.barred,
      new.challenge)
  or (old.captured_amount is not null and (old.captured_amount, old.captured_currency)
    is distinct from (new.captured_amount, new.captured_currency))
  or new.parts < old.parts or (new.parts > old.parts and old.state <> 'authorized')
  or (old.taken_back is not null and new.taken_back is distinct from old.taken_back
    and not (new.taken_back is null and new.dispute in ('won', 'withdrawn')))
  or (coalesce(old.dispute, ''), coalesce(new.dispute, '')) not in (
    ('', ''), ('', 'needs_response'), ('needs_response', 'needs_response'),
    ('needs_response', 'under_review'), ('needs_response', 'won'), ('needs_response', 'lost'),
    ('needs_response', 'withdrawn'), ('under_review', 'under_review'), ('under_review', 'won'),
    ('under_review', 'lost'), ('under_review', 'withdrawn'), ('won', 'won'), ('lost', 'lost'),
    ('withdrawn', 'withdrawn'))
  or (new.refunded > old.refunded and new.state <> 'captured') then
    raise exception 'a charge of the sandbox processor breaks its lifecycle'
      using errcode = '23514', constraint = 'processor_charge_legal';
  end if;
  return new;
end $$;

-- The statement tells of each change of a dispute, and at its opening why and until when.
alter table processor_statement
  add column reason text collate "C",
  add column due_by timestamptz,
  drop constraint processor_statement_kind_check,
  add constraint processor_statement_kind_check check (kind in ('capture', 'refund', 'payout',
    'payout_return', 'chargeback', 'return', 'dispute_under_review', 'dispute_won',
    'dispute_lost', 'dispute_withdrawn'));
alter table processor_due
  drop constraint processor_due_event_check,
  add constraint processor_due_event_check check (event in ('settle', 'fail', 'return',
    'chargeback', 'dispute_under_review', 'dispute_won', 'dispute_lost', 'dispute_withdrawn'));
