# Shared by backends/*/install.sh, which set TOOL and then source this file.
#
# Everything lands under one folder, so removing that folder undoes an
# installation made without root:
#   $TOOLS/bin   the checkers, where gsmc looks for them
#   $TOOLS/log   what the last installation of each tool printed
#   $TOOLS/root  packages unpacked for a user who cannot install them

# Says where the program is, unless whoever runs this knows.
if [ -z "${GSMC_TOOLS:-}" ]; then
  trap '[ $? -eq 0 ] && echo "gsmc finds $TOOL with: export GSMC_TOOLS=$TOOLS"' EXIT
fi

REPO=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOLS=${GSMC_TOOLS:-$REPO/.tools}
mkdir -p "$TOOLS/bin" "$TOOLS/log" || exit 1
TOOLS=$(cd "$TOOLS" && pwd)
BIN=$TOOLS/bin
LOG=$TOOLS/log/$TOOL.log
UNPACKED=$TOOLS/root

export DEBIAN_FRONTEND=noninteractive LC_ALL=C

have() { command -v "$1" >/dev/null 2>&1; }

is_root() { [ "$(id -u)" -eq 0 ]; }

# Runs a command into the log.
logged() {
  printf '\n$ %s\n' "$*" >>"$LOG"
  "$@" >>"$LOG" 2>&1 </dev/null
}

# Ends the script with the reason and the end of the log.
fail() {
  {
    echo "$TOOL: cannot install: $*"
    if [ -s "$LOG" ]; then
      echo "--- end of $LOG"
      tail -n 15 "$LOG" | cut -c1-300
    fi
  } >&2
  exit 1
}

# Links a working copy that is already on PATH into $BIN.
# adopt NAME CHECK: CHECK is a command that gets the path of the program.
adopt() {
  "$2" "$BIN/$1" && return 0
  local dir found
  local IFS=:
  for dir in $PATH; do
    found=$dir/$1
    [ "$dir" != "$BIN" ] && [ -x "$found" ] && [ ! -d "$found" ] && "$2" "$found" || continue
    ln -sfn "$found" "$BIN/$1" && return 0
  done
  return 1
}

# Installs Debian packages: for the machine as root, otherwise unpacked below $UNPACKED.
packages() {
  have apt-get || return 1
  if is_root; then
    logged apt-get install -y -q --no-install-recommends "$@" && return 0
    logged apt-get update -q
    logged apt-get install -y -q --no-install-recommends "$@"
  else
    unpack "$@"
  fi
}

# Downloads packages and unpacks them; needs no privilege. A machine that never
# refreshed its package lists gets private ones.
unpack() {
  have dpkg || return 1
  local debs deb private
  debs=$(mktemp -d) || return 1
  private=(-o "Dir::State::Lists=$TOOLS/apt/lists" -o "Dir::Cache=$TOOLS/apt/cache")
  mkdir -p "$TOOLS/apt/lists/partial" "$TOOLS/apt/cache/archives/partial" "$UNPACKED"
  if ! (cd "$debs" && logged apt-get download -q "$@"); then
    logged apt-get "${private[@]}" update -q
    (cd "$debs" && logged apt-get "${private[@]}" download -q "$@") || { rm -rf "$debs"; return 1; }
  fi
  for deb in "$debs"/*.deb; do
    logged dpkg -x "$deb" "$UNPACKED" || { rm -rf "$debs"; return 1; }
  done
  rm -rf "$debs"
}
