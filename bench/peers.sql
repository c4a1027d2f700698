-- The second yardstick: a ledger inside the database, as plainly as one can be written. Keys and
-- amounts are bigint, the fastest there is; as many accounts as a load of ours has people.
create table account (
  id bigint primary key,
  currency text not null,
  balance bigint not null,
  version bigint not null,
  updated_at timestamptz not null default now()
);
create table transfer (
  id bigint generated always as identity primary key,
  payer bigint not null references account,
  payee bigint not null references account,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null default now()
);
create index on transfer (payer);
create index on transfer (payee);
create table entry (
  id bigint generated always as identity primary key,
  transfer bigint not null references transfer,
  account bigint not null references account,
  version bigint not null,
  amount bigint not null,
  balance_before bigint not null,
  balance_after bigint not null check (balance_after = balance_before + amount),
  unique (account, version)
);
create index on entry (transfer);

create function make_transfer(from_account bigint, to_account bigint, cents bigint) returns bigint
language plpgsql as $$
declare
  giver account;
  taker account;
  made bigint;
begin
  -- The lower id first, so that two transfers never wait for each other.
  perform from account where id in (from_account, to_account) order by id for update;
  select * into giver from account where id = from_account;
  select * into taker from account where id = to_account;
  if giver.currency is distinct from taker.currency then
    raise exception 'accounts % and % have no currency in common', from_account, to_account;
  end if;
  if giver.balance < cents then
    raise exception 'account % has less than %', from_account, cents;
  end if;
  insert into transfer (payer, payee, amount) values (from_account, to_account, cents)
  returning id into made;
  insert into entry (transfer, account, version, amount, balance_before, balance_after) values
    (made, giver.id, giver.version + 1, -cents, giver.balance, giver.balance - cents),
    (made, taker.id, taker.version + 1, cents, taker.balance, taker.balance + cents);
  update account set balance = balance - cents, version = version + 1, updated_at = now()
  where id = from_account;
  update account set balance = balance + cents, version = version + 1, updated_at = now()
  where id = to_account;
  return made;
end $$;

-- Buyers are 1 to 200, sellers 201 to 400.
insert into account (id, currency, balance, version)
select id, 'USD', case when id <= 200 then 50000000000 else 0 end, 0
from generate_series(1, 400) as id;
