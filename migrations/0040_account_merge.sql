-- Merging accounts: one is closed for good, and what it holds goes to another. [G-22]

-- Into which account this one was merged; null for most. Under the account's own lock, so that
-- every decision about the account sees it.
alter table account
  add column merged_to uuid,
  add foreign key (world, merged_to) references account (world, id),
  add constraint account_merged_elsewhere check (merged_to <> id),
  add constraint account_merged_is_closed check (merged_to is null or blocked);
-- What was merged into an account.
create index account_merged on account (merged_to, world) where merged_to is not null;
-- An account is merged once.
create trigger account_merged_once before update of merged_to on account
  for each row when (old.merged_to is not null and new.merged_to is distinct from old.merged_to)
  execute function refuse_change();
