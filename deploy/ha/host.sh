#!/bin/sh
# Makes this machine a host of cluster.conf, as root: `sh host.sh a`, and so for `b`, `c` and
# `backup`. A second word says that it replaces one that is lost (`joins`), that the database is made
# from its backups (`restores`), or that it is there and has new `certificates`.
set -eu
cd "$(dirname "$0")"
. ./cluster.conf
. ./passwords.conf
name=$1
eval "address=\$$name"
case ${2:-new} in
  new) state=new method=initdb ;;
  joins) state=existing method=initdb ;;
  restores) state=new method=restore ;;
  certificates) ;;
  *) echo "host.sh: the second word is joins, restores or certificates" >&2; exit 1 ;;
esac

# Writes a file of this folder to its place, with what differs between hosts.
put() {
  sed -e "s/@NAME@/$name/g" -e "s/@ADDRESS@/$address/g" -e "s/@STATE@/$state/g" \
    -e "s/@METHOD@/$method/g" -e "s/@REPLICATOR@/$replicator/g" -e "s/@REWIND@/$rewind/g" \
    -e "s/@A@/$a/g" -e "s/@B@/$b/g" -e "s/@C@/$c/g" -e "s/@BACKUP@/$backup/g" "$1" |
    install -m 640 -g "$2" /dev/stdin "$3"
}

# Each program proves itself to the others by the certificate of its host.
certificates() {
  install -d /etc/holdfast-ha
  install -m 644 ca.crt /etc/holdfast-ha/ca.crt
  install -m 644 "$name.crt" /etc/holdfast-ha/host.crt
  install -m 640 -g host-key "$name.key" /etc/holdfast-ha/host.key
}

if [ "${2:-}" = certificates ]; then
  certificates
  systemctl restart pgbackrest
  # etcd reads them at each connection.
  [ "$name" = backup ] || systemctl reload patroni
  exit
fi

# It would stop the primary.
if systemctl is-active --quiet patroni; then
  echo 'host.sh: Patroni runs here already; stop it first, or say certificates' >&2
  exit 1
fi

# Debian would make and start a database of its own.
mkdir -p /etc/postgresql-common
echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
packages=pgbackrest
[ "$name" = backup ] || packages="$packages postgresql patroni etcd-server etcd-client"
apt-get update || echo 'host.sh: goes on with the lists of packages that are there' >&2
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $packages

getent group host-key > /dev/null || groupadd --system host-key
usermod --append --groups host-key postgres
certificates

if [ "$name" = backup ]; then
  put repository.conf postgres /etc/pgbackrest.conf
  install -m 644 holdfast-backup@.service holdfast-backup@full.timer \
    holdfast-backup@incr.timer /etc/systemd/system
  systemctl daemon-reload
  systemctl enable pgbackrest
  systemctl restart pgbackrest
  exit
fi

systemctl disable --now etcd patroni
usermod --append --groups host-key etcd
put etcd.env etcd /etc/default/etcd
put etcdctl.env root /etc/holdfast-ha/etcdctl.env
put patroni.yml postgres /etc/patroni/config.yml
put pgbackrest.conf postgres /etc/pgbackrest.conf
systemctl enable etcd patroni pgbackrest
systemctl restart pgbackrest
# etcd waits for the other hosts.
systemctl start --no-block etcd patroni
