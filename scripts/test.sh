#!/bin/sh
# Sets up what is needed and runs every check: sh scripts/test.sh [--no-browser] [options of pytest]
set -eu
unset CDPATH
cd -- "$(dirname -- "$0")/.."
. scripts/environment.sh
make_environment

browser=yes
if [ "${1:-}" = "--no-browser" ]; then
    browser=no
    shift
fi

find_browser() {
    for candidate in "${TORCHNOTES_BROWSER:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

install_browser() {
    command -v apt-get >/dev/null 2>&1 || return 1
    if [ "$(id -u)" = 0 ]; then
        as_root=""
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo"
    else
        return 1
    fi
    echo "Installing Chromium from Debian's packages for the browser tests" >&2
    $as_root apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq chromium >/dev/null
}

if [ "$browser" = yes ]; then
    if ! TORCHNOTES_BROWSER=$(find_browser) && ! { install_browser && TORCHNOTES_BROWSER=$(find_browser); }; then
        echo "The browser tests need Chromium or Chrome, and none was found: install one, or run without them: sh scripts/test.sh --no-browser" >&2
        exit 1
    fi
    export TORCHNOTES_BROWSER
fi

.venv/bin/python -m torchnotes check
.venv/bin/python -m torchnotes format --check
.venv/bin/python -m ruff check scripts
.venv/bin/python -m ruff format --check scripts
.venv/bin/python -m mypy
# As many tests at once as there are processors; `-n 0` among the options runs one after the other.
set -- -n auto --dist worksteal "$@"
if [ "$browser" = yes ]; then
    exec .venv/bin/python -m pytest "$@"
fi
exec .venv/bin/python -m pytest -m "not browser" "$@"
