-- Audit of decisions: what an operator does with an outgoing transfer or a payment attempt is
-- audited whatever the step is called, such as a payout that they say the bank did not carry out.

drop trigger step_audited on step;
-- Every lifecycle is audited but those of sales and their payments at the processor, and of these
-- what a person decided. The condition is checked for each row without a call.
create trigger step_audited after insert on step for each row
  when (new.machine not in ('invoice', 'escrow', 'deposit', 'attempt', 'transfer')
    or (new.machine in ('attempt', 'transfer')
      and (new.event in ('accept', 'give_back', 'retry')
        or new.actor ~ '^operator(:|$)')))
  execute function await_audit_of_step();
