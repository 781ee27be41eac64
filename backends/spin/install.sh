#!/usr/bin/env bash
# Installs SPIN, with the C compiler its verifiers need. Safe to run again.
set -u
TOOL=spin
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

answers() { [ -x "$1" ] && "$1" -V 2>/dev/null </dev/null | grep -q '^Spin Version'; }

compiles() {
  local dir status
  dir=$(mktemp -d) || return 1
  echo '#include <stdio.h>
int main(void) { return printf("x") != 1; }' >"$dir/x.c"
  logged gcc -o "$dir/x" "$dir/x.c" && logged "$dir/x"
  status=$?
  rm -rf "$dir"
  return $status
}

: >"$LOG"
if ! compiles; then
  is_root || fail "it needs gcc with the C library headers, and only root can install those"
  packages gcc libc6-dev && compiles || fail "it needs gcc with the C library headers"
fi
adopt spin answers && exit 0

packages spin || fail "the package 'spin' is not available here;
  install SPIN 6.5 by hand and put it on PATH, or point GSMC_SPIN at it"
is_root || PATH=$UNPACKED/usr/bin:$PATH
adopt spin answers || fail "the installed spin does not answer its version"
