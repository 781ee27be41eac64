#!/usr/bin/env bash
# slurm.sh PARTS MODEL [OPTION…]: the same as an array of PARTS jobs under Slurm; FOLDER is one that all nodes see.
set -euo pipefail
parts=$1
shift
gsmc=${GSMC:-gsmc}
dir=$(mktemp -d "${FOLDER:-$PWD}/gsmc-parts.XXXXXX")
command=$(printf '%q ' "$gsmc" check "$@")
# --wait: ends when all jobs have; a job's exit code is that of its part, which merge does not need.
sbatch --wait --quiet --array="1-$parts" --output="$dir/%a.log" \
  --wrap "$command --partition \$SLURM_ARRAY_TASK_ID/$parts --format json -o $(printf '%q' "$dir")/\$SLURM_ARRAY_TASK_ID.json" || true
shopt -s nullglob
"$gsmc" merge "$dir"/*.json ${FORMAT:+--format "$FORMAT"}
rm -r "$dir"
