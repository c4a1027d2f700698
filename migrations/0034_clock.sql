-- The sandbox's clock. A world's time is the database's plus its offset; what stands in virtual
-- time is compared with that, and what stands in real time is pulled nearer when the clock moves.

-- The time of a world. The foreign systems of the sandbox live by it too; where a number is no
-- world of ours, as in tests of theirs, it is the database's own.
create function world_now(of_world integer) returns timestamptz language sql volatile as $$
  select clock_timestamp()
    + coalesce((select clock_offset from world where world = of_world), interval '0')
$$;

-- Who moves the clock of a world now, so that two calls take turns; a lease, because a process may
-- die in the middle. It is renewed at each step. Real time.
alter table world add column clock_lease uuid;
alter table world add column clock_leased_until timestamptz;
-- The request that moves it, by its Idempotency-Key, and where to: repeated after a crash it goes
-- on to the same moment.
alter table world add column clock_scope text;
alter table world add column clock_target timestamptz;

-- Why a job waits: `pending` and `challenged` wait for somebody else, and are asked about only in
-- case a notice was lost; null before the first answer.
alter table attempt_job add column pause text collate "C";
alter table remittance_job add column pause text collate "C";
alter table identity_job add column pause text collate "C";
-- True where news came while the job was being asked about: then it is asked again at once.
alter table attempt_job add column again boolean not null default false;
alter table remittance_job add column again boolean not null default false;
alter table identity_job add column again boolean not null default false;

-- True while a notice is being posted; then `due` is the end of that try.
alter table processor_notice add column posting boolean not null default false;
alter table vendor_notice add column posting boolean not null default false;

-- A foreign system of the sandbox that lets its caller wait, so that a silence of a minute ends
-- when the clock is moved on by one. Removed when the wait is over; forgotten after an hour where
-- the process died meanwhile.
create table sandbox_wait (
  world integer not null,
  number bigint generated always as identity,
  -- The caller's key of the exchange.
  key text collate "C" not null,
  -- Real time, as it is asked for; pulled nearer.
  until timestamptz not null,
  -- True where something still happens in the book afterwards.
  effect boolean not null,
  primary key (world, number)
);
