-- Adds the choice of a tenant to publish what is held against what it owes.

-- True: anybody may read the tenant's coverage, without a token. False by default.
alter table tenant_setting add column coverage_published boolean not null default false;
