-- Identity of people and businesses: applications, documents, checks at the vendor, watch-lists.
-- Every personal field lies sealed with a person's own key; what is compared lies as keyed hashes.
-- [G-52, G-54, G-55]

-- One collection of a person's data, or a step of compliance without any. Never overwritten: a
-- person who submits again makes another one.
create table kyc_application (
  workspace integer not null,
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
  -- JSON: keyed hashes of name and birth date.
  watch_keys text not null,
  -- Keyed hash of the last four digits of the tax number.
  ssn_key text collate "C",
  -- What the person stated; null where compliance began it.
  sealed text,
  sealed_note text,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
-- The applications of an account, and those in a state.
create index kyc_application_account on kyc_application (account_id, workspace, created);
create index kyc_application_state on kyc_application (state, workspace, created);
-- Applications as people search them.
create index kyc_application_created on kyc_application (created, id);
select keep_rows('kyc_application');

-- Identity state of an account: one current-state row for each account, its history in step.
-- [G-50, G-51]
create table kyc (
  workspace integer not null,
  id uuid not null, -- the account's id; the resource of the history is this row
  state text collate "C" not null,
  version integer not null,
  pii_level text collate "C" not null check (pii_level in ('NONE', 'BASIC', 'FULL')),
  requirements text collate "C" not null check (requirements in ('NONE', 'FULL_KYC', 'TAX_UPDATE')),
  -- Id of the latest application; null until there is one.
  application_id uuid,
  created timestamptz not null,
  updated timestamptz not null,
  -- When the clock acts next; null: never. [G-51]
  due timestamptz,
  -- What was required before an update of tax data was. [G-38]
  requirements_before text collate "C"
    check (requirements_before in ('NONE', 'FULL_KYC')),
  data_on_file boolean not null default false,
  -- True once the account is the one of a business: its state follows. [G-55]
  follows_entity boolean not null default false,
  -- True where a business waits for this identity.
  followed boolean not null default false,
  primary key (workspace, id),
  foreign key (workspace, id) references account (workspace, id),
  constraint kyc_requirements_before
    check (requirements_before is null or requirements = 'TAX_UPDATE'),
  constraint kyc_latest_application
    foreign key (workspace, application_id) references kyc_application (workspace, id)
);
create index kyc_due on kyc (workspace, due) where due is not null;
-- The review queue, longest wait first.
create index kyc_waiting on kyc (updated, id) where state = 'MANUAL_REVIEW';
select guard_lifecycle('kyc');

-- Moves of identities that a business waits for, until it has seen them.
create table kyc_moved (
  workspace integer not null,
  account_id uuid not null,
  version integer not null,
  moved timestamptz not null default clock_timestamp(),
  primary key (workspace, account_id, version),
  foreign key (workspace, account_id) references kyc (workspace, id)
);

-- Documents, each sealed for itself. Stored just before the application that names them commits;
-- those of no application are deleted.
create table kyc_document (
  workspace integer not null,
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
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
alter table kyc_document alter column sealed set storage external;
create index kyc_document_application on kyc_document (workspace, application_id);
create index kyc_document_created on kyc_document using brin (created);

-- The check of one application at the vendor: begun, asked for, settled. [R5, R6]
create table identity_check (
  workspace integer not null,
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
  primary key (workspace, id),
  unique (workspace, application_id),
  foreign key (workspace, application_id) references kyc_application (workspace, id),
  check ((state in ('asking', 'pending')) = (outcome is null))
);
create index identity_check_open on identity_check (workspace, id)
  where state in ('asking', 'pending');
select guard_lifecycle('identity_check');

-- Work due at the vendor, in real time: it does not follow the sandbox's clock.
create table identity_job (
  workspace integer not null,
  check_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  -- As in attempt_job.
  pause text collate "C",
  again boolean not null default false,
  primary key (workspace, check_id),
  foreign key (workspace, check_id) references identity_check (workspace, id)
);
create index identity_job_due on identity_job (due);

-- Webhooks of the vendor that were received, so that a repetition changes nothing. [EV6]
create table identity_notice_seen (
  workspace integer not null,
  notice_id text collate "C" not null,
  seen timestamptz not null default clock_timestamp(),
  primary key (workspace, notice_id)
);
create index identity_notice_seen_at on identity_notice_seen using brin (seen);

-- Persons that people must review, as keyed hashes of name and birth date: no name is here.
create table watch_list (
  workspace integer not null references workspace,
  id uuid not null default gen_random_uuid(),
  key text collate "C" not null,
  primary key (workspace, id)
);
-- A watched name is on the list once.
create unique index watch_list_workspace_key_key on watch_list (key, workspace);

-- A business. At most one for each account.
create table entity (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  -- '' until it was stated.
  entity_type text collate "C" not null,
  -- ISO 3166; '' where none is known.
  country text collate "C" not null,
  tax_id_given boolean not null,
  -- What follows once all of its people are verified; `people`: a person decides.
  course text collate "C" not null check (course in ('accept', 'deny', 'ask', 'people')),
  -- JSON: ids of its agents, the primary contact first; those that were removed are not named.
  agents text not null,
  -- How many agents it ever named: each has an account, which stays.
  people integer not null check (people between 1 and 30),
  -- JSON: its documents, each with the agent that it is about.
  documents text not null,
  -- JSON: codes of what did not pass or is asked for.
  reasons text not null,
  -- JSON: results of rules as `<rule>:<digit>`.
  rules text not null,
  -- What the business stated, with the key of the account's person; null once erased.
  sealed text,
  -- When the clock acts next; null: never.
  due timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  check ((state = 'INCOMPLETE') = (due is not null))
);
-- An account is one business.
create unique index entity_workspace_account_id_key on entity (account_id, workspace);
create index entity_due on entity (workspace, due) where due is not null;
-- The review queue, longest wait first.
create index entity_waiting on entity (updated, id) where state = 'PROCESSING';
select guard_lifecycle('entity');

-- A person behind a business, in one or several roles. A removed one stays as history.
create table entity_agent (
  workspace integer not null,
  id uuid not null,
  entity_id uuid not null,
  -- The business's own account for the primary contact, else the person's.
  account_id uuid not null,
  -- The account on which this person's identity is verified, which is nobody else's.
  person_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  -- JSON: the roles.
  roles text not null,
  -- The name, with the key of that person; null once erased.
  sealed text,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, entity_id) references entity (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  foreign key (workspace, person_id) references account (workspace, id)
);
-- One person's account is behind one agent.
create unique index entity_agent_workspace_person_id_key on entity_agent (person_id, workspace);
-- The people of a business.
create index entity_agent_entity on entity_agent (entity_id, workspace);
select guard_lifecycle('entity_agent');

-- Documents of businesses, each sealed for itself with the key of the account's person. Stored just
-- before the entity that names them commits; those of no entity are deleted.
create table entity_document (
  workspace integer not null,
  id uuid not null,
  entity_id uuid not null,
  account_id uuid not null,
  mime text collate "C" not null
    check (mime in ('image/jpeg', 'image/png', 'application/pdf')),
  -- Of the contents before they were sealed.
  size integer not null check (size > 0),
  -- What it was called by who handed it in.
  sealed_name text not null,
  sealed bytea not null,
  created timestamptz not null default clock_timestamp(),
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
alter table entity_document alter column sealed set storage external;
create index entity_document_entity on entity_document (workspace, entity_id);
create index entity_document_created on entity_document using brin (created);
