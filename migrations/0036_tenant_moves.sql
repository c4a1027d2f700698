-- Adds where a tenant stands that is moved from one installation to another.

-- A tenant's move, on both sides. Who owns the tenant is one fact, the end of its workspace where
-- it comes from: none, or '-infinity' while it is frozen: that side; a time: the other one.
create table tenant_move (
  workspace integer primary key references workspace,
  -- Where it comes from: `copying`, `frozen`, `moved`; where it goes: `arriving`, `arrived`.
  state text collate "C" not null
    check (state in ('copying', 'frozen', 'moved', 'arriving', 'arrived')),
  -- The number of the other installation.
  other integer not null check (other >= 0),
  -- A move that has not handed over by then thaws: its command may be dead.
  frozen_until timestamptz,
  at timestamptz not null default clock_timestamp(),
  constraint tenant_move_frozen check ((state = 'frozen') = (frozen_until is not null))
);
alter table tenant_move alter column workspace set (n_distinct = 1);
