#!/bin/sh
# Sets up what is needed and builds the site strictly: sh scripts/build.sh [options of `mkdocs build`]
set -eu
unset CDPATH
cd -- "$(dirname -- "$0")/.."
. scripts/environment.sh
make_environment
export NO_MKDOCS_2_WARNING=1
exec .venv/bin/python -m mkdocs build --strict "$@"
