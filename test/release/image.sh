# The image, built twice without a daemon from a base of Debian's packages, and run by podman as docs/deploy has it.
# Root is needed; `bash test/release/image.sh dist/release/ventanilla-…-linux-x64`.
. "$(dirname "$0")/checks.sh"

needs iptables iptables mmdebstrap mmdebstrap buildah buildah podman podman runc runc podman-compose podman-compose
begin "$1"
root=$(realpath "$here/../..")
# What podman and buildah keep is this walk's own.
cat >"$work/storage.conf" <<CONF
[storage]
driver = "overlay"
graphroot = "$work/store"
runroot = "$work/run"
CONF
cat >"$work/containers.conf" <<CONF
[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
runtime = "runc"
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = "$work/networks"
CONF
export CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf
on_end+=('podman rm --all --force --time 1 >/dev/null 2>&1; podman volume prune --force >/dev/null 2>&1; umount "$work/store/overlay" 2>/dev/null')

export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
base=${VENTANILLA_WALK_BASE:-$work/base.tar}
make_base() {
  [ -s "$base" ] || mmdebstrap --format=tar --variant=minbase --include=ca-certificates,tzdata bookworm "$base" >"$work/base.log" 2>&1
}
build() {
  local container
  container=$(buildah from scratch) && buildah add --quiet "$container" "$base" / >/dev/null &&
    buildah commit --quiet --timestamp "$SOURCE_DATE_EPOCH" "$container" localhost/base:bookworm >/dev/null && buildah rm "$container" >/dev/null &&
    mkdir -p "$work/context/dist" && cp "$executable" "$work/context/dist/ventanilla" &&
    buildah bud --quiet --isolation chroot --format docker --timestamp "$SOURCE_DATE_EPOCH" --no-cache --from localhost/base:bookworm \
      --file "$root/docs/deploy/Dockerfile" --tag "localhost/ventanilla:$1" "$work/context"
}
id_of() { podman image inspect --format '{{.Id}}' "localhost/ventanilla:$1"; }

check 'a base is made of Debian packages' make_base
check 'the Dockerfile is built without a daemon' build latest
layers_of() { podman image inspect --format '{{range .RootFS.Layers}}{{println .}}{{end}}' "localhost/ventanilla:$1"; }
# Its id is another one: the format that has a health check notes the container of the build, too.
check 'built again its files are the same' eval 'build again && diff <(layers_of latest) <(layers_of again)'
echo "# image $(id_of latest), $(podman image inspect --format '{{.Size}}' localhost/ventanilla:latest | awk '{printf "%.0f MB", $1 / 1e6}'), base $(podman image inspect --format '{{.Size}}' localhost/base:bookworm | awk '{printf "%.0f MB", $1 / 1e6}')"
check 'it does not run as root' prints '^10001:10001$' podman image inspect --format '{{.User}}' localhost/ventanilla:latest
check 'it says how its health is looked at' prints 'healthz' podman image inspect --format '{{.HealthCheck}}' localhost/ventanilla:latest

port=$((20000 + RANDOM % 20000))
run() {
  podman run --detach --name walk --read-only --cap-drop=all --security-opt=no-new-privileges --volume walk:/var/lib/ventanilla \
    --publish 127.0.0.1:$port:8080 localhost/ventanilla:latest
}
inside() { podman exec walk "$@"; }
ready() { curl -sf "http://127.0.0.1:$port/readyz"; }
check 'it runs on a read-only root, without any capability' run
check '… and is reached from outside' within 40 ready
check 'its health is well' within 20 podman healthcheck run walk
check 'nothing but its volume can be written' refused inside bash -c 'touch /usr/.walk || touch /etc/.walk'
check 'commands reach it' inside ventanilla verify
# A sandbox makes its demo parties itself.
order() {
  podman exec --interactive walk ventanilla request --as mk_demo POST /api/v1/merchants/orders/pay-in/ - --json <<<'{
    "order_type": "LocalCurrencyOrder", "country": "MX", "price": "300.00", "price_currency": "MXN", "description": "A jacket", "merchant_order_id": "walk-1",
    "notify_url": "https://shop.example/webhooks", "return_url": "https://shop.example/thanks", "expiry": "2099-01-01T00:00:00Z"}'
}
check 'an order is made' prints '"status": 201' order
check 'stopped, it ends by itself and in order' eval 'podman stop --time 45 walk && [ "$(podman inspect --format "{{.State.ExitCode}}" walk)" = 0 ]'
check 'removed and run anew, it has its orders' eval 'podman rm walk && run && within 40 ready && inside ventanilla verify | grep -E "orders +yes +1 orders"'
podman rm --force --time 1 walk >/dev/null 2>&1

# As an operator has it: settings and key of `init`, by the compose file.
mkdir "$work/compose" && cp "$root/docs/deploy/compose.yaml" "$work/compose/"
"$executable" init "$work/compose/settings" --public-url https://pay.example --state-folder /var/lib/ventanilla >/dev/null
chown -R 10001:10001 "$work/compose/settings"
compose() { (cd "$work/compose" && podman-compose "$@"); }
check 'the compose file brings it up' compose up --detach
check '… in production, and it serves' within 40 curl -sf http://127.0.0.1:8080/readyz
[ "$failed" -eq 0 ] || podman logs --tail 20 "$(podman ps --all --quiet | head -n 1)" 2>&1 | sed 's/^/        /'
check '… and goes down' compose down
finish
