#!/usr/bin/env bash
# parallel.sh PARTS MODEL [OPTION…]: checks MODEL in PARTS parts with GNU parallel, as many at a time as there are cores, and puts the
# answers together. HOSTS="a,b" spreads them over machines that have gsmc and MODEL at the same places; GSMC names the program.
set -euo pipefail
parts=$1
shift
gsmc=${GSMC:-gsmc}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# A part that finds something wrong ends with 1, one that leaves something open with 3: merge looks at the answers, not at that.
parallel ${HOSTS:+--sshlogin "$HOSTS"} --will-cite --quote --results "$dir/part-{}" \
  "$gsmc" check "$@" --partition "{}/$parts" --format json ::: $(seq "$parts") >"$dir/out" 2>"$dir/err" || true
there=()
for part in $(seq "$parts"); do
  if [ -s "$dir/part-$part" ]; then there+=("$dir/part-$part"); else cat "$dir/part-$part.err" >&2; fi
done
"$gsmc" merge ${there[@]+"${there[@]}"} ${FORMAT:+--format "$FORMAT"}
