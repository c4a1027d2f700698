-- Reconciliation: webhooks of the processor, its statement row by row, and where it differs from
-- our books. Times here are real time of this database: the processor does not follow the
-- sandbox's clock.

-- Provider webhooks that were received, so that a repetition changes nothing; deleted after a
-- month. [EV6]
create table processor_notice_seen (
  workspace integer not null,
  notice_id text collate "C" not null,
  seen timestamptz not null default clock_timestamp(),
  primary key (workspace, notice_id)
);
create index processor_notice_seen_at on processor_notice_seen using brin (seen);

-- How far each workspace's statement was read, and when it is read next.
create table statement_cursor (
  workspace integer primary key references workspace,
  line bigint not null default 0,
  -- Never while it is being read; a webhook that comes meanwhile makes it due again.
  due timestamptz not null default clock_timestamp(),
  lease uuid,
  leased_until timestamptz,
  -- What our books say was moved before this moment (workspace time) has its row.
  proved timestamptz not null default '-infinity'
);
create index statement_cursor_due on statement_cursor (due);

-- A new workspace has a statement to be read.
create function begin_statement() returns trigger language plpgsql as $$
begin
  insert into statement_cursor (workspace) select workspace from added;
  return null;
end $$;
create trigger workspace_statement after insert on workspace
  referencing new table as added for each statement execute function begin_statement();

-- One row of the processor's statement, and what our books say to it. [M18]
create table statement_line (
  workspace integer not null,
  id uuid not null,
  -- The processor's number of it.
  line bigint not null,
  key text collate "C" not null,
  -- The key as the id of our payment attempt or outbound transfer; null where it cannot be one.
  subject uuid,
  reference text collate "C" not null,
  kind text collate "C" not null
    check (kind in ('capture', 'refund', 'payout', 'payout_return', 'chargeback', 'return',
      'dispute_under_review', 'dispute_won', 'dispute_lost', 'dispute_withdrawn')),
  part integer not null check (part >= 1),
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  verdict text collate "C" not null default 'waiting'
    check (verdict in ('waiting', 'matched', 'difference')),
  -- What it was matched with, or how it differs.
  why text collate "C",
  seen timestamptz not null default clock_timestamp(),
  -- When the processor was last queried about its key.
  asked timestamptz,
  -- Of a dispute: at its opening why, and until when an answer is taken. [G-93]
  reason text collate "C",
  due_by timestamptz,
  primary key (workspace, id),
  check ((verdict = 'waiting') = (why is null))
);
-- A row of the statement is stored once.
create unique index statement_line_workspace_line_key on statement_line (line, workspace);
create index statement_line_open on statement_line (workspace, line) where verdict <> 'matched';
create index statement_line_subject on statement_line (workspace, subject)
  where subject is not null;
select keep_rows('statement_line');

-- What the processor wrote never changes, and what was matched stays so.
create function check_statement_line() returns trigger language plpgsql as $$
begin
  if (old.verdict, new.verdict) not in (
    ('waiting', 'waiting'), ('waiting', 'matched'), ('waiting', 'difference'),
    ('difference', 'difference'), ('difference', 'matched')
  ) or (old.workspace, old.id, old.line, old.key, old.reference, old.kind, old.part, old.amount,
      old.currency, old.seen)
    is distinct from (new.workspace, new.id, new.line, new.key, new.reference, new.kind, new.part,
      new.amount, new.currency, new.seen)
    or (old.subject, old.reason, old.due_by)
      is distinct from (new.subject, new.reason, new.due_by) then
    raise exception 'a statement line breaks its rule'
      using errcode = '23514', constraint = 'statement_line_legal';
  end if;
  return new;
end $$;
create trigger statement_line_legal before update on statement_line
  for each row execute function check_statement_line();

-- A discrepancy: a row that our books do not explain, until they do or a person does. Its id is the
-- row's.
create table difference (
  workspace integer not null,
  id uuid not null,
  why text collate "C" not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, id) references statement_line (workspace, id)
);
create index difference_open on difference (workspace, id) where state <> 'explained';
select guard_lifecycle('difference');
