# Munge, accounting, controller and nodes. Part of up.sh.

# --- munge ---------------------------------------------------------------------------
if [[ ! -s $DIR/munge/munge.key ]]; then
  ( umask 077; head -c 1024 /dev/urandom >"$DIR/munge/munge.key" )
  chown munge:munge "$DIR/munge/munge.key"
fi
rm -f "$DIR/munge/munge.socket" "$DIR/munge/munge.socket.lock"
setpriv --reuid=munge --regid=munge --clear-groups /usr/sbin/munged \
  --socket="$DIR/munge/munge.socket" --key-file="$DIR/munge/munge.key" \
  --log-file="$DIR/munge/munged.log" --pid-file="$DIR/munge/munged.pid" \
  --seed-file="$DIR/munge/munged.seed" >&2 || die "munged did not start"
ln -sf ../munge/munged.pid "$DIR/run/munged.pid"
wait_for 10 munged sh -c "munge -n -S '$DIR/munge/munge.socket' | unmunge -S '$DIR/munge/munge.socket'" || die "munged"

# --- slurm.conf -------------------------------------------------------------------------
if [[ $ACCOUNTING == 1 ]]; then
  ACCT="AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=$ADDR
AccountingStoragePort=$P_DBD
# For the database connection this, not AuthInfo, is the munge socket.
AccountingStoragePass=$DIR/munge/munge.socket
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=2
# No cgroups, so memory is policed by sampling: the task ends as FAILED with signal 9.
JobAcctGatherParams=OverMemoryKill"
else
  ACCT="AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none"
fi
cat >"$DIR/slurm.conf" <<CONF
ClusterName=testcluster
SlurmctldHost=$HOST($ADDR)
SlurmctldPort=$P_CTLD
SlurmUser=slurm
AuthType=auth/munge
CredType=cred/munge
# cred_expire is also how long a requeued job waits before it may start again (default 120).
AuthInfo=socket=$DIR/munge/munge.socket,cred_expire=15
# Without these two the daemons listen on every address.
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPidFile=$DIR/run/slurmctld.pid
SlurmdPidFile=$DIR/run/slurmd.%n.pid
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool/%n
SlurmctldLogFile=$DIR/log/slurmctld.log
SlurmdLogFile=$DIR/log/slurmd.%n.log
SlurmctldDebug=info
SlurmdDebug=info
# Nothing here needs cgroups.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
# Nodes may declare more CPUs than the machine has.
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=256
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,sched_interval=10
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=20
KillWait=5
# A controller that was killed takes tasks for running that have ended meanwhile, until a node says so in its next
# registration and they are this old; the default of 10 s more is longer than until its next death in a run with faults.
BatchStartTimeout=1
MessageTimeout=5
MinJobAge=300
MaxArraySize=5001
MaxJobCount=20000
$ACCT
NodeName=sim[1-$NODES] NodeHostname=$HOST NodeAddr=$ADDR Port=[$P_NODE-$(( P_NODE + NODES - 1 ))] CPUs=$CPUS RealMemory=$(( CPUS * 1024 )) State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00 State=UP
PartitionName=short Nodes=sim1 Default=NO DefaultTime=1 MaxTime=5 State=UP
# Jobs in it take the place of others, which are requeued.
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=urgent Nodes=ALL Default=NO DefaultTime=1 MaxTime=5 PriorityTier=10 State=UP
CONF
(( NODES > 1 )) || sed -i "s/^NodeName=sim\[1-1\]/NodeName=sim1/; s/Port=\[$P_NODE-$P_NODE\]/Port=$P_NODE/" "$DIR/slurm.conf"
export SLURM_CONF=$DIR/slurm.conf

