-- A card payment that the buyer must confirm at the bank before anything is reserved (3-D Secure).

-- The page at which the buyer confirms. It is kept when the payment goes on; an attempt that still
-- waits for the buyer has one.
alter table attempt
  add column authentication_url text,
  add constraint attempt_challenged
    check (state <> 'challenged' or authentication_url is not null);

-- What waits for the processor or the buyer, for the sweeper that finds work without a job.
drop index attempt_open;
create index attempt_open on attempt (world, id)
  where state in ('authorizing', 'challenged', 'capturing', 'reversing');
-- What waits for a buyer, for the clock that ends it.
create index attempt_challenged_at on attempt (world, updated) where state = 'challenged';

-- The sandbox processor's side: a charge may wait for the buyer, who is shown a page with an
-- address that cannot be guessed.
alter table processor_charge drop constraint processor_charge_state_check;
alter table processor_charge
  add constraint processor_charge_state_check
    check (state in ('challenged', 'authorized', 'pending', 'captured', 'reversed', 'declined')),
  -- Names the page of the bank; null where the bank did not ask.
  add column challenge uuid,
  add constraint processor_charge_challenge unique (challenge),
  add constraint processor_charge_challenged
    check (state <> 'challenged' or (challenge is not null and captured_amount is null));

-- A charge moves along its lifecycle only, and what was agreed or taken never changes. What was
-- given back grows while it is captured; a refund that fails makes it less. One that waits for the
-- buyer is confirmed, refused or given up.
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
  or (old.taken_back is not null and new.taken_back is distinct from old.taken_back)
  or (new.refunded > old.refunded and new.state <> 'captured') then
    raise exception 'a charge of the sandbox processor breaks its lifecycle'
      using errcode = '23514', constraint = 'processor_charge_legal';
  end if;
  return new;
end $$;
