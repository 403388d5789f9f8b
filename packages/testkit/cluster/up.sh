#!/bin/bash
# Brings up a real Slurm cluster and a real OpenSSH server on this machine, on loopback only, without systemd, with
# everything under one directory. Prints the connection facts as JSON on stdout; everything else on stderr.
# The packages must be there (src/debian-packages.ts installs them): it only says which are missing.
#
#   CLUSTER_DIR         directory; at most 55 characters, every parent open to other users
#   CLUSTER_USER        login with an authorized key        (created)
#   CLUSTER_CERT_USER   login that only a certificate opens (created)
#   CLUSTER_NODES       virtual nodes                       (default 2)
#   CLUSTER_CPUS        CPUs per node                       (default 4, not tied to hardware)
#   CLUSTER_PORT        first port to try; 32 ports are used
#   CLUSTER_ACCOUNTING  1 = slurmdbd + MariaDB so that sacct works, 0 = none (default 1)
#   CLUSTER_YIELDS      1 = all its processes leave the processors to others, as those of another machine would (default 0)
set -u -o pipefail
umask 022
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/lib.sh"
check_dir
[[ $(id -u) == 0 ]] || die "must run as root (slurmd and sshd switch users)"
mkdir -p "$DIR" || die "cannot create $DIR"
[[ -e $DIR/.cluster || -z $(ls -A "$DIR" | grep -vx .lock) ]] || die "$DIR is not empty and not from here"
chmod 755 "$DIR"
take_lock "$@"
: >"$DIR/.cluster"

NODES=${CLUSTER_NODES:-2}
CPUS=${CLUSTER_CPUS:-4}
ACCOUNTING=${CLUSTER_ACCOUNTING:-1}
USER_PLAIN=${CLUSTER_USER:?}
USER_CERT=${CLUSTER_CERT_USER:?}
(( NODES >= 1 && NODES <= 16 )) || die "CLUSTER_NODES must be 1..16"
for p in munged slurmctld slurmd sshd $([[ $ACCOUNTING == 1 ]] && echo slurmdbd mariadbd); do
  [[ -x /usr/sbin/$p ]] || die "/usr/sbin/$p is not installed"
done

# --- loopback address ---------------------------------------------------------
# With No{Ctld,}InAddrAny the daemons bind to whatever `hostname` resolves to, so
# that name must resolve to loopback. Where it does not, the daemons are started
# in a UTS namespace of their own whose host name is "localhost".
HOST=$(hostname -s)
ADDR=$(getent ahostsv4 "$(hostname)" | awk 'NR == 1 { print $1 }')
NS=()
if [[ $ADDR != 127.* ]]; then
  unshare --uts true 2>/dev/null ||
    die "host name '$(hostname)' resolves to '${ADDR:-nothing}', not to loopback: add it to /etc/hosts as 127.0.1.1"
  HOST=localhost ADDR=127.0.0.1
  NS=(unshare --uts sh -c 'hostname localhost && exec "$@"' sh)
fi

# --- already up? ------------------------------------------------------------------
healthy() {
  pid_of sshd sshd >/dev/null && pid_of munged munged >/dev/null &&
    pid_of slurmctld slurmctld >/dev/null || return 1
  if [[ $ACCOUNTING == 1 ]]; then
    pid_of slurmdbd slurmdbd >/dev/null && pid_of mariadbd mariadbd >/dev/null || return 1
  fi
  local i
  for (( i = 1; i <= NODES; i++ )); do pid_of "slurmd.sim$i" slurmd >/dev/null || return 1; done
  SLURM_CONF=$DIR/slurm.conf scontrol ping 2>/dev/null | grep -q UP
}
if [[ -s $DIR/facts.json && -s $DIR/settings ]] &&
   [[ $(cat "$DIR/settings") == "$NODES $CPUS $ACCOUNTING $USER_PLAIN $USER_CERT" ]] && healthy; then
  log "already up in $DIR"
  cat "$DIR/facts.json"
  exit 0
fi
# Half-up or other settings: take down what is there first (state is kept).
[[ -d $DIR/run ]] && { CLUSTER_DIR=$DIR bash "$HERE/down.sh" --keep-jobs >&2 || die "could not stop the previous cluster"; }

trap 'rc=$?; if (( rc != 0 )); then log "failed, stopping again (logs stay in $DIR/log)"; CLUSTER_DIR=$DIR bash "$HERE/down.sh" --keep-jobs >&2; fi; exit $rc' EXIT

mkdir -p "$DIR"/{run,log,ssh/authorized_keys,home,spool,state,munge,db} || die "cannot create $DIR"
chmod 755 "$DIR" "$DIR"/{run,log,ssh,ssh/authorized_keys,home,spool}
chown slurm:slurm "$DIR"/{state,spool,db} "$DIR/log"
chown munge:munge "$DIR/munge"; chmod 755 "$DIR/munge"
# slurmctld and slurmdbd write their pid files after dropping root
chown slurm:slurm "$DIR/run"

