-- Links whose session gets what the flow needs that is named when they are opened.

-- Whether opening narrows the scopes to those of its flow; false where the caller named scopes or a
-- flow, and for every link of before. [G-12]
alter table link add column by_flow boolean not null default false;
