#!/bin/sh
# Compile the rules engine into FOLDER/compiled and run the tests of the rules against that form.
#
#   .ci/compiled.sh FOLDER [ARGUMENT OF PYTEST]...
#
# FOLDER is the virtual environment. Its own install of the SDK stays plain and as it is: the
# compiled one is found first only where PYTHONPATH names it, as here and in bench/engine.py.
set -eu
venv=$(cd "$1" && pwd)
shift
form=$venv/compiled
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT

echo "Compiling the rules (a minute)"
cp -R sdk "$wheels/sdk" # so that building leaves nothing in the clone
ROUNDHOUSE_COMPILE=always "$venv/bin/python" -m pip wheel --quiet --no-deps --no-index \
    --no-build-isolation --wheel-dir "$wheels" "$wheels/sdk"
rm -rf "$form"
"$venv/bin/python" -m pip install --quiet --no-deps --no-index --target "$form" "$wheels"/*.whl

export PYTHONPATH="$form"
"$venv/bin/python" -c 'from roundhouse.rules import state; assert state.__file__.endswith(".so")'
"$venv/bin/python" -m pytest tests/rules "$@"
