#!/bin/sh
# Sets up what is needed and serves the site: sh scripts/serve.sh [options of `mkdocs serve`]
set -eu
unset CDPATH
cd -- "$(dirname -- "$0")/.."
. scripts/environment.sh
make_environment
export NO_MKDOCS_2_WARNING=1
if [ $# = 0 ]; then
    echo "The site will be at http://127.0.0.1:8000/torchnotes/ (another port: sh scripts/serve.sh -a 127.0.0.1:8001)" >&2
fi
exec .venv/bin/python -m mkdocs serve "$@"
