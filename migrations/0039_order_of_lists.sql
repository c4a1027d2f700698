-- Adds the order of the lists of payouts and disputes, whose ids are not made at their time. The
-- condition holds for every row: statements that do not say it, which look for one row by its key,
-- are never planned by these indexes.

-- Payouts of a tenant by their time.
create index payout_newest on payout (workspace, created, id) where created > '-infinity';
-- Disputes of a tenant by their time.
create index dispute_newest on dispute (workspace, created, id) where created > '-infinity';
