-- Receivers of events that the sandbox hosts. They play foreign systems, as the processor and the
-- vendor do: nothing of ours refers to these tables and they refer to nothing of ours. No secret is
-- in them: a receiver asks for its endpoint's secret when a request comes, and the token of a
-- request is not kept.

-- One receiver at one endpoint. Its address names its id alone, so a copy of a world keeps it; who
-- sends says which world it is.
create table receiver (
  world integer not null,
  id uuid not null,
  endpoint_id uuid not null,
  created timestamptz not null default clock_timestamp(),
  -- When it was taken away: its requests stay, and nothing is answered any more.
  ended timestamptz,
  primary key (world, id),
  -- An endpoint leads to one receiver.
  unique (world, endpoint_id)
);
-- Found by its address when a request comes.
create index receiver_address on receiver (id, world);

-- How often each event came to each receiver.
create table receiver_exchange (
  world integer not null,
  -- `<receiver>/<event>`.
  key text collate "C" not null,
  -- There is one question that a receiver is asked.
  operation text collate "C" not null check (operation = 'deliver'),
  -- The receiver.
  token text collate "C" not null,
  times integer not null default 1 check (times >= 1),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (world, key, operation)
);

-- Scripted answers that wait for their turn, oldest first; without one a receiver says 200.
create table receiver_script (
  world integer not null,
  number bigint generated always as identity,
  operation text collate "C" not null check (operation = 'deliver'),
  -- The receiver that it is for; '' for whichever is asked next.
  token text collate "C" not null default '',
  exchange text collate "C" not null,
  -- How many answers it still governs.
  remaining integer not null check (remaining >= 0),
  primary key (world, number)
);
create index receiver_script_waiting on receiver_script (world, operation, number)
  where remaining > 0;

-- What came, exactly as it came, and what was answered; the last thousand of each receiver.
create table receiver_request (
  world integer not null,
  number bigint generated always as identity,
  receiver_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  -- Empty where the request named none.
  event_id text collate "C" not null,
  -- Those of a delivery, without its token.
  headers jsonb not null,
  body text not null,
  -- All three headers of a signature were there, and could be read.
  signed boolean not null,
  -- Their time was not more than five minutes away.
  fresh boolean not null,
  -- The bytes were signed with a secret of the endpoint.
  authentic boolean not null,
  -- It carried a bearer token.
  token boolean not null,
  -- How it was answered, as scripts name it.
  exchange text collate "C" not null,
  -- Null: no answer that could be read.
  status smallint,
  primary key (world, number),
  foreign key (world, receiver_id) references receiver (world, id)
);
create index receiver_request_of on receiver_request (world, receiver_id, number);