# --- processors ---------------------------------------------------------------------
# Niceness counts within a session only (sched(7), autogroup), and Slurm gives each step a session: a control group counts for all of them.
if [[ ${CLUSTER_YIELDS:-0} == 1 ]]; then
  GROUPS_V1=/sys/fs/cgroup/cpu GROUPS_V2=/sys/fs/cgroup NAME=$(basename "$(dirname "$DIR")")
  if [[ -d $GROUPS_V1 ]]; then GROUP=$GROUPS_V1/$NAME WEIGHT=cpu.shares:10; else GROUP=$GROUPS_V2/$NAME WEIGHT=cpu.weight:1; fi
  mkdir -p "$GROUP" && echo "${WEIGHT#*:}" >"$GROUP/${WEIGHT%:*}" && echo $$ >"$GROUP/cgroup.procs" || die "no control group $GROUP"
  echo "$GROUP" >"$DIR/control-group"
fi

# --- ports ------------------------------------------------------------------------
# base+0 sshd, +1 slurmctld, +2 slurmdbd, +3 mariadbd, +11.. slurmd
pick_base() {
  local b try p
  for (( try = 0, b = ${CLUSTER_PORT:-24800}; try < 50; try++, b += 32 )); do
    for (( p = b; p < b + 32; p++ )); do port_busy "$p" && continue 2; done
    echo "$b"; return 0
  done
  return 1
}
BASE=
if [[ -s $DIR/port-base ]]; then          # keep the ports of the last run if still free
  BASE=$(cat "$DIR/port-base")
  for (( p = BASE; p < BASE + 32; p++ )); do port_busy "$p" && { BASE=; break; }; done
fi
[[ -n $BASE ]] || BASE=$(pick_base) || die "no free port range"
echo "$BASE" >"$DIR/port-base"
P_SSH=$BASE P_CTLD=$(( BASE + 1 )) P_DBD=$(( BASE + 2 )) P_SQL=$(( BASE + 3 )) P_NODE=$(( BASE + 11 ))

. "$HERE/logins.sh"
. "$HERE/slurm.sh"
# --- sshd -------------------------------------------------------------------------------------------
mkdir -p /run/sshd && chmod 755 /run/sshd     # compiled-in privilege separation directory
/usr/sbin/sshd -t -f "$S/sshd_config" >&2 || die "sshd refuses its configuration"
/usr/sbin/sshd -f "$S/sshd_config" -E "$DIR/log/sshd.log" >&2 || die "sshd did not start"
sshd_ready() { ( exec 3<>"/dev/tcp/127.0.0.1/$P_SSH" ) 2>/dev/null && [[ -s $DIR/run/sshd.pid ]]; }
wait_for 10 sshd sshd_ready || die "sshd did not start, see $DIR/log/sshd.log"

# --- facts ----------------------------------------------------------------------------------------------
node_list=$(for (( i = 1; i <= NODES; i++ )); do printf '%s"sim%d"' "$([[ $i -gt 1 ]] && echo ', ')" "$i"; done)
cat >"$DIR/facts.json.new" <<JSON
{
  "dir": "$DIR",
  "ssh": {
    "host": "127.0.0.1",
    "port": $P_SSH,
    "hostKeys": ["$(cut -d' ' -f1,2 "$S/host_ed25519.pub")", "$(cut -d' ' -f1,2 "$S/host_rsa.pub")"],
    "hostKeySha256": ["$(ssh-keygen -lf "$S/host_ed25519.pub" | cut -d' ' -f2)", "$(ssh-keygen -lf "$S/host_rsa.pub" | cut -d' ' -f2)"],
    "knownHosts": "$S/known_hosts",
    "log": "$DIR/log/sshd.log"
  },
  "users": {
    "plain": { "name": "$USER_PLAIN", "home": "$DIR/home/$USER_PLAIN", "privateKey": "$S/id_plain" },
    "cert": { "name": "$USER_CERT", "home": "$DIR/home/$USER_CERT" }
  },
  "userCa": { "privateKey": "$S/ca", "publicKey": "$S/ca.pub" },
  "certificates": {
    "ed25519": { "privateKey": "$S/id_cert_ed25519", "certificate": "$S/id_cert_ed25519-cert.pub" },
    "rsa": { "privateKey": "$S/id_cert_rsa", "certificate": "$S/id_cert_rsa-cert.pub" },
    "ecdsa": { "privateKey": "$S/id_cert_ecdsa", "certificate": "$S/id_cert_ecdsa-cert.pub" }
  },
  "badCertificates": {
    "expired": { "privateKey": "$S/id_cert_ed25519", "certificate": "$S/bad_expired-cert.pub" },
    "wrongPrincipal": { "privateKey": "$S/id_cert_ed25519", "certificate": "$S/bad_principal-cert.pub" },
    "untrustedCa": { "privateKey": "$S/id_cert_ed25519", "certificate": "$S/bad_ca-cert.pub" }
  },
  "slurm": {
    "version": "$(scontrol --version | awk '{ print $2 }')",
    "clusterName": "testcluster",
    "conf": "$DIR/slurm.conf",
    "nodes": [$node_list],
    "cpusPerNode": $CPUS,
    "partitions": ["batch", "short"],
    "accounting": $([[ $ACCOUNTING == 1 ]] && echo true || echo false),
    "log": "$DIR/log/slurmctld.log"
  }
}
JSON
mv "$DIR/facts.json.new" "$DIR/facts.json"
echo "$NODES $CPUS $ACCOUNTING $USER_PLAIN $USER_CERT" >"$DIR/settings"
trap - EXIT
log "up in $DIR"
cat "$DIR/facts.json"