-- What a tenant may ask of each process, where an operator set it apart from the rest. All three or
-- none; 0: no limit. [G-06]
alter table tenant
  -- Requests at once.
  add column limit_in_flight integer check (limit_in_flight >= 0),
  -- Calls a second.
  add column limit_writes integer check (limit_writes >= 0),
  add column limit_reads integer check (limit_reads >= 0),
  add constraint tenant_limits_whole
    check (num_nulls(limit_in_flight, limit_writes, limit_reads) in (0, 3));
