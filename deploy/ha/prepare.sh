#!/bin/sh
# Makes an authority, and for each host of cluster.conf an archive with what it needs: its
# certificate, the passwords of Patroni's roles, and the files of this folder. Run again, it renews
# the certificates and keeps the rest.
set -eu
umask 077
cd "$(dirname "$0")"

request() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc "$@"
}

[ -f ca.key ] ||
  request -x509 -days 3650 -subj '/CN=holdfast database' -keyout ca.key -out ca.crt
[ -f passwords.conf ] ||
  printf 'replicator=%s\nrewind=%s\n' "$(openssl rand -hex 24)" "$(openssl rand -hex 24)" \
    > passwords.conf
sed -n 's/^\([a-z]*\)=\(.*\)$/\1 \2/p' cluster.conf | while read -r name address; do
  # pgbackrest looks for an address among the names.
  request -subj "/CN=$name" -addext "subjectAltName=IP:$address,DNS:$address" \
    -keyout "$name.key" -out "$name.csr" < /dev/null
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -copy_extensions copy -days 825 \
    -out "$name.crt" < /dev/null
  tar -cf "$name.tar" cluster.conf passwords.conf ca.crt "$name.crt" "$name.key" host.sh \
    ./*.env patroni.yml pgbackrest.conf repository.conf ./holdfast-backup@*
  rm "$name.csr" "$name.crt" "$name.key"
done
