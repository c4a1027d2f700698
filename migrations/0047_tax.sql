-- Tax on a sale: the system account that keeps it, and what refunds return of it. [G-89]

-- Workspaces from before get the new system account; its ids are hashed as in the code.
insert into ledger_account (workspace, id, kind, currency)
select workspace, (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-8' || substr(hex, 14, 3)
    || '-8' || substr(hex, 18, 3) || '-' || substr(hex, 21, 12))::uuid, 'tax_collected', currency
from (
  select c.workspace, c.currency, encode(sha256(convert_to(
    'holdfast/ledger/' || w.lineage || '/tax_collected/' || c.currency, 'UTF8')), 'hex') as hex
  from workspace_currency c
  join workspace w on w.workspace = c.workspace
) as named;

-- JSON: what of the minor units by line item id is tax.
alter table refunded_amounts add column taxes text not null default '{}';
alter table refund add column taxes text not null default '{}';
