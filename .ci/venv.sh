#!/bin/sh
# Install the packages of a lock file and both distributions of this clone into a virtual environment.
#
#   .ci/venv.sh FOLDER LOCK
#
# Only what the machine surely has is used: a shell and some Python. The package index is the one
# that the user's own pip is configured for.
set -eu
venv=$1
lock=$2

give_up() {
    echo "roundhouse: $*" >&2
    exit 1
}

is_recent() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# The system's interpreter comes first: bots run in sandboxes as another user, who cannot read an
# interpreter that was installed into somebody's home folder.
find_python() {
    for python in ${PYTHON:-/usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11}; do
        if is_recent "$python"; then
            echo "$python"
            return
        fi
    done
    give_up "Python 3.11 or newer is needed, and ${PYTHON:-python3} is" \
        "$("${PYTHON:-python3}" --version 2>&1 || true); install one or name it with make PYTHON=..."
}

# Debian splits `ensurepip` off into python3-venv, so there are three ways to a pip inside.
make_venv() {
    python=$(find_python)
    rm -rf "$venv"
    "$python" -m venv "$venv" >/dev/null 2>&1 && return
    rm -rf "$venv"
    "$python" -m venv --without-pip "$venv"
    "$python" -m pip --python "$venv/bin/python" install --quiet pip >/dev/null 2>&1 && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing python3-venv with apt-get"
        { apt-get update || true; apt-get install --yes --no-install-recommends python3-venv; } \
            >/dev/null 2>&1 || true
        rm -rf "$venv"
        "$python" -m venv "$venv" >/dev/null 2>&1 && return
    fi
    rm -rf "$venv"
    give_up "$python has neither pip nor ensurepip; install Debian's python3-venv and try again"
}

"$venv/bin/python" -m pip --version >/dev/null 2>&1 || make_venv

echo "Installing $lock into $venv (half a minute, once)"
# The lock is complete, so pip has nothing to resolve; each file must have the hash of the lock.
"$venv/bin/python" -m pip install -qq --no-deps --require-hashes --requirement "$lock" ||
    give_up "pip could not install $lock; its message stands above"
# Without build isolation the build back end comes from the lock as well.
"$venv/bin/python" -m pip install -qq --no-deps --no-build-isolation -e sdk -e . ||
    give_up "pip could not install this clone; its message stands above"
