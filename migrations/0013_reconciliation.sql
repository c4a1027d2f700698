-- Reconciliation: notices of the processor, its statement line by line, and how the two books
-- differ. Times here are real time of this database: the processor lives outside the sandbox's
-- clock.

-- Notices that were taken, so that a repetition changes nothing; forgotten after a month. [EV6]
create table processor_notice_seen (
  world integer not null,
  notice_id text collate "C" not null,
  seen timestamptz not null default clock_timestamp(),
  primary key (world, notice_id)
);
create index processor_notice_seen_at on processor_notice_seen using brin (seen);

-- How far each world's statement was read, and when it is looked at next.
create table statement_cursor (
  world integer primary key references world,
  line bigint not null default 0,
  -- Never while it is being read; a notice that comes meanwhile makes it due again.
  due timestamptz not null default clock_timestamp(),
  lease uuid,
  leased_until timestamptz,
  -- What our books say was moved before this moment (the world's time) has its line.
  proved timestamptz not null default '-infinity'
);
create index statement_cursor_due on statement_cursor (due);
insert into statement_cursor (world) select world from world;

-- A world that is made has a statement to be read.
create function begin_statement() returns trigger language plpgsql as $$
begin
  insert into statement_cursor (world) select world from added;
  return null;
end $$;
create trigger world_statement after insert on world
  referencing new table as added for each statement execute function begin_statement();

-- One line of the processor's statement, and what our books say to it. [M18]
create table statement_line (
  world integer not null,
  id uuid not null,
  -- The processor's number of it.
  line bigint not null,
  key text collate "C" not null,
  -- The key as the id of a charge or remittance of ours; null where it cannot be one.
  subject uuid,
  reference text collate "C" not null,
  kind text collate "C" not null
    check (kind in ('capture', 'refund', 'payout', 'payout_return', 'chargeback', 'return')),
  part integer not null check (part >= 1),
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  verdict text collate "C" not null default 'waiting'
    check (verdict in ('waiting', 'matched', 'difference')),
  -- What it was matched with, or how it differs.
  why text collate "C",
  seen timestamptz not null default clock_timestamp(),
  -- When the processor's book was last to be asked about its key.
  asked timestamptz,
  primary key (world, id),
  unique (world, line),
  check ((verdict = 'waiting') = (why is null))
);
create index statement_line_open on statement_line (world, line) where verdict <> 'matched';
create index statement_line_subject on statement_line (world, subject)
  where subject is not null;
create trigger statement_line_kept before delete or truncate on statement_line
  for each statement execute function refuse_change();

-- What the processor wrote never changes, and what was matched stays so.
create function check_statement_line() returns trigger language plpgsql as $$
begin
  if (old.verdict, new.verdict) not in (
    ('waiting', 'waiting'), ('waiting', 'matched'), ('waiting', 'difference'),
    ('difference', 'difference'), ('difference', 'matched')
  ) or (old.world, old.id, old.line, old.key, old.reference, old.kind, old.part, old.amount,
      old.currency, old.seen)
    is distinct from (new.world, new.id, new.line, new.key, new.reference, new.kind, new.part,
      new.amount, new.currency, new.seen)
    or old.subject is distinct from new.subject then
    raise exception 'a statement line breaks its rule'
      using errcode = '23514', constraint = 'statement_line_legal';
  end if;
  return new;
end $$;
create trigger statement_line_legal before update on statement_line
  for each row execute function check_statement_line();

-- A line that our books do not explain, until they do or a person does. Its id is the line's.
create table difference (
  world integer not null,
  id uuid not null,
  why text collate "C" not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, id) references statement_line (world, id)
);
create index difference_open on difference (world, id) where state <> 'explained';
create trigger difference_kept before delete or truncate on difference
  for each statement execute function refuse_change();
create trigger difference_head_insert after insert on difference
  referencing new table as changed for each statement execute function check_heads();
create trigger difference_head_update after update on difference
  referencing new table as changed for each statement execute function check_heads();

-- What people have to decide, and what has to have its line by now.
create index attempt_parked on attempt (world, id) where state = 'parked';
create index remittance_parked on remittance (world, id) where state = 'parked';
create index attempt_taken on attempt (world, updated) where state in ('captured', 'reversed');
create index remittance_paid on remittance (world, updated) where state = 'paid';

drop index remittance_once;
-- Of all that is sent back of one charge for one purpose at most one is under way or paid. What is
-- parked does not count: a person has it sent anew in the commit that ends the old one. [R2]
create unique index remittance_once on remittance (world, resource_id, target)
  where state not in ('replaced', 'declined', 'returned', 'parked');
