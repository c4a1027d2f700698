-- Blocks of accounts, and deposits of the integrator itself.

-- What keeps an account from something: one row for each account and capability, lifted and set
-- again in place, so that its versions order the events about it. [G-20]
create table account_block (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  capability text collate "C" not null,
  -- Who set it: an integrator cannot lift what the operator set.
  issuer text collate "C" not null check (issuer in ('integrator', 'operator')),
  reason text collate "C" not null,
  -- Free text about a person, sealed with that person's key; null where none was given.
  sealed_note text,
  state text collate "C" not null check (state in ('ACTIVE', 'LIFTED')),
  version integer not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id),
  unique (world, account_id, capability)
);
create trigger account_block_head_insert after insert on account_block
  referencing new table as changed for each statement execute function check_heads();
create trigger account_block_head_update after update on account_block
  referencing new table as changed for each statement execute function check_heads();
create trigger account_block_kept before delete or truncate on account_block
  for each statement execute function refuse_change();

-- A deposit to the integrator's own wallet has no account. [G-49]
alter table deposit alter column account_id drop not null;
