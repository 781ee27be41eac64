#!/usr/bin/env bash
# Installs GNU parallel for the test of examples/scale/parallel.sh. Safe to run again.
set -u
TOOL=parallel
. "$(dirname "${BASH_SOURCE[0]}")/../../backends/common.sh"

: >"$LOG"
have parallel && exit 0
is_root || fail "only root can install it"
packages parallel && have parallel || fail "the package 'parallel' is not available here"
