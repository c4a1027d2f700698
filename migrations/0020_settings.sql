-- What a tenant says about itself: where its pages live, where people may be sent, how it looks.

-- One row for each world that changed something; without a row all is as if never set. [G-64]
create table tenant_setting (
  world integer primary key references world,
  -- As people read it; null: the name that the tenant was made with.
  name text check (name <> ''),
  -- Sites that may hold our pages in a frame: `https://host[:port]`.
  registered_origins text[] not null check (cardinality(registered_origins) <= 50),
  -- Addresses that people may be sent to after a hosted page.
  return_addresses text[] not null check (cardinality(return_addresses) <= 50),
  -- Addresses that a login elsewhere may return to; also those of an app's own scheme.
  oauth_return_addresses text[] not null check (cardinality(oauth_return_addresses) <= 50),
  -- `#rrggbb`; null: ours.
  background_color text check (background_color ~ '^#[0-9a-f]{6}$'),
  primary_color text check (primary_color ~ '^#[0-9a-f]{6}$'),
  -- A data URI of a picture that was looked at; '' for none.
  logo text not null check (logo = '' or logo ~ '^data:image/(png|jpeg);base64,'),
  preview_text text not null,
  -- How many changes there were.
  version integer not null check (version >= 1),
  updated timestamptz not null
);
create trigger tenant_setting_kept before delete or truncate on tenant_setting
  for each statement execute function refuse_change();
