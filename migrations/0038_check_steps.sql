-- What a batch of steps is checked with, at half the cost: all that differs in a batch are a few
-- arrows, so that each is looked up once; and a birth has no step before it to look for.

-- A step is an arrow of its lifecycle, starts where the last one ended, and is not before it.
create or replace function check_steps() returns trigger language plpgsql as $$
begin
  if exists (
    select from (
      select distinct machine, from_state, event, to_state, version = 1 as born from added) n
    left join machine_move m
      on m.machine = n.machine and m.from_state = n.from_state
      and m.event = n.event and m.to_state = n.to_state
    where m.machine is null or n.born <> (n.from_state = '')
  ) or exists (
    select from added n
    left join step p
      on p.world = n.world and p.resource_id = n.resource_id and p.version = n.version - 1
    where n.version > 1 and (
      p.to_state is distinct from n.from_state
      or p.machine is distinct from n.machine
      or p.at > n.at)
  ) then
    raise exception 'a step breaks its lifecycle'
      using errcode = '23514', constraint = 'step_legal';
  end if;
  return null;
end $$;
