-- Disputes: what became of a charge that a cardholder or a bank took back, and the escrow that
-- waits for it. [G-93]

-- An escrow whose charge is disputed is frozen: its clock stops, and what is left of it is kept.
alter table escrow
  -- Seconds that the clock had left when the first dispute was opened; null while it runs.
  add column time_left integer check (time_left >= 0),
  -- JSON: how many disputes are open, and what they have taken of each charge; null without any.
  add column disputes text,
  drop constraint escrow_check,
  add constraint escrow_clock check (
    (state = 'ESCROWED') = (due is not null or time_left is not null)
      and (due is null or time_left is null)),
  add constraint escrow_disputes check (time_left is null or disputes is not null);
create index escrow_frozen on escrow (world, account_id) where time_left is not null;

-- What of a reversal was taken out of the money that an escrow held; the integrator bears the rest.
alter table reversal
  add column secured bigint not null default 0,
  add constraint reversal_secured check (secured >= 0 and secured <= amount),
  add constraint reversal_escrowed check (state <> 'escrowed' or secured = amount);

-- A dispute: what the processor tells of one charge that was taken back. What was told at its
-- opening never changes; the money is the reversal's.
create table dispute (
  world integer not null,
  id uuid not null,
  account_id uuid not null, -- who was charged
  reversal_id uuid not null,
  -- The invoice or deposit that was charged, and the escrow that the invoice is of.
  resource_id uuid not null,
  purpose text collate "C" not null check (purpose in ('invoice', 'escrow', 'deposit')),
  escrow_id uuid check ((escrow_id is not null) = (purpose = 'escrow')),
  -- The processor's own; the same again is the same dispute. [R2]
  reference text collate "C" not null,
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  reason text collate "C" not null,
  -- Until when the processor takes an answer; null where it takes none.
  due_by timestamptz,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (world, id),
  unique (reference, world),
  foreign key (world, reversal_id) references reversal (world, id),
  foreign key (world, account_id) references account (world, id)
);
-- As on every table: a tenant has as many rows as it has, however many others there are.
alter table dispute alter column world set (n_distinct = 1);
create index dispute_of_resource on dispute (resource_id, world);
create index dispute_of_account on dispute (account_id, world, created, id);
create index dispute_open on dispute (world, created)
  where state in ('needs_response', 'under_review');
create trigger dispute_kept before delete or truncate on dispute
  for each statement execute function refuse_change();
create trigger dispute_head_insert after insert on dispute
  referencing new table as changed for each statement execute function check_heads();
create trigger dispute_head_update after update on dispute
  referencing new table as changed for each statement execute function check_heads();

-- The statement tells how a dispute goes on, and at its opening why and until when.
alter table statement_line
  add column reason text collate "C",
  add column due_by timestamptz,
  drop constraint statement_line_kind_check,
  add constraint statement_line_kind_check check (kind in ('capture', 'refund', 'payout',
    'payout_return', 'chargeback', 'return', 'dispute_under_review', 'dispute_won',
    'dispute_lost', 'dispute_withdrawn'));

-- What the processor wrote never changes, and what was matched stays so.
create or replace function check_statement_line() returns trigger language plpgsql as $$
begin
  if (old.verdict, new.verdict) not in (
    ('waiting', 'waiting'), ('waiting', 'matched'), ('waiting', 'difference'),
    ('difference', 'difference'), ('difference', 'matched')
  ) or (old.world, old.id, old.line, old.key, old.reference, old.kind, old.part, old.amount,
      old.currency, old.seen)
    is distinct from (new.world, new.id, new.line, new.key, new.reference, new.kind, new.part,
      new.amount, new.currency, new.seen)
    or (old.subject, old.reason, old.due_by)
      is distinct from (new.subject, new.reason, new.due_by) then
    raise exception 'a statement line breaks its rule'
      using errcode = '23514', constraint = 'statement_line_legal';
  end if;
  return new;
end $$;
