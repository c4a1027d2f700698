-- How often a tenant's own people err, estimated from its stored persons: shown to its operators,
-- and used where they chose so.

-- Weights of matches: the latest estimate, and what look-ups use. Shares and numbers alone, of
-- nobody. [G-53]
create table match_weights (
  workspace integer primary key,
  estimated timestamptz not null,
  -- Persons looked up, pairs that an explanation fits, and those that are rather of one person.
  persons integer not null,
  pairs integer not null,
  pairs_of_one integer not null,
  -- By group and name, as the shipped weights.
  shares jsonb not null check (jsonb_typeof(shares) = 'object'),
  -- Shares that an operator chose, which another estimate does not change; null: those shipped.
  used jsonb check (jsonb_typeof(used) = 'object')
);
alter table match_weights alter column workspace set (n_distinct = 1);
