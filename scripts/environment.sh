# Sourced by serve.sh, test.sh and build.sh from the project's root: makes the virtual environment .venv from the lock
# file, again when the lock, the package's own settings or the folder has changed.
# Needs Python 3.11 or newer with venv; changes nothing outside .venv.

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        if "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            echo "$PYTHON"
            return 0
        fi
        echo "PYTHON=$PYTHON is not a Python 3.11 or newer that can be run." >&2
        return 1
    fi
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    echo "torchnotes needs Python 3.11 or newer, and found none. Install one, or name it: PYTHON=/path/to/python3.12 sh $0" >&2
    return 1
}

make_environment() {
    if [ ! -f scripts/requirements.lock ]; then
        echo "This is not the root of torchnotes: $(pwd)" >&2
        return 1
    fi
    stamp=".venv/.torchnotes-installed"
    wanted=$(pwd && cat scripts/requirements.lock pyproject.toml)
    if [ -x .venv/bin/python ] && [ -f "$stamp" ] && [ "$wanted" = "$(cat "$stamp")" ]; then
        return 0
    fi
    python=$(find_python) || return 1
    echo "Setting up .venv with $("$python" --version 2>&1) (once, about half a minute)" >&2
    if ! "$python" -m venv --clear .venv; then
        echo "Could not make .venv in $(pwd). Where the venv module is missing, on Debian and Ubuntu: apt install python3-venv" >&2
        return 1
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r scripts/requirements.lock &&
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . &&
        printf '%s\n' "$wanted" >"$stamp"
}
