-- Adds what operators have stopped, and the nodes that are running.

-- What is stopped now, for one tenant or for the whole installation. The audit says who stopped and
-- resumed what, and when.
create table stop (
  -- `writes`: requests that change something; `payments`: new charges at the card processor;
  -- `payouts`: payouts are not sent, they wait; `provider:` and a name: nothing new is begun at
  -- that provider.
  what text collate "C" not null
    check (what in ('writes', 'payments', 'payouts') or what ~ '^provider:[a-z][a-z0-9_-]{0,63}$'),
  -- Null: all tenants.
  integrator uuid references tenant,
  since timestamptz not null default clock_timestamp(),
  -- `operator` at the command line, `operator:<uuid>` at the console.
  actor text collate "C" not null
);
-- One stop of a kind for each tenant, and one for all.
create unique index stop_once on stop (what, integrator) nulls not distinct;

-- The running processes: each writes its row with its heartbeat, so that they share the limits of
-- callers among them. One that is older than five seconds does not count.
create table node (
  id uuid primary key,
  at timestamptz not null
);
