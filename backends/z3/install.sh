#!/usr/bin/env bash
# Installs the SMT solver z3: Debian's package, else the program inside PyPI's
# z3-solver. Safe to run again.
set -u
TOOL=z3
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

answers() { [ -x "$1" ] && echo '(check-sat)' | "$1" -in 2>/dev/null | grep -q '^sat'; }

# The wheel of z3-solver carries z3 itself; nothing of Python is needed to run it.
from_pypi() {
  local dir wheel found
  have pip3 || have pip || return 1
  dir=$(mktemp -d) || return 1
  logged "$(command -v pip3 || command -v pip)" download --no-deps --only-binary :all: -d "$dir" z3-solver
  wheel=$(ls "$dir"/*.whl 2>/dev/null | head -n 1)
  [ -n "$wheel" ] && (cd "$dir" && logged python3 -m zipfile -e "$wheel" .)
  found=$(find "$dir" -path '*bin/z3' -type f | head -n 1)
  [ -n "$found" ] && chmod +x "$found" && answers "$found" && cp "$found" "$BIN/z3"
  rm -rf "$dir"
  answers "$BIN/z3"
}

: >"$LOG"
adopt z3 answers && exit 0
if packages z3; then
  is_root || PATH=$UNPACKED/usr/bin:$PATH
  adopt z3 answers && exit 0
fi
from_pypi || fail "neither the Debian package 'z3' nor PyPI's 'z3-solver' is available here;
  install z3 4.8 or later by hand and put it on PATH, or point GSMC_Z3 at it"
