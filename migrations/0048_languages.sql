-- In which language people are spoken to.

-- The language where neither the person nor the link says one, by BCP 47; '': that of the browser.
alter table tenant_setting add column language text collate "C" not null default '';
-- What the tenant says in its own words, by language and key; it replaces our texts.
alter table tenant_setting add column texts jsonb not null default '{}';

-- The language in which a person last used our pages, by BCP 47, for mails; null: none yet.
alter table account_person add column language text collate "C";
