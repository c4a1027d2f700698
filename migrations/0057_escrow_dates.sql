-- Escrows in the order of their next dates, and open disagreements in that of their limits, for the
-- lists of them.

-- Takes the place of an index without the id, which the order of a list ends with.
create index escrow_next on escrow (workspace, due, id) where due is not null;
drop index escrow_due;
create index disagreement_next on disagreement (workspace, due_by, id) where state = 'open';
