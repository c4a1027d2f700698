-- Lets a person ask for a receipt by mail, to an address of their choice.

-- What one mail alone says, such as an address given with a request, sealed with the key of the
-- account's person; null: nothing, or the mail has ended.
alter table mail add column sealed text collate "C";
-- How many mails an account asked for lately.
create index mail_of_account on mail (workspace, account_id, at);
