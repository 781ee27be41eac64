#!/bin/sh
# Records what the real tools say about the models in backends/*/transcripts/models: deadlocks, overflow, out of memory, cut off.
# The parser tests read the results. Run it where NuSMV, spin, gcc and mcmas are on PATH; differences show what another version says.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" || exit 1

nusmv() { # NAME MODEL CHECKS [PREFIX...]: one run of NuSMV, its output as NAME.out and NAME.err
  name=$1 model=$2 checks=$3; shift 3
  cp "$here/nusmv/transcripts/models/$model" .
  printf '%s\n' "set on_failure_script_quits 1" "set prop_print_method name" "set default_trace_plugin 4" \
    "read_model -i $model" flatten_hierarchy encode_variables build_model >run.cmd
  for q in $checks; do echo "check_ctlspec -P $q" >>run.cmd; done
  printf '%s\n' "echo gsmc-all-checked" quit >>run.cmd
  "$@" NuSMV -source run.cmd >"$here/nusmv/transcripts/$name.out" 2>"$here/nusmv/transcripts/$name.err"
}
nusmv deadlock deadlock.smv q_never
nusmv overflow overflow.smv q_never
nusmv memory big.smv "q_first q_second" prlimit --as=204800000
nusmv timeout big.smv "q_first q_second" timeout 4

pan() { # NAME MODEL [ARGUMENTS...]: the verifier of a model
  name=$1 model=$2; shift 2
  cp "$here/spin/transcripts/models/$model" . && rm -f pan*
  spin -a -o2 -o3 "$model" >/dev/null 2>&1
  gcc -O0 -w -DNOREDUCE -o pan pan.c
  $before ./pan -n "$@" >"$here/spin/transcripts/pan-$name.out" 2>"$here/spin/transcripts/pan-$name.err"
}
before=
pan safety claims.pml -a -m1000 -N l_never
pan several claims.pml -a -m1000 -N l_always_below
pan deadlock deadlock.pml -m1000
pan overflow overflow.pml -a -m1000
pan count deadlock.pml -m1000 -E
before="timeout -s INT 1"
pan interrupted big.pml -a -m1000000
before="timeout 1"
pan timeout big.pml -a -m1000000
cp "$here/spin/transcripts/models/broken.pml" .
spin -a broken.pml >"$here/spin/transcripts/spin-error.out" 2>"$here/spin/transcripts/spin-error.err"

mcmas_on() { # NAME ARGUMENTS...: one run of MCMAS
  name=$1; shift
  cp "$here"/mcmas/transcripts/models/*.ispl .
  "$@" >"$here/mcmas/transcripts/$name.out" 2>"$here/mcmas/transcripts/$name.err"
}
mcmas_on deadlock mcmas -k deadlock.ispl
mcmas_on overflow mcmas -k -a overflow.ispl
mcmas_on memory prlimit --as=102400000 mcmas -o 2 -g 1 big.ispl
mcmas_on timeout timeout 5 mcmas big.ispl
mcmas_on missing mcmas nowhere.ispl
exit 0
