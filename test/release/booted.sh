# A fresh Debian, made of its packages and booted by systemd-nspawn, for the walks that source this.

# The tree's packages are brought once and kept as an archive.
debian_archive=${VENTANILLA_WALK_DEBIAN:-${TMPDIR:-/tmp}/ventanilla-walk-debian.tar}
tree=$work/debian

make_debian() {
  if [ ! -s "$debian_archive" ]; then
    mmdebstrap --format=tar --variant=minbase --include=systemd,systemd-sysv,dbus,curl,ca-certificates,iproute2,procps,jq,rsync,age \
      bookworm "$debian_archive.new" >"$work/mmdebstrap.log" 2>&1 || {
      tail "$work/mmdebstrap.log"
      return 1
    }
    mv "$debian_archive.new" "$debian_archive"
  fi
  mkdir "$tree" && tar -xf "$debian_archive" -C "$tree" && mkdir -p "$tree/var/log/journal"
}

# boot: starts it and waits until systemd says that it runs; `$leader` is its PID 1 as this machine sees it.
boot() {
  systemd-nspawn --quiet --directory="$tree" --boot --register=no --keep-unit --console=pipe --private-network \
    --hostname=walk </dev/null >>"$work/nspawn.log" 2>&1 &
  nspawn=$!
  within 30 found_leader && within 60 prints '^(running|degraded)$' inside systemctl is-system-running
}

found_leader() {
  leader=$(pgrep -P "$nspawn" -x systemd)
}

# inside COMMAND…: as root on the booted tree.
inside() {
  nsenter --target "$leader" --all -- env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    VENTANILLA_CONFIG=/etc/ventanilla/ventanilla.json "$@"
}

inside_sh() {
  inside bash -c "$1"
}

power_cut() {
  kill -KILL "$leader" 2>/dev/null
  wait "$nspawn" 2>/dev/null
  sleep 1
}

on_end+=('[ -z "${leader:-}" ] || power_cut')
