#!/usr/bin/env bash
# Builds NuSMV 2.5.4 from source, about two minutes. Safe to run again.
#
# The source tarball travels inside the source distribution of the Python
# package pynusmv. Where pip cannot reach it, give the tarball by hand:
#   GSMC_NUSMV_TARBALL=NuSMV-2.5.4.tar.gz backends/nusmv/install.sh
set -u
TOOL=nusmv
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

SDIST='pynusmv==1.0rc8 --hash=sha256:35af7cdd25dfc8dc357770f0764b2cb726aed219200bba2e58c25318b2425aa1'
TARBALL_SHA256=3c250624cba801b1f62f50733f9507b0f3b3ca557ce1cd65956178eb273f1bdf

# The code is C of 2011: the dialect of its day, tentative definitions shared
# between files (-fcommon), conversions that newer compilers reject.
CFLAGS='-O2 -std=gnu89 -fcommon -w -Wno-int-conversion -Wno-incompatible-pointer-types'

answers() { [ -x "$1" ] && "$1" -h 2>&1 </dev/null | grep -q 'This is NuSMV'; }

pip() {
  if python3 -m pip --version >/dev/null 2>&1; then
    python3 -m pip "$@"
  else
    command pip "$@"
  fi
}

# flex, bison and m4 of an unpacked package must be told where they live.
build_tools() {
  local missing=() program
  for program in flex bison m4; do have $program || missing+=($program); done
  if [ ${#missing[@]} -gt 0 ]; then
    packages "${missing[@]}" || fail "it needs ${missing[*]}"
    if ! is_root; then
      export PATH=$UNPACKED/usr/bin:$PATH
      [ -x "$UNPACKED/usr/bin/m4" ] && export M4=$UNPACKED/usr/bin/m4
      [ -x "$UNPACKED/usr/bin/bison" ] && export BISON_PKGDATADIR=$UNPACKED/usr/share/bison
    fi
  fi
  if ! have gcc || ! have make; then
    is_root || fail "it needs gcc and make, and only root can install those"
    packages gcc libc6-dev make || fail "it needs gcc and make"
  fi
  for program in flex bison m4 gcc make; do
    have $program && logged $program --version || fail "$program does not run"
  done
}

# Leaves NuSMV-2.5.4.tar.gz in the current folder.
source_tarball() {
  if [ -n "${GSMC_NUSMV_TARBALL:-}" ]; then
    logged cp "$(cd "$started_in" && realpath -- "$GSMC_NUSMV_TARBALL")" NuSMV-2.5.4.tar.gz || fail "cannot read $GSMC_NUSMV_TARBALL"
  else
    if ! pip --version >/dev/null 2>&1; then
      packages python3-pip || fail "it needs pip to fetch its source"
      is_root || export PYTHONPATH=$UNPACKED/usr/lib/python3/dist-packages
    fi
    echo "$SDIST" >sdist.txt
    logged pip download --no-deps --no-binary pynusmv -d . -r sdist.txt ||
      fail "pip cannot fetch the source; set GSMC_NUSMV_TARBALL to a copy of NuSMV-2.5.4.tar.gz"
    logged tar xzf pynusmv-*.tar.gz --strip-components=3 --wildcards '*/NuSMV-2.5.4.tar.gz' ||
      fail "the source distribution holds no NuSMV tarball"
  fi
  echo "$TARBALL_SHA256  NuSMV-2.5.4.tar.gz" >expected.sha256
  logged sha256sum -c expected.sha256 ||
    fail "the source tarball is not the expected NuSMV 2.5.4"
}

build() {
  logged tar xzf NuSMV-2.5.4.tar.gz || fail "cannot unpack the source"
  # wait(2) has filled an int since POSIX; the union is gone from the headers
  sed -i 's/union wait status/int status/' NuSMV-2.5.4/cudd-*/util/pipefork.c
  (cd NuSMV-2.5.4/cudd-* && logged make -j"$JOBS" -f Makefile_64bit ICFLAGS="$CFLAGS") ||
    fail "its decision diagram library does not compile"
  (cd NuSMV-2.5.4/nusmv &&
    logged ./configure CFLAGS="$CFLAGS" --disable-readline --disable-expat --disable-dependency-tracking &&
    logged make -j"$JOBS") || fail "it does not compile"
}

adopt NuSMV answers && exit 0

: >"$LOG"
[ "$(getconf LONG_BIT)" = 64 ] || fail "the build is prepared for 64-bit machines only"
JOBS=$(nproc 2>/dev/null || echo 1)
started_in=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
build_tools
source_tarball
build
# one rename, so that an interrupted run leaves no half-written program
cp NuSMV-2.5.4/nusmv/NuSMV "$BIN/.NuSMV.$$" && strip "$BIN/.NuSMV.$$" 2>>"$LOG"
mv -f "$BIN/.NuSMV.$$" "$BIN/NuSMV" || fail "cannot write $BIN/NuSMV"
answers "$BIN/NuSMV" || fail "the built program does not answer its version"
