-- How people reach a tenant: an e-mail address or a page, shown on receipts; '' where it says none.
alter table tenant_setting add column contact text collate "C" not null default '';

-- What the processor says of a saved card, and what its owner wants of it.
alter table payment_method
  -- The last month in which the card is valid, YYYY-MM; null: not said.
  add column expires text collate "C" check (expires ~ '^[0-9]{4}-[0-9]{2}$'),
  -- The processor's mark of the card itself, the same however often it is entered; null: none.
  add column fingerprint text collate "C",
  -- When its owner made it the default: of an account's methods the latest counts.
  add column preferred timestamptz,
  -- The authorized invoice that alone it may pay; null: it is kept.
  add column only_for uuid;

-- A saved card that is entered again comes to the method that is there.
alter table method_entry drop constraint method_entry_workspace_payment_method_id_key;
