#!/usr/bin/env bash
# Installs the SMT solver cvc5, a second opinion beside z3. Safe to run again.
set -u
TOOL=cvc5
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

answers() { [ -x "$1" ] && echo '(check-sat)' | "$1" --lang=smt2 2>/dev/null | grep -q '^sat'; }

: >"$LOG"
adopt cvc5 answers && exit 0
packages cvc5 || fail "the package 'cvc5' is not available here;
  install cvc5 1.0 or later by hand and put it on PATH, or point GSMC_CVC5 at it"
is_root || PATH=$UNPACKED/usr/bin:$PATH
adopt cvc5 answers || fail "the installed cvc5 does not answer"
