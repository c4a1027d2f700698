-- The request behind each step of a history: from its id to ledger entries, events and deliveries.

-- The request that caused the step; null where none did.
alter table step add column request_id uuid;
-- The trace of the request's caller; null where the request began its own.
alter table step add column trace_id uuid;

-- Finds a request's steps. A Bloom filter for each range of pages costs a new step next to nothing;
-- a tree over random ids would cost it a page.
create index step_request on step using brin (request_id uuid_bloom_ops)
  with (pages_per_range = 32, autosummarize = on);
