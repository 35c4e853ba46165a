#!/bin/sh
# Write requirements.lock (to run) and requirements-dev.lock (to develop, a superset of it).
#
#   .ci/lock.sh VENV [--upgrade]
#
# uv, because it resolves once for every platform and Python that we support, where pip's own
# resolver knows only the machine that it runs on. It is needed nowhere else, so not in the locks.
set -eu
python=$1/bin/python
shift

"$python" -m pip install -qq uv
compile() {
    "$python" -m uv pip compile --quiet --no-progress --universal --python-version 3.11 \
        --generate-hashes --custom-compile-command "make lock" \
        --no-emit-package roundhouse-sdk pyproject.toml "$@"
}

# The larger set first: grpcio-tools holds back protobuf, and both locks must agree on it.
compile --group dev --output-file requirements-dev.lock "$@"
compile --group build --constraints requirements-dev.lock --output-file requirements.lock
