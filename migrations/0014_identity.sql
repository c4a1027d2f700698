-- Submission of identity data: applications, their documents, their check at the vendor, notices of
-- the vendor, watch-lists. Every personal field lies sealed with the person's own key; what is
-- compared lies as keyed encodings. [G-52]

-- One collection of a person's data, or a step of compliance without any. Never overwritten: a
-- person who submits again makes another one.
create table kyc_application (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  -- '' where compliance began it: nobody filled out a form.
  form text collate "C" not null check (form in ('full', 'tax', '')),
  -- State of the account while this was its latest application.
  state text collate "C" not null,
  initiator text collate "C" not null check (initiator in ('user', 'compliance')),
  data_source text collate "C" not null,
  form_id text collate "C" not null,
  -- The vendor's own id of the check; '' until it is known.
  vendor_reference text not null default '',
  -- JSON: ids of documents by role; those of an earlier application may be used again.
  documents text not null,
  -- JSON: results of rules as `<rule>:<digit>`, and codes of reasons for the applicant.
  rules text not null,
  reasons text not null,
  -- JSON: keyed encodings of name and birth date.
  watch_keys text not null,
  -- Keyed encoding of the last four digits of the tax number.
  ssn_key text collate "C",
  -- What the person stated; null where compliance began it.
  sealed text,
  sealed_note text,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id)
);
create index kyc_application_account on kyc_application (world, account_id, created);
create trigger kyc_application_kept before delete or truncate on kyc_application
  for each statement execute function refuse_change();

-- Documents, each sealed for itself. Stored just before the application that names them commits;
-- those of no application are forgotten.
create table kyc_document (
  world integer not null,
  id uuid not null,
  -- The application that it was handed in with.
  application_id uuid not null,
  account_id uuid not null,
  role text collate "C" not null check (role in ('front', 'back', 'extra')),
  mime text collate "C" not null
    check (mime in ('image/jpeg', 'image/png', 'application/pdf')),
  -- Of the contents before they were sealed.
  size integer not null check (size > 0),
  sealed bytea not null,
  created timestamptz not null default clock_timestamp(),
  primary key (world, id),
  foreign key (world, account_id) references account (world, id)
);
alter table kyc_document alter column sealed set storage external;
create index kyc_document_application on kyc_document (world, application_id);
create index kyc_document_created on kyc_document using brin (created);

-- The identity state learns of applications, of its own clock, and of what was required before.
alter table kyc
  -- When the clock acts next; null: never. [G-51]
  add column due timestamptz,
  -- What was required before an update of tax data was. [G-38]
  add column requirements_before text collate "C"
    check (requirements_before in ('NONE', 'FULL_KYC')),
  add column data_on_file boolean not null default false,
  add constraint kyc_requirements_before
    check (requirements_before is null or requirements = 'TAX_UPDATE');
create index kyc_due on kyc (world, due) where due is not null;

insert into kyc_application (world, id, account_id, form, state, initiator, data_source, form_id,
    documents, rules, reasons, watch_keys, created, updated)
  select world, application_id, id, '', state, 'compliance', 'compliance', '', '{}', '[]', '[]',
    '[]', updated, updated
  from kyc where application_id is not null;
alter table kyc add constraint kyc_latest_application
  foreign key (world, application_id) references kyc_application (world, id);

-- The check of one application at the vendor: begun, asked, settled. [R5, R6]
create table identity_check (
  world integer not null,
  id uuid not null, -- our key at the vendor
  application_id uuid not null,
  account_id uuid not null,
  purpose text collate "C" not null check (purpose in ('kyc')),
  state text collate "C" not null,
  version integer not null,
  -- What the vendor decided first.
  outcome text collate "C" check (outcome in ('accepted', 'denied', 'review', 'incomplete')),
  vendor_reference text not null default '',
  updated timestamptz not null,
  primary key (world, id),
  unique (world, application_id),
  foreign key (world, application_id) references kyc_application (world, id),
  check ((state in ('asking', 'pending')) = (outcome is null))
);
create index identity_check_open on identity_check (world, id)
  where state in ('asking', 'pending');
create trigger identity_check_kept before delete or truncate on identity_check
  for each statement execute function refuse_change();
create trigger identity_check_head_insert after insert on identity_check
  referencing new table as changed for each statement execute function check_heads();
create trigger identity_check_head_update after update on identity_check
  referencing new table as changed for each statement execute function check_heads();

-- Work due at the vendor, in real time: it lives outside the sandbox's clock.
create table identity_job (
  world integer not null,
  check_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  primary key (world, check_id),
  foreign key (world, check_id) references identity_check (world, id)
);
create index identity_job_due on identity_job (due);

-- Notices of the vendor that were taken, so that a repetition changes nothing. [EV6]
create table identity_notice_seen (
  world integer not null,
  notice_id text collate "C" not null,
  seen timestamptz not null default clock_timestamp(),
  primary key (world, notice_id)
);
create index identity_notice_seen_at on identity_notice_seen using brin (seen);

-- Persons that people have to look at, as keyed encodings of name and birth date: no name is here.
create table watch_list (
  world integer not null references world,
  id uuid not null default gen_random_uuid(),
  key text collate "C" not null,
  primary key (world, id),
  unique (world, key)
);
