-- Reviews: what operators decide about identities and businesses, why, and who must confirm it.

-- Accounts that belong to an operator as a person: about these the operator decides nothing.
create table operator_account (
  world integer not null,
  id uuid not null,
  operator_id uuid not null references operator,
  account_id uuid not null,
  created timestamptz not null,
  primary key (world, id),
  -- An account is named once for an operator.
  unique (world, account_id, operator_id),
  foreign key (world, account_id) references account (world, id)
);

-- A grave decision, until another operator confirms or rejects it. Its id follows from the case and
-- its version, so a case has one at a time, and one of an older version stands for nothing.
create table review_proposal (
  world integer not null,
  id uuid not null,
  subject text collate "C" not null check (subject in ('person', 'business')),
  -- The account, or the entity.
  subject_id uuid not null,
  subject_version integer not null,
  account_id uuid not null,
  decision text collate "C" not null check (decision in ('accept', 'deny')),
  -- JSON: codes for the applicant.
  reasons text not null,
  -- Who proposed it; somebody else must confirm.
  operator_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id)
);
create index review_proposal_subject on review_proposal (world, subject_id, created);
create trigger review_proposal_kept before delete or truncate on review_proposal
  for each statement execute function refuse_change();
create trigger review_proposal_head_insert after insert on review_proposal
  referencing new table as changed for each statement execute function check_heads();
create trigger review_proposal_head_update after update on review_proposal
  referencing new table as changed for each statement execute function check_heads();

-- Why an operator did something, sealed with the key of the account's person. Never removed; an
-- erasure empties it. [PD3]
create table review_note (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  -- The account, or the entity.
  subject_id uuid not null,
  -- Of the case, after what was done.
  subject_version integer not null,
  act text collate "C" not null check (act in ('propose', 'accept', 'deny', 'ask', 'cancel',
    'check', 'reject', 'open')),
  operator_id uuid not null,
  -- Null once the person was erased.
  sealed text,
  created timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id)
);
create index review_note_subject on review_note (world, subject_id, created);
create index review_note_account on review_note (world, account_id);
create trigger review_note_kept before delete or truncate on review_note
  for each statement execute function refuse_change();

-- Who works on a case at the moment, so that two do not do the same work. It binds nobody.
create table review_claim (
  world integer not null,
  subject_id uuid not null,
  operator_id uuid not null,
  until timestamptz not null,
  primary key (world, subject_id)
);

-- Documents that an operator may look at once, for a reason that was logged before.
create table review_view (
  world integer not null,
  -- SHA-256 of the address's token.
  token_hash text collate "C" not null,
  subject_id uuid not null,
  account_id uuid not null,
  document_id uuid not null,
  operator_id uuid not null,
  until timestamptz not null,
  primary key (world, token_hash)
);
create index review_view_until on review_view (until);

-- The queue, longest wait first; and applications as people search them.
create index kyc_waiting on kyc (updated, id) where state = 'MANUAL_REVIEW';
create index entity_waiting on entity (updated, id) where state = 'PROCESSING';
create index kyc_application_created on kyc_application (created, id);
create index kyc_application_state on kyc_application (world, state, created);
