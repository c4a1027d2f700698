-- Adds the order of the log of requests, which developers read newest first. The condition holds
-- for every row: statements that do not say it, which look for a resource by the key, are never
-- planned by these indexes.

-- Notes of a tenant by their time; of the past generation too, with which the table changes places.
create index request_note_newest on request_note (workspace, at, id) where at > '-infinity';
create index request_note_past_newest on request_note_past (workspace, at, id)
  where at > '-infinity';
