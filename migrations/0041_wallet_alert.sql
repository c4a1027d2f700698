-- Warnings that the integrator's own wallets run low: the thresholds of a tenant, and the event.

-- A list of {"currency", "warning", "critical"}, in minor units; 0: that threshold is never passed.
alter table tenant_setting add column wallet_alerts jsonb not null default '[]'
  check (jsonb_typeof(wallet_alerts) = 'array');

-- A debit that takes the integrator's wallet from at or above a threshold to below it is announced,
-- in its own commit. The balance before and after it count what is not folded yet: credits only
-- lift a balance, and debits of a wallet go one after the other, so each fall is told once. Looked
-- at when all that the commit writes is there. A sale has no debit and comes by nothing of this.
-- [G-61]
create function announce_low_wallet() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  alert record;
  waiting bigint;
  held bigint;
begin
  select a.* into alert
  from wallet w
  join tenant_setting s on s.world = w.world
  cross join jsonb_to_recordset(s.wallet_alerts)
    as a(currency text, warning bigint, critical bigint)
  where w.world = new.world and w.id = new.id and a.currency = w.currency;
  if not found then
    return null;
  end if;
  select coalesce(sum(c.amount), 0) into waiting from integrator_credit c
  where c.world = new.world and c.account_id = new.id;
  held := new.amount + waiting;
  if (held < alert.warning and old.amount + waiting >= alert.warning)
    or (held < alert.critical and old.amount + waiting >= alert.critical) then
    insert into outbox (world, resource_id, resource_version, event_id, name, at, message)
    select new.world, new.id, new.version, gen_random_uuid(), 'wallet-balance-alert', new.updated,
      row_to_json(m)
    from (select new.id as wallet_id, alert.currency || ' wallet' as description, held as balance,
      held < alert.warning as warning, held < alert.critical as critical) m;
  end if;
  return null;
end $$;
create constraint trigger integrator_balance_low after update on integrator_balance
  deferrable initially deferred
  for each row when (new.amount < old.amount) execute function announce_low_wallet();
