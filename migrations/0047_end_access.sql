-- Whose word a consent is, and accounts whose access ends in the moment that it is taken away.

-- A tenant that asks for a user token attests that its person agreed. Every consent so far was
-- given by the person, in a flow, as are those that a node of before this writes. [G-16]
alter table consent add column given_by text collate "C" not null default 'person'
  check (given_by in ('person', 'integrator'));

drop index consent_active;
-- The same agreement stands once for each of the two who can say it.
create unique index consent_active on consent (world, account_id, scopes, given_by)
  where revoked is null;

-- A consent is taken back once, and nothing else about it changes.
create or replace function check_consent_change() returns trigger language plpgsql as $$
begin
  if old.revoked is not null or new.revoked is null
    or (new.world, new.id, new.account_id, new.client_id, new.scopes, new.given, new.given_by)
      <> (old.world, old.id, old.account_id, old.client_id, old.scopes, old.given, old.given_by)
  then
    raise exception 'a consent is only taken back, and once'
      using errcode = '23514', constraint = 'consent_only_revoked';
  end if;
  return new;
end $$;

-- An account's families of user tokens are found when its access is ended.
create index refresh_token_account on refresh_token (world, account_id);

-- Ends the sessions and the user tokens of an account: those that hold one of the scopes, or all of
-- them where none is named. Links that nobody opened stay; whoever opens one in this moment is
-- waited for, or waits and then meets what is true by now. [G-16]
create function end_access(of_world integer, of_account uuid, held text[]) returns void
language plpgsql as $$
begin
  perform 1 from link where world = of_world and account_id = of_account
    and expires > world_now(of_world) order by nonce_hash for update;
  -- A session's tokens end by real time, however far the clock of its world has gone.
  with ended as (
    update link set ended_at = clock_timestamp()
    where world = of_world and account_id = of_account and used_at is not null
      and ended_at is null and (held is null or scopes && held)
    returning nonce_hash, session_seconds)
  insert into revoked_token (kind, id, expires)
    select 'family', nonce_hash, clock_timestamp() + make_interval(secs => session_seconds + 60)
    from ended
  on conflict (kind, id) do nothing;
  -- An access token may outlive its refresh token by a day.
  insert into revoked_token (kind, id, expires)
    select 'family', family::text, max(expires) + interval '2 days' from refresh_token
    where world = of_world and account_id = of_account and (held is null or scopes && held)
    group by family having max(expires) > clock_timestamp()
  on conflict (kind, id) do nothing;
end $$;

-- What rested on a consent ends when it is taken back.
create function end_access_of_consent() returns trigger language plpgsql as $$
begin
  perform end_access(new.world, new.account_id, new.scopes);
  return null;
end $$;
create trigger consent_ends_access after update on consent
  for each row execute function end_access_of_consent();

-- A blocked account has no access, and none of before when it is unblocked.
create function end_access_of_account() returns trigger language plpgsql as $$
begin
  perform end_access(new.world, new.id, null);
  return null;
end $$;
create trigger account_block_ends_access after update of blocked on account
  for each row when (new.blocked and not old.blocked) execute function end_access_of_account();
