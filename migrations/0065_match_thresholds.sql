-- From which score on a tenant's matches are listed and reviewed, and what that is estimated to
-- cost in false alarms and misses among its own persons.

alter table tenant_setting
  -- In ten-thousandths. Null: 0.5, the least that there is.
  add column match_listed_from integer
    constraint tenant_setting_match_listed_from check (match_listed_from between 5000 and 10000),
  -- The same; 0: a match alone sends nobody to a person. Null: as the installation says.
  add column match_review_from integer
    constraint tenant_setting_match_review_from
    check (match_review_from = 0 or match_review_from between 5000 and 10000);

-- An estimate: how strangers put together from a tenant's persons score, and its persons stated
-- again with mistakes. Counts alone, of nobody. [G-53]
create table match_estimate (
  workspace integer primary key,
  asked timestamptz not null default clock_timestamp(),
  -- Null while it is under way: a round of the worker adds some look-ups.
  ended timestamptz,
  -- Until when a process works on it; null: none does.
  leased_until timestamptz,
  persons bigint not null default 0,
  strangers integer not null default 0,
  again integer not null default 0,
  -- How many of each score from 0.50 to 1.00, in hundredths; those below are in neither.
  strangers_at integer[] not null default array_fill(0, array[51]),
  again_at integer[] not null default array_fill(0, array[51]),
  check (cardinality(strangers_at) = 51 and cardinality(again_at) = 51)
);
alter table match_estimate alter column workspace set (n_distinct = 1);
