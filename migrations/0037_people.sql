-- Adds roles by task, invitations, single sign-on and what two administrators agree on.

-- Programs of 0.2.0 know four roles and read `roles` alone: whoever has others too is a viewer to
-- them, or what else they know.
alter table operator add column tasks text[] not null default '{}'
  check (tasks <@ array['support', 'accountant', 'developer']);
-- Hash of the token in the invitation that nobody has used yet, and until when it can be.
alter table operator add column invite_hash text collate "C";
alter table operator add column invite_expires timestamptz;
-- Keyed hash of who somebody is at the identity provider; null: signs in by password.
alter table operator add column sign_on_key text collate "C";
-- A link leads to one operator.
create unique index operator_invite_hash_key on operator (invite_hash);
-- A person at the identity provider is one operator.
create unique index operator_sign_on_key_key on operator (sign_on_key);

-- A change that makes an administrator or takes one away: one proposes it, another confirms it.
-- Never removed.
create table operator_proposal (
  id uuid primary key,
  operator_id uuid not null references operator,
  -- How the operator is to be.
  roles text[] not null check (cardinality(roles) >= 1),
  disabled boolean not null,
  proposed_by uuid not null references operator,
  at timestamptz not null default clock_timestamp(),
  decision text collate "C" check (decision in ('confirmed', 'rejected')),
  decided_by uuid references operator,
  decided timestamptz,
  constraint operator_proposal_decided
    check (num_nulls(decision, decided_by, decided) in (0, 3)),
  constraint operator_proposal_second
    check (decision is distinct from 'confirmed' or decided_by <> proposed_by)
);
select keep_rows('operator_proposal');
-- One change of an operator waits at a time.
create unique index operator_proposal_open on operator_proposal (operator_id)
  where decision is null;