# --- accounting -----------------------------------------------------------------------------
if [[ $ACCOUNTING == 1 ]]; then
  [[ -s $DIR/db/password ]] || ( umask 077; head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$DIR/db/password" )
  PW=$(cat "$DIR/db/password")
  # Durability is switched off on purpose: 2 seconds instead of 20.
  SQL=(/usr/sbin/mariadbd --no-defaults --user=slurm --datadir="$DIR/db/data"
    --innodb-buffer-pool-size=64M --innodb-log-file-size=32M --innodb-lock-wait-timeout=900
    --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --innodb-flush-method=nosync
    --sync-frm=0 --debug-no-sync --aria-sync-log-dir=NEVER --performance-schema=off --log-warnings=0)
  if [[ ! -e $DIR/db/data/.ready ]]; then
    # mariadb-install-db wants my_print_defaults, which mariadb-server-core lacks.
    rm -rf "$DIR/db/data"; install -d -o slurm -g slurm -m 700 "$DIR/db/data"
    { printf 'create database if not exists mysql;\nuse mysql;\nSET @auth_root_socket=NULL;\n'
      cat /usr/share/mysql/mysql_system_tables.sql /usr/share/mysql/mysql_performance_tables.sql \
          /usr/share/mysql/mysql_system_tables_data.sql
    } | "${SQL[@]}" --bootstrap >"$DIR/log/mariadb-bootstrap.log" 2>&1 || die "MariaDB bootstrap failed, see $DIR/log/mariadb-bootstrap.log"
    : >"$DIR/db/data/.ready"
  fi
  cat >"$DIR/db/init.sql" <<CONF
CREATE DATABASE IF NOT EXISTS slurm_acct;
CREATE USER IF NOT EXISTS 'slurm'@'127.0.0.1' IDENTIFIED BY '$PW';
GRANT ALL ON slurm_acct.* TO 'slurm'@'127.0.0.1';
CONF
  chown slurm:slurm "$DIR/db/init.sql"; chmod 600 "$DIR/db/init.sql"
  setsid "${SQL[@]}" --socket="$DIR/db/mysql.sock" --pid-file="$DIR/run/mariadbd.pid" \
    --bind-address=127.0.0.1 --port="$P_SQL" --skip-name-resolve --init-file="$DIR/db/init.sql" \
    --log-error="$DIR/log/mariadbd.log" </dev/null >/dev/null 2>&1 &
  disown
  sql_ready() { ( exec 3<>"/dev/tcp/127.0.0.1/$P_SQL" ) 2>/dev/null && [[ -s $DIR/run/mariadbd.pid ]]; }
  wait_for 60 MariaDB sql_ready || die "MariaDB did not start, see $DIR/log/mariadbd.log"

  ( umask 077; cat >"$DIR/slurmdbd.conf" ) <<CONF
AuthType=auth/munge
AuthInfo=socket=$DIR/munge/munge.socket
DbdHost=$HOST
DbdAddr=$ADDR
DbdPort=$P_DBD
SlurmUser=slurm
PidFile=$DIR/run/slurmdbd.pid
LogFile=$DIR/log/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$P_SQL
StorageUser=slurm
StoragePass=$PW
StorageLoc=slurm_acct
# Undocumented for slurmdbd, but it is what keeps it off the other addresses.
CommunicationParameters=NoInAddrAny
CONF
  chown slurm:slurm "$DIR/slurmdbd.conf"
  "${NS[@]}" /usr/sbin/slurmdbd >&2 || die "slurmdbd did not start"
  wait_for 60 slurmdbd port_open "$P_DBD" || die "slurmdbd did not start, see $DIR/log/slurmdbd.log"
  # slurmctld registers the cluster itself, but only after a first failed try; do it before.
  wait_for 20 "sacctmgr" sacctmgr -n show cluster || die "slurmdbd does not answer"
  sacctmgr -n -P show cluster testcluster format=cluster | grep -q testcluster ||
    sacctmgr -i -Q add cluster testcluster >&2 || die "sacctmgr add cluster failed"
fi

# --- slurm daemons -----------------------------------------------------------------------------
"${NS[@]}" /usr/sbin/slurmctld >&2 || die "slurmctld did not start"
# Only then nodes: one that does not reach the controller tries for 9 s, and pauses twice as long before each next try.
wait_for 60 slurmctld sh -c 'scontrol ping | grep -q UP' || die "slurmctld did not answer, see $DIR/log/slurmctld.log"
for (( i = 1; i <= NODES; i++ )); do
  "${NS[@]}" /usr/sbin/slurmd -N "sim$i" >&2 || die "slurmd sim$i did not start"
done
nodes_ready() { [[ $(sinfo -h -N -p batch -o %T | grep -Ecx 'idle|mixed|allocated|completing') == "$NODES" ]]; }
if ! wait_for 20 nodes nodes_ready; then
  # nodes that an earlier run left DOWN
  scontrol update "NodeName=sim[1-$NODES]" State=RESUME >&2 || true
  wait_for 20 nodes nodes_ready || {
    tail -n 20 "$DIR"/log/slurmctld.log "$DIR"/log/slurmd.*.log >&2
    die "nodes did not register, see $DIR/log/slurmd.*.log"
  }
fi
