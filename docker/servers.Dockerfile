# The servers beside Tally on one machine (deploy/single): PostgreSQL, RabbitMQ and Caddy, as Debian packages them.
#
#   docker build -f docker/servers.Dockerfile --target postgresql -t tally/postgresql docker/servers
#
# tools/single/bundle.mjs builds all three, on a base that it makes from Debian's archive, without any registry. Each runs as a user
# of its own and writes to one folder, which is a volume.
ARG BASE=debian:13-slim

FROM ${BASE} AS postgresql
# the cluster is made at the first start, by us, and not while the package is installed
RUN mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
    && apt-get update && apt-get install -y --no-install-recommends postgresql-17 && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*
RUN usermod -u 10011 postgres && groupmod -g 10011 postgres && install -d -o postgres -g postgres /data /run/postgresql
COPY postgresql.sh pg_hba.conf /etc/tally/
ENV PATH=/usr/lib/postgresql/17/bin:/usr/bin:/bin PGDATA=/data/17 LANG=C.UTF-8
USER 10011:10011
# fast: connections end, and a start needs no recovery
STOPSIGNAL SIGINT
CMD ["sh", "/etc/tally/postgresql.sh"]

FROM ${BASE} AS rabbitmq
RUN apt-get update && apt-get install -y --no-install-recommends rabbitmq-server && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*
RUN usermod -u 10012 rabbitmq && groupmod -g 10012 rabbitmq && install -d -o rabbitmq -g rabbitmq /data /var/log/rabbitmq
COPY rabbitmq.conf /etc/rabbitmq/rabbitmq.conf
# a node name that moves with its data; its own network protocol stays inside of the container
ENV PATH=/usr/lib/rabbitmq/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/data LANG=C.UTF-8 \
    RABBITMQ_NODENAME=tally@localhost RABBITMQ_MNESIA_BASE=/data RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_LOGS=- \
    RABBITMQ_ENABLED_PLUGINS_FILE=/data/enabled_plugins ERL_EPMD_ADDRESS=127.0.0.1
USER 10012:10012
CMD ["rabbitmq-server"]

FROM ${BASE} AS caddy
RUN apt-get update && apt-get install -y --no-install-recommends caddy ca-certificates && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*
RUN install -d -o 10013 -g 10013 /data /config
ENV PATH=/usr/bin:/bin XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config HOME=/data
USER 10013:10013
CMD ["caddy", "run", "--config", "/etc/tally/Caddyfile", "--adapter", "caddyfile"]
