-- Bank money at the console: the rows of one statement are found by it, a payout that waits is
-- rejected only while no live file lists it, opening balances are expected until they arrive, and a
-- watch-list may be dropped. [G-91, G-51]

create index bank_entry_statement on bank_entry (statement_id, workspace);
-- The newest transfers of a tenant, as its programs list them.
create index incoming_transfer_newest on incoming_transfer (created, workspace);

-- A payout that waits is declined only while it stands in no live file. Whoever collects it at the
-- same moment holds its row, so the item is seen here. Raised like a lost unique key: the command
-- then reads the files anew, and refuses.
create function waiting_transfer_is_free() returns trigger language plpgsql as $$
begin
  if exists (select from payout_file_item i where i.workspace = new.workspace
      and i.transfer_id = new.id and i.live) then
    raise exception 'the transfer stands in a live payout file'
      using errcode = '23505', constraint = 'payout_file_item_once';
  end if;
  return new;
end $$;
create trigger transfer_rejected before update on transfer for each row
  when (old.state = 'waiting' and new.state = 'declined')
  execute function waiting_transfer_is_free();

-- Elsewhere: opening balances that have not arrived at our bank yet. No more arrives than they are.
alter table funds drop constraint funds_place_check,
  add constraint funds_place_check check (place in ('processor', 'bank', 'elsewhere')),
  add constraint funds_expected check (place <> 'elsewhere' or available >= 0);

-- When its list was dropped; null while it is, or was followed by, a version in force.
alter table screening_list add column dropped timestamptz;
