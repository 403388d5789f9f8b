# Shared by up.sh, down.sh and fault.sh. Not meant to be run by itself.

DIR=${CLUSTER_DIR?}
log() { printf '%s\n' "cluster: $*" >&2; }
die() { log "error: $*"; exit 1; }

check_dir() {
  case $DIR in /*) ;; *) DIR=$PWD/$DIR ;; esac
  DIR=${DIR%/}
  [[ $DIR =~ ^/[A-Za-z0-9_./-]+$ ]] || die "directory name has unsuitable characters: $DIR"
  # Unix socket paths end at 107 bytes; slurmstepd appends about 45 of its own.
  (( ${#DIR} <= 55 )) || die "directory path too long for unix sockets (max 55 characters): $DIR"
  case $DIR in /|/usr|/usr/*|/etc|/etc/*|/var|/home|/root|/tmp|/run) die "refusing directory $DIR" ;; esac
}

# Only one up.sh or down.sh at a time per directory. -o: daemons must not inherit the lock.
take_lock() {
  [[ ${CLUSTER_LOCKED:-} == "$DIR" ]] && return 0
  CLUSTER_LOCKED=$DIR CLUSTER_DIR=$DIR exec flock -o -w 600 "$DIR/.lock" bash "$0" "$@"
}

# pid_of NAME COMM: prints the pid recorded in run/NAME.pid if that process is
# alive, is not a zombie (pid 1 may not reap) and has the expected name (pids
# get reused).
pid_of() {
  local f=$DIR/run/$1.pid pid comm state
  pid=$(cat "$f" 2>/dev/null | tr -dc 0-9)
  [[ -n $pid && -r /proc/$pid/stat ]] || return 1
  comm=$(cat "/proc/$pid/comm" 2>/dev/null) || return 1
  state=$(sed 's/^.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null) || return 1
  [[ $state != Z && $state != X && $comm == "$2" ]] || return 1
  echo "$pid"
}

# stop_one NAME COMM [SECONDS]: TERM, wait, then KILL.
stop_one() {
  local pid i
  if pid=$(pid_of "$1" "$2"); then
    kill -TERM "$pid" 2>/dev/null
    for (( i = 0; i < ${3:-10} * 10; i++ )); do
      pid_of "$1" "$2" >/dev/null || break
      sleep 0.1
    done
    if pid_of "$1" "$2" >/dev/null; then
      log "$1 did not stop on TERM, sending KILL"
      kill -KILL "$pid" 2>/dev/null
    fi
  fi
  rm -f "$DIR/run/$1.pid"
}

# wait_for SECONDS WHAT COMMAND...
wait_for() {
  local end=$(( $(date +%s%N) / 1000000 + $1 * 1000 )) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    (( $(date +%s%N) / 1000000 < end )) || { log "timed out waiting for $what"; return 1; }
    sleep 0.1
  done
}

port_open() { (exec 3<>"/dev/tcp/$ADDR/$1") 2>/dev/null; }
# port_busy: bound by anybody on any address (listening sockets of IPv4 and IPv6)
port_busy() {
  local hex
  hex=$(printf ':%04X' "$1")
  awk -v p="$hex" '$4 == "0A" && substr($2, length($2) - 4) == p { f = 1 } END { exit !f }' \
    /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# cat goes on where a process has ended meanwhile; mawk would not.
children_of() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v p="$1" '{ pid = $1; sub(/^.*\) /, ""); if ($2 == p) print pid }'
}
# tree_of PID: all descendants, deepest first
tree_of() { local c; for c in $(children_of "$1"); do tree_of "$c"; echo "$c"; done; }

# kill_steps [NODE]: KILLs the job step managers of this cluster (of one node) and
# then what they ran. A manager is known by its open log file, since its own
# command line and environment are overwritten; its tasks by their environment.
# Managers go first, or they would still report how their task ended.
kill_steps() {
  local p pid env log=$DIR/log/slurmd.${1:-*}.log
  for p in /proc/[0-9]*/comm; do
    pid=${p#/proc/}; pid=${pid%/comm}
    [[ $(cat "$p" 2>/dev/null) == slurmstepd ]] || continue
    # shellcheck disable=SC2053
    while read -r f; do [[ $f == $log ]] && { kill -KILL "$pid" 2>/dev/null; break; }; done \
      < <(readlink /proc/"$pid"/fd/* 2>/dev/null)
  done
  for p in /proc/[0-9]*/environ; do
    pid=${p#/proc/}; pid=${pid%/environ}
    env=$(cat "$p" 2>/dev/null | tr '\0' '\n')
    grep -qx "SLURM_CONF=$DIR/slurm.conf" <<<"$env" || continue
    grep -q '^SLURM_JOB_ID=' <<<"$env" || continue
    [[ -z ${1:-} ]] || grep -qx "SLURMD_NODENAME=$1" <<<"$env" || continue
    kill -KILL "$pid" 2>/dev/null
  done
}
