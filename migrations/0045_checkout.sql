-- How people reach a tenant: an e-mail address or a page, shown on receipts; '' where it says none.
alter table tenant_setting add column contact text collate "C" not null default '';
