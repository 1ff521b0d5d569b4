# The operator's guide, line by line, on a fresh Debian that is booted: each command that it tells root to type succeeds, and
# prints what the guide says. Root is needed; `bash test/release/guide.sh dist/release/ventanilla-…-linux-x64 [--record]`.
. "$(dirname "$0")/checks.sh"
. "$here/booted.sh"

needs mmdebstrap mmdebstrap systemd-nspawn systemd-container nsenter util-linux
begin "$1"
make_debian || exit 1
# What somebody has copied there: the version to install, and the one to upgrade to.
cp "$executable" "$tree/root/ventanilla"
cp "$executable" "$tree/root/ventanilla-new"
boot || { tail "$work/nspawn.log"; echo 'not run: the tree does not boot'; exit 3; }
root=$(realpath "$here/../..")
"$root/node_modules/.bin/node" "$here/guide.ts" "$leader" "${@:2}"
code=$?
inside systemctl poweroff
wait "$nspawn" 2>/dev/null
leader=
exit "$code"
