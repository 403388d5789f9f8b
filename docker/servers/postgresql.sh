# Starts PostgreSQL. At the first start it makes the cluster, beside its place, so that a power cut leaves none that is half made.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA" "$PGDATA.new"
  initdb --pgdata "$PGDATA.new" --username postgres --auth scram-sha-256 --pwfile /run/secrets/tally/password \
    --encoding UTF8 --locale C.UTF-8 --data-checksums
  sync
  mv "$PGDATA.new" "$PGDATA"
fi
exec postgres -c listen_addresses='*' -c hba_file=/etc/tally/pg_hba.conf -c unix_socket_directories=/run/postgresql \
  -c max_connections=200 -c timezone=UTC -c log_timezone=UTC
