-- Acts of operators on money: what one asked for, the second person above a tenant's limit, and
-- what came of it. And the limit itself.

-- From how many minor units on an act of an operator waits for a second person; null: as the
-- installation's setting says.
alter table workspace_currency add column second_from bigint check (second_from >= 0);

-- An act on one object, or an entry that balances the books. Never removed.
create table money_act (
  workspace integer not null references workspace,
  id uuid not null,
  -- What it is called, such as `refund`.
  act text collate "C" not null,
  -- The object; of a balancing entry its own id.
  subject_id uuid not null,
  -- What the form said, as JSON.
  fields text not null,
  -- Hash of what the page showed of the object: an act on anything else is not carried out.
  seen text collate "C" not null,
  currency text collate "C" not null,
  -- Minor units that the act moves; 0 for one that moves none.
  amount bigint not null check (amount >= 0),
  reason text not null check (length(reason) between 1 and 500),
  -- Operators.
  operator_id uuid not null,
  second_id uuid,
  -- The refusal that it met; '' for none.
  code text collate "C" not null default '',
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  constraint money_act_second_person check (second_id <> operator_id)
);
alter table money_act alter column workspace set (n_distinct = 1);
-- An object has one open act at a time, so that two people cannot act on the same page twice.
create unique index money_act_open on money_act (subject_id, workspace)
  where state in ('proposed', 'agreed', 'running');
create index money_act_subject on money_act (subject_id, workspace);
-- What waits, and the latest.
create index money_act_waiting on money_act (workspace, created)
  where state in ('proposed', 'agreed', 'running');
select guard_lifecycle('money_act');
