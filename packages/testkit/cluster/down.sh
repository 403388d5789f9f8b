#!/bin/bash
# Stops exactly what up.sh started in CLUSTER_DIR: cancels all jobs, then stops the daemons by their pid files. Queue
# numbering, accounting records, keys and home directories stay for the next up.sh.
#   --keep-jobs   leave pending jobs in the queue (running ones end as with a power cut)
#   --purge       the same, and remove the directory and the users up.sh created
set -u -o pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/lib.sh"
check_dir
PURGE=0 KEEP=0
for a in "$@"; do
  case $a in --purge) PURGE=1 KEEP=1 ;; --keep-jobs) KEEP=1 ;; *) die "unknown argument $a" ;; esac
done
[[ -e $DIR/.cluster ]] || { log "nothing in $DIR"; exit 0; }
take_lock "$@"
export SLURM_CONF=$DIR/slurm.conf

# 1. sshd and its open sessions
if pid=$(pid_of sshd sshd); then
  sessions=$(tree_of "$pid")
  stop_one sshd sshd 5
  for c in $sessions; do kill -TERM "$c" 2>/dev/null; done
fi

# 2. jobs
if (( ! KEEP )) && pid_of slurmctld slurmctld >/dev/null; then
  ids=$(timeout 10 squeue -h -o %A 2>/dev/null | sort -u)
  [[ -z $ids ]] || timeout 10 scancel --quiet $ids 2>/dev/null
  gone() { [[ -z $(timeout 5 squeue -h -t running,completing,suspended 2>/dev/null) ]]; }
  wait_for 8 "jobs to end" gone
fi

# 3. daemons, node side first
for f in "$DIR"/run/slurmd.*.pid; do
  [[ -e $f ]] || continue
  n=$(basename "$f" .pid); stop_one "$n" slurmd 10
done
kill_steps   # whatever outlived its slurmd
stop_one slurmctld slurmctld 20
stop_one slurmdbd slurmdbd 20
stop_one mariadbd mariadbd 30
stop_one munged munged 10
rm -f "$DIR/facts.json"

if (( PURGE )); then
  if [[ -s $DIR/created-users ]]; then
    sort -u "$DIR/created-users" | while read -r u; do
      # what a login left running (its command line is its own) would keep userdel from its work
      for p in $(find /proc -maxdepth 1 -name '[0-9]*' -user "$u" -printf '%f ' 2>/dev/null); do kill -KILL "$p" 2>/dev/null; done
      userdel -f "$u" 2>/dev/null
    done
  fi
  [[ -s $DIR/control-group ]] && rmdir "$(cat "$DIR/control-group")" 2>/dev/null
  rm -rf --one-file-system "$DIR"
  log "purged $DIR"
else
  log "down (state kept in $DIR)"
fi
