# Sourced by scripts/demo and scripts/test: sets up .venv once, and again when pyproject.toml or
# the pins change. POSIX sh; needs Python 3.11 or newer and a package index, nothing else.

fail() {
    printf 'error: %s\n' "$1" >&2
    [ -n "${2:-}" ] && printf 'hint: %s\n' "$2" >&2
    exit 3
}

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python; do
        [ -n "$candidate" ] || continue
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return
    done
    fail "no Python 3.11 or newer found" "install one, or name it: PYTHON=/path/to/python3 $0"
}

# in_venv WHAT ARGUMENTS…: installs with pip unless WHAT was installed from these same files.
in_venv() {
    what=$1
    shift
    [ -x .venv/bin/python ] || {
        find_python
        echo "setting up .venv with $("$candidate" --version)" >&2
        "$candidate" -m venv .venv || fail "the virtual environment cannot be made" \
            "on Debian: apt install python3-venv"
    }
    stamp=.venv/installed-$what
    now=$(cat pyproject.toml .ci/constraints.txt | cksum)
    [ "$(cat "$stamp" 2>/dev/null)" = "$now" ] && return
    echo "installing ($what) …" >&2
    # CI installs the exact versions written down; everybody else the newest that fit.
    [ "${CI:-}" = true ] && set -- --constraint .ci/constraints.txt "$@"
    .venv/bin/python -m pip install --quiet --upgrade 'pip>=25.1' &&
        .venv/bin/python -m pip install --quiet "$@" ||
        fail "the installation failed" "see above what pip says"
    printf '%s\n' "$now" >"$stamp"
}
