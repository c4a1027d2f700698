-- Buyer and seller of an escrow disagree: it is frozen until what it holds is divided. [G-96]

-- How long a disagreement may stay open, and what happens then. Those that are open keep what was
-- set when they were opened.
alter table tenant_setting
  add column disagreement_days integer not null default 14
    constraint tenant_setting_disagreement_days check (disagreement_days between 1 and 180),
  add column disagreement_outcome text collate "C" not null default 'none'
    constraint tenant_setting_disagreement_outcome
      check (disagreement_outcome in ('buyer', 'sellers', 'none'));

-- A disagreement about an escrow; an escrow has one at most, since its end ends the escrow. Who
-- opened it, why, and what happens at its limit never change.
create table disagreement (
  workspace integer not null,
  id uuid not null, -- derived from the escrow's
  escrow_id uuid not null,
  account_id uuid not null, -- the buyer
  opened_by text collate "C" not null check (opened_by in ('buyer', 'seller', 'tenant')),
  reason text collate "C" not null check (reason in ('not_received', 'not_as_described',
    'unfinished', 'damaged', 'late', 'other')),
  currency text collate "C" not null,
  -- What was held when it was opened, in minor units.
  held bigint not null check (held > 0),
  outcome text collate "C" not null check (outcome in ('buyer', 'sellers', 'none')),
  due_by timestamptz not null,
  -- When the clock acts next; null: not any more.
  due timestamptz,
  -- JSON: the split that one side proposes; null: none is on the table.
  proposal text,
  -- JSON: how the held money was divided and who said so; null until then.
  settlement text,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, escrow_id) references escrow (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  check ((state = 'resolved') = (settlement is not null)),
  check (state = 'open' or due is null)
);
-- An escrow has one disagreement. [R2]
create unique index disagreement_of_escrow on disagreement (escrow_id, workspace);
create index disagreement_of_account on disagreement (account_id, workspace, created, id);
create index disagreement_newest on disagreement (workspace, created, id)
  where created > '-infinity';
create index disagreement_open on disagreement (workspace, created) where state = 'open';
create index disagreement_due on disagreement (workspace, due) where due is not null;
select guard_lifecycle('disagreement');

-- What a side said or handed in: that it is there, never what it says, which is sealed with the
-- key of whoever said it (dispute_content).
create table disagreement_statement (
  workspace integer not null,
  id uuid not null,
  disagreement_id uuid not null,
  account_id uuid not null,
  side text collate "C" not null check (side in ('buyer', 'seller')),
  -- Null for a text.
  mime text collate "C" check (mime in ('image/jpeg', 'image/png', 'application/pdf')),
  -- Bytes before they were sealed.
  size integer not null check (size > 0),
  -- The step of the disagreement that added it.
  version integer not null,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, disagreement_id) references disagreement (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
-- The statements of a disagreement, in order; a step adds one.
create unique index disagreement_statement_of
  on disagreement_statement (disagreement_id, workspace, version);
select append_only('disagreement_statement');

do $$
declare
  one text;
begin
  foreach one in array array['disagreement', 'disagreement_statement']
  loop
    execute format('alter table %I alter column workspace set (n_distinct = 1)', one);
  end loop;
end $$;
