-- What people allowed a tenant to see and do on their behalf, and took back.

-- One agreement of an account to a set of scopes; what a link asks for beyond it is asked. It says
-- for ever what was given and when; taking it back is its only change. [G-12]
create table consent (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  -- The program that asked; it is the tenant that may.
  client_id uuid not null references client,
  -- In the order of their bytes, each once.
  scopes text[] collate "C" not null check (cardinality(scopes) >= 1),
  given timestamptz not null,
  revoked timestamptz check (revoked >= given),
  primary key (world, id),
  foreign key (world, account_id) references account (world, id)
);
-- The same agreement stands once; agreeing again changes nothing.
create unique index consent_active on consent (world, account_id, scopes) where revoked is null;
create trigger consent_kept before delete or truncate on consent
  for each statement execute function refuse_change();

-- A consent is taken back once, and nothing else about it changes.
create function check_consent_change() returns trigger language plpgsql as $$
begin
  if old.revoked is not null or new.revoked is null
    or (new.world, new.id, new.account_id, new.client_id, new.scopes, new.given)
      <> (old.world, old.id, old.account_id, old.client_id, old.scopes, old.given) then
    raise exception 'a consent is only taken back, and once'
      using errcode = '23514', constraint = 'consent_only_revoked';
  end if;
  return new;
end $$;
create trigger consent_only_revoked before update on consent
  for each row execute function check_consent_change();
