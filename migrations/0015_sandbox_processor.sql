-- The simulator of the card processor. Nothing of ours refers to its tables and they refer to
-- nothing of ours, not even to `workspace`, so that its writes lock no row that the money's own
-- transactions meet. Only src/sandbox/simulators/processor reads and writes them.

-- A card that was shown to the processor. Its number and code are never stored: what remains is how
-- the card behaves.
create table processor_card (
  workspace integer not null,
  token text collate "C" not null,
  brand text collate "C" not null,
  last4 text collate "C" not null check (last4 ~ '^[0-9]{4}$'),
  expiry_month smallint not null check (expiry_month between 1 and 12),
  expiry_year smallint not null check (expiry_year between 2000 and 9999),
  -- Name of a row of the list of test cards.
  behaviour text collate "C" not null,
  created timestamptz not null default clock_timestamp(),
  primary key (workspace, token)
);
select append_only('processor_card');

-- One charge for each key of the caller; the primary key is what makes every effect happen once.
create table processor_charge (
  workspace integer not null,
  key text collate "C" not null,
  token text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null
    check (state in ('challenged', 'authorized', 'pending', 'captured', 'reversed', 'declined')),
  -- What the first call asked for; minor units.
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  -- What was taken, which a scripted processor may get wrong; null until a capture.
  captured_amount bigint check (captured_amount > 0),
  captured_currency text collate "C",
  -- True when the key was given up before it was ever authorised: it can never be charged again.
  barred boolean not null default false,
  failure_code text collate "C",
  created timestamptz not null default clock_timestamp(),
  updated timestamptz not null default clock_timestamp(),
  -- How often the money is held under the key: 1, more only where the processor errs.
  parts smallint not null default 1 check (parts between 1 and 9),
  -- What outbound transfers gave back of it, or are about to; minor units.
  refunded bigint not null default 0,
  -- Who took it back without asking us.
  taken_back text collate "C" check (taken_back in ('chargeback', 'return')),
  -- Names the page of the bank; null where the bank did not ask for the buyer.
  challenge uuid,
  -- Where its dispute stands; null without one. One that is won or withdrawn gives the money back
  -- to the merchant: then the charge counts as not taken back.
  dispute text collate "C"
    check (dispute in ('needs_response', 'under_review', 'won', 'lost', 'withdrawn')),
  primary key (workspace, key),
  check ((state = 'declined') = (failure_code is not null)),
  check ((captured_amount is null) = (captured_currency is null)),
  -- Captured money is known by its amount; a refund keeps it readable.
  check (state <> 'captured' or captured_amount is not null),
  check (state not in ('authorized', 'declined') or captured_amount is null),
  check (not barred or (state = 'reversed' and captured_amount is null)),
  -- A bank debit is pending between its capture and its settlement.
  constraint processor_charge_pending
    check (state <> 'pending' or captured_amount is null),
  constraint processor_charge_refunded
    check (refunded between 0 and coalesce(captured_amount * parts, 0)),
  constraint processor_charge_taken_back
    check (taken_back is null or captured_amount is not null),
  constraint processor_charge_challenged
    check (state <> 'challenged' or (challenge is not null and captured_amount is null)),
  constraint processor_charge_dispute check (
    coalesce(dispute in ('needs_response', 'under_review', 'lost'), false)
      = coalesce(taken_back = 'chargeback', false))
);
-- The processor gives its references once.
create unique index processor_charge_workspace_reference_key
on processor_charge (reference, workspace);
-- A clone keeps the pages of its bank, as long as no other live workspace has them: one address,
-- several rows, the newest is the one that answers.
create unique index processor_charge_challenge on processor_charge (challenge, workspace);
select keep_rows('processor_charge');

-- A charge moves along its lifecycle only, and what was asked for or taken never changes. What was
-- given back grows while it is captured; a refund that fails makes it less. One that waits for the
-- buyer is confirmed, refused or given up. What was taken back comes back by the end of its dispute
-- alone.
create function check_processor_charge() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
    ('challenged', 'authorized'), ('challenged', 'declined'), ('challenged', 'reversed'),
    ('authorized', 'authorized'), ('authorized', 'pending'), ('authorized', 'captured'),
    ('authorized', 'reversed'), ('authorized', 'declined'), ('pending', 'captured'),
    ('pending', 'reversed'), ('pending', 'declined'), ('captured', 'captured'),
    ('captured', 'reversed'), ('reversed', 'reversed')
  ) or (old.workspace, old.key, old.token, old.reference, old.amount, old.currency, old.barred,
      old.challenge)
    is distinct from
    (new.workspace, new.key, new.token, new.reference, new.amount, new.currency, new.barred,
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
create trigger processor_charge_legal before update on processor_charge
  for each row execute function check_processor_charge();

-- Outbound transfers, once for each key of the caller: a refund of a charge, or a payout.
create table processor_transfer (
  workspace integer not null,
  key text collate "C" not null,
  kind text collate "C" not null check (kind in ('refund', 'payout')),
  -- Of a refund the key of the charge, of a payout the token of the account.
  target text collate "C" not null,
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null default 'pending'
    check (state in ('pending', 'paid', 'returned', 'declined')),
  failure_code text collate "C",
  created timestamptz not null default clock_timestamp(),
  updated timestamptz not null default clock_timestamp(),
  primary key (workspace, key),
  check ((state = 'declined') = (failure_code is not null))
);
-- The processor gives its references once.
create unique index processor_transfer_workspace_reference_key on processor_transfer
  (reference, workspace);
select keep_rows('processor_transfer');

-- An outbound transfer moves along its lifecycle only, and what was ordered never changes.
create function check_processor_transfer() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
    ('pending', 'paid'), ('pending', 'declined'), ('paid', 'returned')
  ) or (new.state = 'returned' and new.kind <> 'payout')
  or (old.workspace, old.key, old.kind, old.target, old.amount, old.currency, old.reference)
    is distinct from
    (new.workspace, new.key, new.kind, new.target, new.amount, new.currency, new.reference) then
    raise exception 'a transfer of the sandbox processor breaks its lifecycle'
      using errcode = '23514', constraint = 'processor_transfer_legal';
  end if;
  return new;
