-- Paying once: a way to pay on the processor's own page, where nothing is saved, and payments whose
-- buyer gives up.

-- An order that is paid once names a method without a card. [G-47]
alter table payment_method drop constraint payment_method_provider_check,
  add constraint payment_method_provider_check
    check (provider in ('wallet', 'card', 'ach', 'paypal', 'bank', 'once'));

-- True where the buyer gave up at the bank or on the processor's page: the worker ends the attempt
-- without waiting for its time to run out.
alter table attempt_job add column given_up boolean not null default false;
