-- Businesses: an entity for an account, the people behind it, and what was handed in. What a
-- business stated, and the names of its people, lie sealed with the keys of persons. [G-54, G-55]

-- The identity state learns of businesses.
alter table kyc
  -- True once the account is the one of a business: its state follows. [G-55]
  add column follows_entity boolean not null default false,
  -- True where a business waits for this identity.
  add column followed boolean not null default false;

-- Moves of identities that a business waits for, until it has seen them.
create table kyc_moved (
  world integer not null,
  account_id uuid not null,
  version integer not null,
  moved timestamptz not null default clock_timestamp(),
  primary key (world, account_id, version),
  foreign key (world, account_id) references kyc (world, id)
);

-- A business. At most one for each account.
create table entity (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  -- '' until it was stated.
  entity_type text collate "C" not null,
  -- ISO 3166; '' where none is known.
  country text collate "C" not null,
  tax_id_given boolean not null,
  -- What follows once all of its people are verified; `people`: a person decides.
  course text collate "C" not null check (course in ('accept', 'deny', 'ask', 'people')),
  -- JSON: ids of its agents, the primary contact first; those that were removed are not named.
  agents text not null,
  -- How many agents it ever named: each has an account, which stays.
  people integer not null check (people between 1 and 30),
  -- JSON: its documents, each with the agent that it is about.
  documents text not null,
  -- JSON: codes of what did not pass or is asked for.
  reasons text not null,
  -- JSON: results of rules as `<rule>:<digit>`.
  rules text not null,
  -- What the business stated, with the key of the account's person; null once erased.
  sealed text,
  -- When the clock acts next; null: never.
  due timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  -- An account is the one of one business.
  unique (world, account_id),
  foreign key (world, account_id) references account (world, id),
  check ((state = 'INCOMPLETE') = (due is not null))
);
create index entity_due on entity (world, due) where due is not null;
create trigger entity_kept before delete or truncate on entity
  for each statement execute function refuse_change();
create trigger entity_head_insert after insert on entity
  referencing new table as changed for each statement execute function check_heads();
create trigger entity_head_update after update on entity
  referencing new table as changed for each statement execute function check_heads();

-- A person behind a business, in one or several roles. A removed one stays as history.
create table entity_agent (
  world integer not null,
  id uuid not null,
  entity_id uuid not null,
  -- The business's own account for the primary contact, else the person's.
  account_id uuid not null,
  -- The account on which this person's identity is verified, which is nobody else's.
  person_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  -- JSON: the roles.
  roles text not null,
  -- The name, with the key of that person; null once erased.
  sealed text,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  -- One person's account is behind one agent.
  unique (world, person_id),
  foreign key (world, entity_id) references entity (world, id),
  foreign key (world, account_id) references account (world, id),
  foreign key (world, person_id) references account (world, id)
);
create index entity_agent_entity on entity_agent (world, entity_id);
create trigger entity_agent_kept before delete or truncate on entity_agent
  for each statement execute function refuse_change();
create trigger entity_agent_head_insert after insert on entity_agent
  referencing new table as changed for each statement execute function check_heads();
create trigger entity_agent_head_update after update on entity_agent
  referencing new table as changed for each statement execute function check_heads();

-- Documents of businesses, each sealed for itself with the key of the account's person. Stored just
-- before the entity that names them commits; those of no entity are forgotten.
create table entity_document (
  world integer not null,
  id uuid not null,
  entity_id uuid not null,
  account_id uuid not null,
  mime text collate "C" not null
    check (mime in ('image/jpeg', 'image/png', 'application/pdf')),
  -- Of the contents before they were sealed.
  size integer not null check (size > 0),
  -- What it was called by who handed it in.
  sealed_name text not null,
  sealed bytea not null,
  created timestamptz not null default clock_timestamp(),
  primary key (world, id),
  foreign key (world, account_id) references account (world, id)
);
alter table entity_document alter column sealed set storage external;
create index entity_document_entity on entity_document (world, entity_id);
create index entity_document_created on entity_document using brin (created);
