-- Adds what lets every statement name its tenant and take its time from the caller, and the marks
-- of how far the audit was proven.

-- The time of a workspace at a moment of the database's clock. A number that is no workspace, as in
-- tests of the simulators, has the database's own.
create function workspace_at(of_workspace integer, at timestamptz) returns timestamptz
language sql stable as $$
  select at
    + coalesce((select clock_offset from workspace where workspace = of_workspace), interval '0')
$$;

-- Jobs are claimed tenant by tenant, the longest overdue first. Those that are never due again are
-- in no index.
create index attempt_job_due_in on attempt_job (workspace, due) where due < 'infinity';
create index transfer_job_due_in on transfer_job (workspace, due) where due < 'infinity';
create index dispute_answer_job_due_in on dispute_answer_job (workspace, due)
  where due < 'infinity';
create index identity_job_due_in on identity_job (workspace, due) where due < 'infinity';
create index payee_job_due_in on payee_job (workspace, due) where due < 'infinity';
create index match_job_due_in on match_job (workspace, due) where due < 'infinity';
create index erasure_job_due_in on erasure_job (workspace, due) where due < 'infinity';
drop index attempt_job_due, transfer_job_due, dispute_answer_job_due, identity_job_due,
  payee_job_due, match_job_due, erasure_job_due;

-- A directory that is read before the tenant is known refers to nothing of a tenant's. Accounts and
-- workspaces are never deleted, and a law of the access module says what the keys said.
alter table link drop constraint link_workspace_account_id_fkey,
  drop constraint link_workspace_fkey;
alter table refresh_token drop constraint refresh_token_workspace_account_id_fkey,
  drop constraint refresh_token_workspace_fkey;

-- Ends the sessions and the user tokens of an account: those that hold one of the scopes, or all of
-- them where none is named. Links that nobody opened stay; whoever opens one at this moment is
-- waited for, or waits and then finds what is true by then. [G-16]
create or replace function end_access(of_workspace integer, of_account uuid, held text[])
returns void language plpgsql as $$
declare
  since timestamptz;
begin
  perform 1 from link where workspace = of_workspace and account_id = of_account
    and expires > workspace_now(of_workspace) order by nonce_hash for update;
  since := clock_timestamp();
  -- A session's tokens end by real time, however far the clock of its workspace has gone.
  with ended as (
    update link set ended_at = since
    where workspace = of_workspace and account_id = of_account and used_at is not null
      and ended_at is null and (held is null or scopes && held)
    returning nonce_hash, session_seconds)
  insert into revoked_token (kind, id, expires)
    select 'family', nonce_hash, since + make_interval(secs => session_seconds + 60)
    from ended
  on conflict (kind, id) do nothing;
  -- An access token may outlive its refresh token by a day.
  insert into revoked_token (kind, id, expires)
    select 'family', family::text, max(expires) + interval '2 days' from refresh_token
    where workspace = of_workspace and account_id = of_account and (held is null or scopes && held)
    group by family having max(expires) > since
  on conflict (kind, id) do nothing;
end $$;

-- Up to which block each chain was last recomputed from its rows and found whole: `holdfast verify`
-- goes on from there. The signature is by a key of the audit, so that whoever can only write this
-- row can claim nothing; the link ties it to the block that it names.
create table audit_proof (
  workspace integer primary key,
  number bigint not null check (number >= 1),
  -- SHA-256 of hash and signature of that block, as the next block states it.
  link bytea not null check (length(link) = 32),
  at timestamptz not null,
  -- The public half of the key that signed, base64url.
  key text collate "C" not null,
  signature bytea not null check (length(signature) = 64)
);
alter table audit_proof alter column workspace set (n_distinct = 1);
