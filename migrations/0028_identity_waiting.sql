-- Adds the state of a check whose person must go on at the identity vendor's own page. [G-51]

alter table identity_check drop constraint identity_check_check,
  add constraint identity_check_check
    check ((state in ('asking', 'waiting', 'pending')) = (outcome is null));

drop index identity_check_open;
create index identity_check_open on identity_check (workspace, id)
  where state in ('asking', 'waiting', 'pending');
