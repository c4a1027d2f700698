-- Disputes to their end: evidence that is collected for the bank, handed to the processor once, and
-- kept no longer than the person it is about; and who bears a loss, the integrator or the sellers.

-- Who bears a lost dispute: the integrator, or the sellers out of what they earn next. [G-93]
alter table tenant_setting add column dispute_bearer text collate "C" not null default 'integrator'
  check (dispute_bearer in ('integrator', 'seller'));
-- As the tenant had set it when the dispute was opened.
alter table dispute add column bearer text collate "C" not null default 'integrator'
  check (bearer in ('integrator', 'seller'));

-- What the owner of a wallet owes for lost disputes; sales that credit the wallet repay it first.
alter table balance add column owes bigint not null default 0 check (owes >= 0);

-- The part of a lost dispute that one seller owes. It never changes: what was repaid of it follows
-- from the repayments of the wallet, oldest debt first. [G-43, G-93]
create table wallet_debt (
  workspace integer not null,
  id uuid not null,
  dispute_id uuid not null,
  account_id uuid not null,
  wallet_id uuid not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, dispute_id) references dispute (workspace, id),
  foreign key (workspace, wallet_id) references wallet (workspace, id)
);
-- A dispute is owed by a seller once. [R2]
create unique index wallet_debt_once on wallet_debt (wallet_id, dispute_id, workspace);
create index wallet_debt_of_account on wallet_debt (account_id, workspace, created);
select append_only('wallet_debt');

-- What a sale repaid: so much less was credited to the wallet, and more to the integrator.
create table debt_repayment (
  workspace integer not null,
  wallet_id uuid not null,
  -- The invoice that was paid, or that paid the sellers of an escrow.
  invoice_id uuid not null,
  amount bigint not null check (amount > 0),
  created timestamptz not null,
  primary key (workspace, wallet_id, invoice_id),
  foreign key (workspace, wallet_id) references wallet (workspace, id),
  foreign key (workspace, invoice_id) references invoice (workspace, id)
);
select append_only('debt_repayment');

-- A dispute that waits for an answer, by its deadline.
create index dispute_due on dispute (workspace, due_by) where state = 'needs_response';

-- One piece of evidence: that it is there, never what it says. It never changes.
create table dispute_evidence (
  workspace integer not null,
  id uuid not null,
  dispute_id uuid not null,
  kind text collate "C" not null check (kind in ('product_description', 'customer_communication',
    'receipt', 'refund_policy', 'service_documentation', 'shipping_documentation',
    'shipping_tracking', 'other')),
  -- Null for a text.
  mime text collate "C" check (mime in ('image/jpeg', 'image/png', 'application/pdf')),
  -- Bytes before they were sealed.
  size integer not null check (size > 0),
  -- The step of the dispute that added it.
  version integer not null,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, dispute_id) references dispute (workspace, id)
);
-- The evidence of a dispute, in order; a step adds one piece.
create unique index dispute_evidence_of on dispute_evidence (dispute_id, workspace, version);
select append_only('dispute_evidence');

-- What a piece of evidence says, sealed with the key of the person who was charged. Stored just
-- before the command that adds it; deleted with the person, and a while after the dispute.
create table dispute_content (
  workspace integer not null,
  id uuid not null, -- of the evidence
  account_id uuid not null,
  sealed bytea not null,
  created timestamptz not null default clock_timestamp(),
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
alter table dispute_content alter column sealed set storage external;
create index dispute_content_account on dispute_content (account_id, workspace);
create index dispute_content_created on dispute_content using brin (created);

-- The answer to a dispute: all evidence of that moment, begun with its key at the processor, asked
-- for, settled. [G-93, R5]
create table dispute_answer (
  workspace integer not null,
  id uuid not null,
  dispute_id uuid not null,
  purpose text collate "C" not null check (purpose in ('dispute')),
  state text collate "C" not null,
  version integer not null,
  failure_code text collate "C",
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, dispute_id) references dispute (workspace, id),
  check ((state = 'declined') = (failure_code is not null))
);
-- A dispute is answered once; after the processor declined an answer it takes another. [R2]
create unique index dispute_answer_once on dispute_answer (dispute_id, workspace)
  where state <> 'declined';
-- The answers of a dispute.
create index dispute_answer_of on dispute_answer (dispute_id, workspace, created);
select guard_lifecycle('dispute_answer');

-- Work due at the processor for an answer, as transfer_job for an outbound transfer.
create table dispute_answer_job (
  workspace integer not null,
  answer_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  pause text collate "C",
  again boolean not null default false,
  primary key (workspace, answer_id),
  foreign key (workspace, answer_id) references dispute_answer (workspace, id)
);
create index dispute_answer_job_due on dispute_answer_job (due);

-- An answer at the processor simulator, once for each key: a keyed digest of it and nothing that it
-- says.
create table processor_answer (
  workspace integer not null,
  key text collate "C" not null,
  -- The key of the disputed charge.
  charge text collate "C" not null,
  digest text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null check (state in ('accepted', 'declined')),
  failure_code text collate "C" check ((state = 'declined') = (failure_code is not null)),
  created timestamptz not null default clock_timestamp(),
  primary key (workspace, key)
);

-- The simulator's calls about answers, and the end of a dispute that nobody answered in time.
alter table processor_exchange drop constraint processor_exchange_operation_check,
  add constraint processor_exchange_operation_check check (operation in ('authorize', 'capture',
    'reverse', 'look', 'remit', 'look_remittance', 'answer', 'look_answer'));
alter table processor_script drop constraint processor_script_operation_check,
  add constraint processor_script_operation_check check (operation in ('authorize', 'capture',
    'reverse', 'look', 'remit', 'look_remittance', 'answer', 'look_answer'));
alter table processor_due drop constraint processor_due_event_check,
  add constraint processor_due_event_check check (event in ('settle', 'fail', 'return',
    'chargeback', 'dispute_under_review', 'dispute_won', 'dispute_lost', 'dispute_withdrawn',
    'dispute_expired'));

do $$
declare
  one text;
begin
  foreach one in array array['dispute_evidence', 'dispute_content', 'dispute_answer',
    'dispute_answer_job', 'processor_answer', 'wallet_debt', 'debt_repayment']
  loop
    execute format('alter table %I alter column workspace set (n_distinct = 1)', one);
  end loop;
end $$;
