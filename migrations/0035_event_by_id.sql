-- The index that holds an event to being sealed once begins with the event's id: where every world
-- had one event yet, a planner took it for as good as the key by world and sequence, and read all
-- events of a world for each delivery once it had grown.
drop index event_by_id;
-- An event is sealed once, whatever happens to the loop that seals it.
create unique index event_by_id on event (event_id, world);
