-- Epochs of the event streams: after a restore sequence numbers are given again.

-- One row of a world each time that an operator said that the database was restored: events up to
-- the number `after` are what they were, numbers above it were given to others before. [G-63]
create table event_epoch (
  world integer not null references world,
  number integer not null check (number > 0),
  epoch uuid not null,
  after bigint not null check (after >= 0),
  began timestamptz not null,
  primary key (world, number)
);
