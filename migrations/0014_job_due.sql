-- A job is due in real time: the processor lives outside the sandbox's clock, so a decision, which
-- knows only its world's time, leaves the column to the database.
alter table attempt_job alter column due set default clock_timestamp();
alter table remittance_job alter column due set default clock_timestamp();
