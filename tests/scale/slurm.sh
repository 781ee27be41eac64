#!/usr/bin/env bash
# A Slurm cluster of one node on this machine, for the test of examples/scale/slurm.sh: as root, on a Debian-like system that can spare
# a few daemons.
#
#   tests/scale/slurm.sh start   installs and starts it; then: SLURM_CONF=/tmp/gsmc-slurm/slurm.conf cargo test --test scale
#   tests/scale/slurm.sh stop
set -euo pipefail
dir=/tmp/gsmc-slurm

stop() {
  for daemon in slurmd slurmctld; do
    [ -f "$dir/$daemon.pid" ] || continue
    pid=$(cat "$dir/$daemon.pid")
    kill "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
  done
  rm -rf "$dir"
}

start() {
  command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null ||
    apt-get install -y -q --no-install-recommends slurmctld slurmd slurm-client munge
  install -d -o munge -g munge /run/munge
  pgrep -x munged >/dev/null || su -s /bin/sh munge -c /usr/sbin/munged
  mkdir -p "$dir/state" "$dir/spool"
  host=$(hostname -s)
  cat >"$dir/slurm.conf" <<END
ClusterName=gsmc
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
  export SLURM_CONF=$dir/slurm.conf
  slurmctld
  slurmd
  for _ in $(seq 60); do
    sinfo --noheader --states idle 2>/dev/null | grep -q . && break
    sleep 0.5
  done
  sinfo
}

"${1:?start or stop}"
