-- Providers: who processes cards or verifies people for a workspace, with credentials that only the
-- keys of this installation open.

-- At most one provider of each kind. Without a row a workspace has none, or in staging the
-- simulator. A clone gets no row: it would act at the provider under the keys of its original.
-- [G-90]
create table provider_connection (
  workspace integer not null references workspace,
  kind text collate "C" not null check (kind ~ '^[a-z_]{1,32}$'),
  -- Named by the address that the provider sends its webhooks to. New where the provider changes.
  id uuid not null,
  provider text collate "C" not null check (provider ~ '^[a-z][a-z0-9_-]{0,63}$'),
  -- Of the data key that seals the credentials.
  wrapped_key text not null,
  -- The credentials, bound to the provider and the address that they are sent to.
  sealed text not null,
  -- Null: the provider's own.
  base_url text check (length(base_url) <= 2048),
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, kind)
);
alter table provider_connection alter column workspace set (n_distinct = 1);

-- A webhook names its connection by the id alone.
create unique index provider_connection_id on provider_connection (id);
