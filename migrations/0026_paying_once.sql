-- Paying once: a way to pay on the processor's own page, where nothing is saved, and payments whose
-- buyer gives up.

-- An order that is paid once names a method without a card. [G-47]
alter table payment_method drop constraint payment_method_provider_check,
  add constraint payment_method_provider_check
    check (provider in ('wallet', 'card', 'ach', 'paypal', 'bank', 'once'));

-- True where the buyer gave up at the bank or on the processor's page: the worker ends the attempt
-- without waiting for its time to run out.
alter table attempt_job add column given_up boolean not null default false;

-- Whose account it is at the provider, as the provider says; null where it does not say. Another
-- one is another connection, even at the same provider.
alter table provider_connection add column merchant text check (length(merchant) <= 255);

-- What a workspace was connected to before: payments are asked for where they were made, and its
-- webhooks go on arriving. Emptied when the provider is removed. [G-90]
create table former_connection (
  workspace integer not null references workspace,
  kind text collate "C" not null,
  id uuid not null,
  provider text collate "C" not null,
  merchant text,
  wrapped_key text not null,
  sealed text not null,
  base_url text,
  created timestamptz not null,
  retired timestamptz not null,
  primary key (workspace, kind, id)
);
alter table former_connection alter column workspace set (n_distinct = 1);

-- A webhook and a payment name a connection by the id alone.
create unique index former_connection_id on former_connection (id);

-- The connection that a payment was made at, once it has answered; null for the simulator. It has
-- no foreign key, so that an operator can remove a provider.
alter table attempt add column connection_id uuid;

-- The connection that is asked first, and then always: chosen when a worker takes the job.
alter table attempt_job add column connection_id uuid;
-- The same of a payout; a refund goes where its payment was made.
alter table transfer_job add column connection_id uuid;
