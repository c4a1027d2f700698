-- Indexes of tables whose rows are wide, so that a planner takes a young one for nearly empty: then
-- an index that can be used for the world alone looks as good as the key, and until the first
-- statistics each look-up read the world. They begin with what they are for; nothing else changes.
alter table account drop constraint account_world_username_key_key;
alter table attempt drop constraint attempt_world_resource_id_payment_method_id_key;
alter table entity drop constraint entity_world_account_id_key;
alter table entity_agent drop constraint entity_agent_world_person_id_key;
alter table operator_account drop constraint operator_account_world_account_id_operator_id_key;
alter table processor_charge drop constraint processor_charge_world_reference_key;
alter table processor_remittance drop constraint processor_remittance_world_reference_key;
alter table statement_line drop constraint statement_line_world_line_key;
alter table wallet drop constraint wallet_world_account_id_currency_key;
alter table watch_list drop constraint watch_list_world_key_key;
alter table link drop constraint link_id_key;
drop index entity_agent_entity, kyc_application_account, kyc_application_state;
drop index payment_method_account, refund_once, refund_of_invoice, remittance_resource;
drop index link_account;

-- A name is taken once.
create unique index account_world_username_key_key on account (username_key, world);
-- One thing is paid for with one method once.
create unique index attempt_world_resource_id_payment_method_id_key on attempt
  (resource_id, world, payment_method_id);
-- An account is one business.
create unique index entity_world_account_id_key on entity (account_id, world);
-- One person's account is behind one agent.
create unique index entity_agent_world_person_id_key on entity_agent (person_id, world);
-- The people of a business.
create index entity_agent_entity on entity_agent (entity_id, world);
-- The applications of an account, and those in a state.
create index kyc_application_account on kyc_application (account_id, world, created);
create index kyc_application_state on kyc_application (state, world, created);
-- An account is named once for an operator.
create unique index operator_account_world_account_id_operator_id_key on operator_account
  (account_id, world, operator_id);
-- The ways to pay of an account.
create index payment_method_account on payment_method (account_id, world);
-- The processor gives its numbers once.
create unique index processor_charge_world_reference_key on processor_charge (reference, world);
-- The same of what it sends.
create unique index processor_remittance_world_reference_key on processor_remittance
  (reference, world);
-- A refund has an invoice of its own.
create unique index refund_once on refund (refund_invoice_id, world);
-- The refunds of an invoice.
create index refund_of_invoice on refund (invoice_id, world);
-- What is sent for a resource.
create index remittance_resource on remittance (resource_id, world);
-- A line of the statement is stored once.
create unique index statement_line_world_line_key on statement_line (line, world);
-- An account has one wallet of a currency.
create unique index wallet_world_account_id_currency_key on wallet (account_id, world, currency);
-- A watched name is on the list once.
create unique index watch_list_world_key_key on watch_list (key, world);
-- A link's id is its own.
create unique index link_id_key on link (id, world);
-- The links of an account.
create index link_account on link (account_id, world);
