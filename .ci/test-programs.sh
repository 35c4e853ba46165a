#!/bin/sh
# Install the programs that tests drive (PostgreSQL, Redis, Chromium, runc, gVisor, and what builds
# bots in JavaScript and C++) where that can be done.
#
# Only Debian's packages, only what is missing, and only for who may install them. Elsewhere tests
# run the servers out of wheels, or are skipped with the reason; with CI=true they fail instead.
set -eu

packages=
set -- /usr/lib/postgresql/*/bin/initdb
[ -x "$1" ] || command -v initdb >/dev/null || packages="$packages postgresql"
command -v redis-server >/dev/null || packages="$packages redis-server"
# Chromium without any font would draw the pages of the site with empty boxes.
command -v chromium >/dev/null || packages="$packages chromium fonts-dejavu-core"
# Where bots in the sandbox find programs: a Node in somebody's home folder is of no use to them.
in_sandbox() {
    PATH=/usr/local/bin:/usr/bin:/bin command -v "$1" >/dev/null
}
in_sandbox node || packages="$packages nodejs"
in_sandbox npm || packages="$packages npm"
in_sandbox g++ || packages="$packages g++"
in_sandbox grpc_cpp_plugin || packages="$packages protobuf-compiler-grpc"
[ -e /usr/include/grpcpp/grpcpp.h ] || packages="$packages libgrpc++-dev"
[ -e /usr/include/google/protobuf/message_lite.h ] || packages="$packages libprotobuf-dev"
PATH="$PATH:/usr/sbin" command -v runc >/dev/null || packages="$packages runc"
# Not in every release of Debian, so that it is asked for only where it is.
optional=
PATH="$PATH:/usr/sbin" command -v runsc >/dev/null || optional=runsc
[ -n "$packages$optional" ] || exit 0
command -v apt-get >/dev/null || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif sudo --non-interactive true 2>/dev/null; then
    as_root="sudo --non-interactive"
else
    echo "Not installed, for want of root:$packages $optional; tests that need them may be skipped"
    exit 0
fi

# Debian starts a server as soon as it is installed unless this file forbids it. Tests start their
# own, and none may be left running.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap '$as_root rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
    $as_root chmod +x "$policy"
fi

log=$(mktemp)
# An unreachable third-party source makes `update` fail though Debian's own lists are there.
$as_root apt-get update >"$log" 2>&1 || true
if [ -n "$optional" ] && apt-cache show "$optional" >/dev/null 2>&1; then
    packages="$packages $optional"
fi
if [ -z "$packages" ]; then
    rm -f "$log"
    exit 0
fi
echo "Installing$packages with apt-get (once)"
if ! $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends $packages >>"$log" 2>&1; then
    tail -n 5 "$log" >&2
    echo "apt-get could not install$packages; tests that need them may be skipped" >&2
fi
rm -f "$log"
