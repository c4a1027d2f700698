#!/bin/sh
# Makes the role of the server, once, when PostgreSQL makes the database.
set -e
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/server)" <<'SQL'
create role holdfast login password :'password';
SQL
