#!/usr/bin/env bash
# Installs what the browser tests need: chromium, node and playwright-core.
# Safe to run again. Without root or a network it says what is missing and
# fails; the browser tests then report themselves as skipped.
set -u
TOOL=browser
. "$(dirname "${BASH_SOURCE[0]}")/../../backends/common.sh"
HERE=$REPO/tests/browser
MODULES=$TOOLS/browser

browser() { have chromium || have chromium-browser || have google-chrome; }

node_works() { have node && logged node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'; }

# Are the modules there, from this very lock file?
modules() {
  cmp -s "$HERE/package-lock.json" "$MODULES/package-lock.json" && [ -f "$MODULES/node_modules/playwright-core/package.json" ]
}

: >"$LOG"
if ! browser; then
  is_root || fail "chromium is missing, and only root can install it"
  packages chromium && browser || fail "the package 'chromium' is not available here"
fi
if ! node_works; then
  is_root || fail "node 18 or newer is missing, and only root can install it"
  packages nodejs && node_works || fail "node 18 or newer is not available here"
fi
modules && exit 0

if ! have npm; then
  is_root || fail "npm is missing, and only root can install it"
  packages npm && have npm || fail "the package 'npm' is not available here"
fi
# Made aside, so that an installation that breaks off is not taken for a whole one.
rm -rf "$MODULES.new" && mkdir -p "$MODULES.new" || fail "$MODULES.new cannot be made"
cp "$HERE/package.json" "$HERE/package-lock.json" "$MODULES.new" || fail "$MODULES.new cannot be written"
(cd "$MODULES.new" && logged timeout 300 npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=2000) || fail "npm cannot fetch playwright-core"
rm -rf "$MODULES" && mv "$MODULES.new" "$MODULES" && modules || fail "the modules are not complete"