end $$;
create trigger processor_transfer_legal before update on processor_transfer
  for each row execute function check_processor_transfer();

-- The processor's own statement, row by row: what reconciliation compares our books with. Each row
-- is about the key of a charge or of an outbound transfer. [M18]
create table processor_statement (
  workspace integer not null,
  line bigint generated always as identity,
  key text collate "C" not null,
  reference text collate "C" not null,
  kind text collate "C" not null check (kind in ('capture', 'refund', 'payout',
    'payout_return', 'chargeback', 'return', 'dispute_under_review', 'dispute_won', 'dispute_lost',
    'dispute_withdrawn')),
  -- 1; a scripted processor that captures twice under one key writes a second part.
  part smallint not null default 1 check (part >= 1),
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  -- Of a dispute: at its opening why, and until when an answer is taken.
  reason text collate "C",
  due_by timestamptz,
  primary key (workspace, line),
  -- One capture and one refund for each key; here too, beside the charge.
  unique (workspace, key, kind, part)
);
select append_only('processor_statement');

-- How often each call was made under a key: a test card misbehaves the first time only, and the
-- story of a payment shows the calls.
create table processor_exchange (
  workspace integer not null,
  key text collate "C" not null,
  operation text collate "C" not null
    check (operation in ('authorize', 'capture', 'reverse', 'look', 'remit', 'look_remittance')),
  token text collate "C" not null,
  times integer not null default 1 check (times >= 1),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (workspace, key, operation)
);

-- Scripted answers that are still to be given, oldest first; they go before the card's behaviour.
create table processor_script (
  workspace integer not null,
  number bigint generated always as identity,
  operation text collate "C" not null
    check (operation in ('authorize', 'capture', 'reverse', 'look', 'remit', 'look_remittance')),
  -- The card that it is for; '' for whichever card comes next.
  token text collate "C" not null default '',
  exchange text collate "C" not null,
  -- How many calls it still governs.
  remaining integer not null check (remaining >= 0),
  primary key (workspace, number)
);
create index processor_script_waiting on processor_script (workspace, operation, number)
  where remaining > 0;

-- Webhooks to be posted to the merchant; each is repeated until it was received, or given up.
create table processor_notice (
  workspace integer not null,
  number bigint generated always as identity,
  key text collate "C" not null,
  about text collate "C" not null check (about in ('charge', 'remittance', 'statement')),
  -- True when the answer of a call said the same: it may stay unsent where there are many.
  ordinary boolean not null,
  -- How many times it is still to be received.
  remaining smallint not null check (remaining >= 0),
  sent smallint not null default 0,
  tries smallint not null default 0,
  due timestamptz not null,
  created timestamptz not null default clock_timestamp(),
  -- True while it is being posted; then `due` is the end of that try.
  posting boolean not null default false,
  primary key (workspace, number)
);
create index processor_notice_due on processor_notice (ordinary, due) where remaining > 0;

-- What a scripted answer makes happen after it was given.
create table processor_due (
  workspace integer not null,
  key text collate "C" not null,
  event text collate "C" not null check (event in ('settle', 'fail', 'return', 'chargeback',
    'dispute_under_review', 'dispute_won', 'dispute_lost', 'dispute_withdrawn')),
  due timestamptz not null,
  primary key (workspace, key, event)
);

-- A page of the processor on which a person enters a test card or account. Its number is never
-- stored.
create table processor_entry (
  workspace integer not null,
  id text collate "C" not null,
  -- Hash of the secret in the address of the page.
  secret_hash text collate "C" not null unique,
  kind text collate "C" not null check (kind in ('card', 'bank', 'paypal')),
  state text collate "C" not null default 'open' check (state in ('open', 'stored', 'cancelled')),
  -- The page that frames it and hears of it, and every page that may stand around that one.
  parent_origin text not null,
  ancestors text[] not null,
  -- Where a login that leaves its page comes back to; null for what is framed.
  return_url text,
  background text not null check (background ~ '^#[0-9a-f]{6}$'),
  primary_colour text not null check (primary_colour ~ '^#[0-9a-f]{6}$'),
  dir text not null check (dir in ('ltr', 'rtl')),
  -- For whom it is saved, in words for the person.
  label text not null,
  token text collate "C",
  expires timestamptz not null,
  primary key (workspace, id),
  check ((state = 'stored') = (token is not null)),
  check ((kind = 'paypal') = (return_url is not null)),
  foreign key (workspace, token) references processor_card (workspace, token)
);
create index processor_entry_expires on processor_entry (expires);
