-- Adds the expiry of identity documents, and watch-lists with the hits that they lead to. [G-51]

-- The last day on which the document of an accepted identity is valid, as `YYYY-MM-DD`; null: not
-- known. While it is known, `due` is when the clock warns, then when it requires a new document.
alter table kyc add column document_expires text collate "C",
  add constraint kyc_document_expires
    check (document_expires is null or (state = 'ACCEPT' and due is not null));

-- The date that a proposed acceptance states.
alter table review_proposal add column document_expires text collate "C";

-- A version of a watch-list that was imported whole. Lists are facts of the installation: every
-- workspace is screened against them.
create table screening_list (
  -- In the order of all imports.
  id integer generated always as identity primary key,
  list text collate "C" not null check (list <> ''),
  version integer not null check (version >= 1),
  entries integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  removed integer not null default 0,
  imported timestamptz not null default clock_timestamp(),
  unique (list, version)
);

-- What the version in force says of one person or organization, as published.
create table screening_entry (
  list text collate "C" not null,
  -- Its id in the list.
  entry text collate "C" not null,
  -- The import that first said it so; screening again reads newer ones only.
  import integer not null references screening_list,
  digest text collate "C" not null,
  schema text collate "C" not null,
  -- JSON: names, dates, countries, identifiers, sanctions.
  body text not null,
  -- Two words of a name as they sound, in order, and the years of birth with their neighbours.
  keys text[] not null,
  years smallint[] not null,
  primary key (list, entry)
);
create index screening_entry_keys on screening_entry using gin (keys);
create index screening_entry_import on screening_entry (import);

-- In which import each entry was last seen: an entry that the newest one lacks is deleted. Apart
-- from the entries, so that an unchanged entry is not written again.
create table screening_sighting (
  list text collate "C" not null,
  entry text collate "C" not null,
  import integer not null references screening_list,
  primary key (list, entry)
);

-- Screening a workspace's persons and businesses again after an import: how far it is.
create table screening_run (
  workspace integer primary key references workspace,
  -- Everybody was screened against all imports up to this one.
  base integer not null default 0,
  target integer not null,
  -- The last account screened in this run; null: none yet.
  cursor uuid,
  screened integer not null default 0,
  found integer not null default 0,
  started timestamptz not null default clock_timestamp(),
  ended timestamptz,
  -- A process works on a batch until then; null: nobody does.
  leased_until timestamptz
);

-- An application or a business that resembles an entry, until operators decide. The copy of the
-- entry stays when the list changes; it is emptied (`{}`) when the account is erased.
create table screening_hit (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  -- The application of a person, or the business.
  subject_id uuid not null,
  list text collate "C" not null,
  entry text collate "C" not null,
  list_version integer not null,
  -- In ten-thousandths.
  score integer not null check (score between 1 and 10000),
  listed text not null,
  state text collate "C" not null,
  version integer not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  unique (workspace, subject_id, list, entry, list_version)
);
create index screening_hit_account on screening_hit (account_id, workspace);
-- Hits that wait for operators.
create index screening_hit_open on screening_hit (workspace, created) where state = 'open';
select guard_lifecycle('screening_hit');

-- A hit of an accepted person or business is decided like a case.
-- Led by what is looked for, so that a key is never read by the workspace alone.
drop index review_proposal_subject;
create index review_proposal_subject on review_proposal (subject_id, workspace, created);
alter table review_proposal drop constraint review_proposal_subject_check,
  add constraint review_proposal_subject_check check (subject in ('person', 'business', 'hit'));

alter table screening_run alter column workspace set (n_distinct = 1);
alter table screening_hit alter column workspace set (n_distinct = 1);
