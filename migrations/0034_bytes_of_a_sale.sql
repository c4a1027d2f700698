-- Fewer bytes for a sale: what only explanations look for has no tree any more, and is found.

-- Finds a resource's events, of which about two thousand lie in the pages of one range.
drop index event_resource;
create index event_resource on event using brin (resource_id uuid_bloom_ops
  (n_distinct_per_range = -0.25)) with (pages_per_range = 32, autosummarize = on);

-- The engine's connections refuse plans that read pages instead of rows. These two functions plan
-- for themselves; the workspace is written so that no index is used for it alone.

-- What a request has moved.
create function resources_of_request(of_workspace integer, of_request uuid) returns setof uuid
language sql stable
set enable_bitmapscan = on set enable_seqscan = off as $$
  select distinct resource_id from step
  where workspace + 0 = of_workspace and request_id = of_request
$$;

-- Numbers of the events of some resources.
create function events_of_resources(of_workspace integer, of_resources uuid[])
returns setof bigint language sql stable
set enable_bitmapscan = on set enable_seqscan = off as $$
  select sequence from event
  where workspace + 0 = of_workspace and resource_id = any (of_resources)
$$;
