-- Ledger entries and invoices are found by a hash of their account: its index is a third smaller,
-- and is full. `holdfast migrate --finish` builds `posting_chain` and `invoice_account` anew, which
-- hold the account itself until then. Whoever looks names both, so that either index serves.

-- As before, by either index.
create or replace function check_postings() returns trigger language plpgsql as $$
begin
  if exists (
    select from added group by workspace, resource_id, version, currency having sum(amount) <> 0
  ) then
    raise exception 'postings do not balance'
      using errcode = '23514', constraint = 'posting_balanced';
  end if;
  if exists (
    select from added n
    left join step s
      on s.workspace = n.workspace and s.resource_id = n.resource_id
      and s.version between n.version and n.version + 1
      and (s.version = n.version or s.moved >= 256)
    left join ledger_account a on a.workspace = n.workspace and a.id = n.account_id
    where s.version is null or a.currency is distinct from n.currency
      or (a.kind in ('wallet', 'kept_back')) <> (n.account_version is not null)
  ) then
    raise exception 'a posting has no step, or no account of its currency'
      using errcode = '23514', constraint = 'posting_references';
  end if;
  if exists (
    select from added n
    left join posting p on p.workspace = n.workspace and p.account_id = n.account_id
      and uuid_hash_extended(p.account_id, 0) = uuid_hash_extended(n.account_id, 0)
      and p.account_version = n.account_version - 1
    left join balance b on b.workspace = n.workspace and b.id = n.account_id
    where n.account_version is not null and (
      case when n.account_version = 1 then 0 else p.balance_after end + n.amount
        is distinct from n.balance_after
      or b.version is null or b.version < n.account_version
      or (b.version = n.account_version and b.amount <> n.balance_after))
  ) then
    raise exception 'a posting breaks the chain of its account'
      using errcode = '23514', constraint = 'posting_chain';
  end if;
  return null;
end $$;

-- As before, by either index.
create or replace function check_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join posting p on p.workspace = n.workspace and p.account_id = n.id
      and uuid_hash_extended(p.account_id, 0) = uuid_hash_extended(n.id, 0)
      and p.account_version = n.version
    where p.balance_after is distinct from n.amount and not (n.version = 0 and n.amount = 0)
  ) then
    raise exception 'a balance differs from its postings'
      using errcode = '23514', constraint = 'balance_posted';
  end if;
  return null;
end $$;
