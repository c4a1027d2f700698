-- Terms of service: versions of one text for the whole installation, and who agreed to which.

-- A text that was published; the newest is in force. Append-only, so that what somebody agreed to
-- can be read for ever. [G-21]
create table terms_version (
  version integer primary key check (version >= 1),
  -- Plain text; an empty line parts paragraphs.
  content text not null check (octet_length(content) between 1 and 200000),
  created timestamptz not null default clock_timestamp()
);
create trigger terms_version_append_only before update or delete or truncate on terms_version
  for each statement execute function refuse_change();

-- An account agreed to a version; it is asked again when there is a newer one. Append-only. [G-21]
create table terms_signature (
  world integer not null,
  account_id uuid not null,
  version integer not null references terms_version,
  -- In the time of the world.
  signed timestamptz not null,
  primary key (world, account_id, version),
  foreign key (world, account_id) references account (world, id)
);
create trigger terms_signature_append_only before update or delete or truncate on terms_signature
  for each statement execute function refuse_change();
