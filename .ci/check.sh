#!/bin/sh
# Run every static gate, one line for each that passes and the whole output of each that does not.
#
#   .ci/check.sh VENV
#
# All gates run, also after one has failed: who mends one wants to see the others.
set -u
bin=$(cd "$1" && pwd)/bin
failed=0

gate() {
    name=$1
    shift
    if output=$("$@" 2>&1); then
        echo "ok    $name"
    else
        failed=1
        echo "FAIL  $name"
        echo "$output"
    fi
}

in_proto() {
    (cd proto && "$@")
}

gate "format (ruff format)" "$bin/ruff" format --check .
gate "lint (ruff check)" "$bin/ruff" check .
gate "types (mypy --strict)" "$bin/mypy"
gate "imports (lint-imports)" "$bin/lint-imports" --no-logo
gate "API style (buf lint)" in_proto "$bin/buf" lint
# Against the committed image of the API as last released, and not against a branch: in a clone of
# main a comparison with main compares the change with itself and can never fail.
gate "API evolution (buf breaking)" in_proto "$bin/buf" breaking --against released.binpb
gate "generated code is fresh" "$bin/python" proto/generate.py --check

[ "$failed" = 0 ] || echo "make check: a gate failed, see above" >&2
exit "$failed"
