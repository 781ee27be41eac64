#!/usr/bin/env bash
# Runs every test. Installs SPIN, NuSMV, z3, cvc5 and a browser first where that is possible;
# tests that need a missing tool skip themselves and are listed by name at the end.
#
#   tests/run.sh [ARGUMENTS FOR THE TEST PROGRAMS]
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

export GSMC_TOOLS=${GSMC_TOOLS:-$PWD/.tools}
GSMC_SKIPPED=$(mktemp) && built=$(mktemp) && programs=$(mktemp) || exit 1
export GSMC_SKIPPED
trap 'rm -f "$GSMC_SKIPPED" "$built" "$programs"' EXIT

# Compiling takes minutes and installing waits for the network: both at once.
cargo test --no-run >"$built" 2>&1 &
building=$!

for tool in spin nusmv z3 cvc5; do
  echo "Installing $tool where it is missing"
  "backends/$tool/install.sh" || echo "Without $tool: the tests that need it will be skipped."
done
echo "Installing what the browser tests need where it is missing"
tests/browser/install.sh || echo "Without it: the browser tests will be skipped."
echo "Installing GNU parallel where it is missing"
tests/scale/install.sh || echo "Without it: its test will be skipped."
export PATH=$GSMC_TOOLS/bin:$PATH
command -v "${GSMC_MCMAS:-mcmas}" >/dev/null ||
  echo "Without mcmas (see backends/mcmas/README.md): the tests that need it will be skipped."

echo "Waiting for the compiler"
wait "$building" || { cat "$built"; echo "The tests do not compile."; exit 1; }

# The test programs one after the other would leave a core idle at the end of each, and the browser's for long: two rows of them,
# of about the same length.
status=0
cargo test --no-fail-fast --test '[!a]*' -- "$@" >"$programs" 2>&1 &
beside=$!
cargo test --no-fail-fast --lib --bins --examples --test 'a*' -- "$@" || status=1
cargo test --no-fail-fast --doc -- "$@" || status=1
wait "$beside" || status=1
cat "$programs"

echo
if [ -s "$GSMC_SKIPPED" ]; then
  echo "Tests skipped because a tool is missing:"
  sort -u "$GSMC_SKIPPED" | sed 's/^/  /'
else
  echo "No test was skipped."
fi
[ $status -eq 0 ] && echo "All tests that ran passed." || echo "Some tests FAILED."
exit $status
