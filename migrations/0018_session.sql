-- What a one-time link becomes once a person has opened it: a session in one browser. [G-13, G-14]

-- The authorized invoice that a checkout link is about; the session may act on no other. [G-12]
alter table link add column authorized_invoice_id uuid;

-- Whether that one holds the money in escrow.
alter table link add column is_escrow boolean not null default false;

-- Hash of a secret that the browser was given when it opened the link: with it a reload goes on,
-- without it the link is used. Null before.
alter table link add column resume_hash text collate "C";

-- When the person ended the session; nothing goes on after that.
alter table link add column ended_at timestamptz;

-- A browser is bound and a session ends only once a link was used.
alter table link add constraint link_opened
  check (used_at is not null or (resume_hash is null and ended_at is null));

-- An account's links are found when its access is ended.
create index link_account on link (world, account_id);
