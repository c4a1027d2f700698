-- Whether the database takes writes now. Each process asks it so once a second.

-- One row that every process writes: a database that is full, read-only or away does not take it.
create table heartbeat (
  at timestamptz not null
);
-- One row and no other.
create unique index heartbeat_one on heartbeat ((true));
insert into heartbeat (at) values (clock_timestamp());
