-- Sellers' own accounts at the processor: who has one, how far it is, and when the processor is
-- asked about it; and whether a tenant takes the processor's word for a seller's identity.

-- An account at the processor that payouts go to, by its token there.
alter table payment_method drop constraint payment_method_provider_check,
  add constraint payment_method_provider_check
    check (provider in ('wallet', 'card', 'ach', 'paypal', 'bank', 'once', 'payee'));
-- A webhook of the processor names an account by its token.
create index payment_method_payee on payment_method (processor_token, workspace)
  where provider = 'payee';

-- A seller's account at the processor. Its id is the key under which it is opened there; the
-- processor's own reference is the token of its payment method.
create table payee (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  purpose text collate "C" not null check (purpose in ('payee')),
  state text collate "C" not null,
  version integer not null,
  -- ISO 3166-1 alpha-2, as it is opened; empty leaves it to the processor.
  country text collate "C" not null,
  -- Null until the processor has opened it.
  payment_method_id uuid,
  -- What the processor requires of the seller, in its own words, as a JSON list.
  due_items text not null,
  -- The version of the identity state that followed from this account last; null: none did.
  kyc_version integer,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  foreign key (workspace, payment_method_id) references payment_method (workspace, id)
);
alter table payee alter column workspace set (n_distinct = 1);
-- A seller has one at a time.
create unique index payee_live on payee (account_id, workspace) where state <> 'closed';
create index payee_account on payee (account_id, workspace);
create index payee_method on payee (payment_method_id, workspace);
select guard_lifecycle('payee');

-- When the processor is asked about an account next.
create table payee_job (
  workspace integer not null,
  payee_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  -- Since when nothing has happened: the pauses grow with it.
  quiet_since timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  pause text collate "C",
  again boolean not null default false,
  primary key (workspace, payee_id),
  foreign key (workspace, payee_id) references payee (workspace, id)
);
alter table payee_job alter column workspace set (n_distinct = 1);
create index payee_job_due on payee_job (due);

-- True: a seller whom the processor has verified is not verified again.
alter table tenant_setting add column processor_verifies boolean not null default true;
