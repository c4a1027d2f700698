-- What the planner is to believe of workspaces. Where every workspace had one row yet, statistics
-- say that a workspace alone finds as few rows as a whole key does; of indexes that look equally
-- good a planner takes the younger, which is never the key, and its plans are kept. So each
-- workspace counts as the only one: that is what statistics say in production, and there an index
-- by the workspace alone never looks good. A table of a later migration says the same of itself.
do $$
declare
  one regclass;
begin
  for one in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'workspace'
      and a.attname = 'workspace'
  loop
    execute format('alter table %s alter column workspace set (n_distinct = 1)', one);
  end loop;
end $$;
