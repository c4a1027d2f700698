-- Answers that hold a secret, and are asked for again with the same Idempotency-Key.

-- A secret of a kept answer, sealed; destroyed when it ends. `idempotency` holds the rest. [G-44]
create table kept_secret (
  world integer not null references world,
  scope text collate "C" not null,
  -- Where it stands in the payload, such as `token.access_token`.
  place text collate "C" not null,
  wrapped_key text not null,
  sealed text not null,
  expires timestamptz not null,
  primary key (world, scope, place)
);
create index kept_secret_expires on kept_secret (expires);
