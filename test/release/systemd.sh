# The service on a booted Debian: install, start, restarts, watchdog, journal, sandbox, upgrade, full disk, memory, power cut.
# Root is needed; `bash test/release/systemd.sh dist/release/ventanilla-…-linux-x64`.
. "$(dirname "$0")/checks.sh"
. "$here/booted.sh"

needs mmdebstrap mmdebstrap systemd-nspawn systemd-container nsenter util-linux
begin "$1"
make_debian || exit 1
cp "$executable" "$tree/root/ventanilla"
boot || { tail "$work/nspawn.log"; echo 'not run: the tree does not boot'; exit 3; }
echo "# booted: $(inside systemctl --version | head -n 1), $(inside stat -fc %T /sys/fs/cgroup)"

unit=ventanilla.service
# A small disk of its own: it is filled later.
inside_sh 'mkdir -p /var/lib/private /var/lib/ventanilla && mount -t tmpfs -o size=160m,mode=755 tmpfs /var/lib/ventanilla'

show() { inside systemctl show -P "$1" $unit; }
is() { prints "^$2\$" show "$1"; }
ready() { inside curl -sf http://127.0.0.1:8080/readyz; }
main() { show MainPID; }
restarted_to() { [ "$(show NRestarts)" -ge "$1" ] && is SubState running && ready >/dev/null; }
order() {
  inside_sh "cd /root && ventanilla request --url http://127.0.0.1:8080 --as mk_walk --secret-file secret POST /api/v1/merchants/orders/pay-in/ - --json <<<'{
    \"order_type\": \"LocalCurrencyOrder\", \"country\": \"MX\", \"price\": \"300.00\", \"price_currency\": \"MXN\", \"description\": \"A jacket\",
    \"merchant_order_id\": \"'\$RANDOM\$RANDOM'\", \"notify_url\": \"https://shop.example/webhooks\", \"return_url\": \"https://shop.example/thanks\",
    \"expiry\": \"2099-01-01T00:00:00Z\"}'"
}
orders() { inside ventanilla order list --json | grep -c '"code"'; }
verified() { inside ventanilla verify; }

check 'install --dry-run changes nothing' inside_sh 'cd /root && ./ventanilla install --dry-run && ! id ventanilla && ! [ -e /usr/local/bin/ventanilla ]'
check 'install' inside_sh 'cd /root && ./ventanilla install && id ventanilla && [ -x /usr/local/bin/ventanilla ]'
check 'install again has nothing to write but the file' refused prints 'Wrote|Made' inside /root/ventanilla install
check 'systemd finds no fault in the unit' refused prints 'ventanilla' inside systemd-analyze verify /etc/systemd/system/$unit
check 'init' inside ventanilla init /etc/ventanilla --public-url https://pay.example
check 'enable --now returns when it serves' inside_sh "systemctl enable --now $unit && curl -sf http://127.0.0.1:8080/readyz"
check 'it is of Type=notify, and running' is SubState running
check 'the journal has its lines' prints '"msg":"' inside journalctl -u $unit -o cat
check 'the master key is in no line of the journal' refused inside_sh 'journalctl -o cat | grep -F "$(cat /etc/ventanilla/master.key)"'
check 'doctor sees its files closed' prints '^files +yes' inside ventanilla doctor
check 'parties are set up' inside_sh "cd /root && ventanilla apply - --json > applied <<<'{\"merchants\": [{\"name\": \"Walk\", \"contact\": \"ops@shop.example\",
  \"credentials\": [{\"key\": \"mk_walk\"}], \"pairs\": [{\"country\": \"MX\", \"currency\": \"MXN\", \"min\": \"10.00\", \"max\": \"50000.00\"}]}]}' &&
  jq -r '.. | .secret? // empty' applied > secret && [ -s secret ]"
check 'an order is made' prints '"status": 201' order

# What it may touch: as its own process sees the tree.
in_service() { inside nsenter --target "$(main)" --mount -- setpriv --reuid ventanilla --regid ventanilla --clear-groups -- bash -c "$1"; }
status_of() { inside grep "^$1:" "/proc/$(main)/status"; }
for folder in / /etc /usr /boot /home /root /var/lib /var/log; do
  check "nothing can be written in $folder" refused in_service "touch $folder/.walk"
done
check 'its own folders can be written' in_service 'touch /var/lib/ventanilla/.walk /var/cache/ventanilla/.walk && rm /var/lib/ventanilla/.walk'
check 'the master key itself is closed to it' refused in_service 'cat /etc/ventanilla/master.key'
check 'other processes are hidden from it' refused in_service '[ -e /proc/1/status ]'
check 'there are no devices but the harmless' refused in_service 'ls /dev | grep -qE "^(sd|vd|kmsg|mem)"'
check 'no capability is left' prints 'CapBnd:[[:space:]]0+$' status_of CapBnd
check 'it can gain no rights' prints '1$' status_of NoNewPrivs
check 'system calls are filtered' prints '2$' status_of Seccomp
echo "# $(inside systemd-analyze security $unit --no-pager | tail -n 1)"

check 'killed, it is up again' inside systemctl kill --kill-who=main --signal=KILL $unit
check '… within 15 s' within 15 restarted_to 1
check '… with its order' prints '^1$' orders

inside_sh "mkdir -p /etc/systemd/system/$unit.d && printf '[Service]\nWatchdogSec=6\n' > /etc/systemd/system/$unit.d/walk.conf && systemctl daemon-reload && systemctl restart $unit"
before=$(show NRestarts)
check 'it lives through three waits of the watchdog' inside_sh "sleep 19; [ \$(systemctl show -P NRestarts $unit) = $before ]"
inside systemctl kill --kill-who=main --signal=STOP $unit
check 'hung, the watchdog ends it and it is up again' within 90 restarted_to $((before + 1))
check '… and the journal says why' prints "Watchdog timeout|result 'watchdog'" inside journalctl -u $unit
inside_sh "rm -r /etc/systemd/system/$unit.d && systemctl daemon-reload && systemctl restart $unit"

check 'a new file is installed while it serves' inside_sh 'cp /root/ventanilla /root/ventanilla-new && pid=$(systemctl show -P MainPID ventanilla) && ventanilla backup &&
  /root/ventanilla-new migrate --dry-run && /root/ventanilla-new install && [ $pid = $(systemctl show -P MainPID ventanilla) ] && curl -sf http://127.0.0.1:8080/readyz'
check 'a restart takes it' inside_sh 'systemctl restart ventanilla && [ $(stat -Lc %i /proc/$(systemctl show -P MainPID ventanilla)/exe) = $(stat -c %i /usr/local/bin/ventanilla) ]'
check '… and everything verifies' verified

inside_sh 'dd if=/dev/zero of=/var/lib/ventanilla/fill bs=1M 2>/dev/null; dd if=/dev/zero of=/var/lib/ventanilla/fill2 bs=4k 2>/dev/null'
within 20 prints '"status": 503' order >/dev/null
check 'on a full disk a new order is refused with 503' prints '"status": 503' order
check '… and it goes on' is SubState running
check '… and says so' prints 'disk|full|degraded' inside curl -s http://127.0.0.1:8080/readyz
inside rm /var/lib/ventanilla/fill /var/lib/ventanilla/fill2
check 'with room again, orders are made' within 60 prints '"status": 201' order
check '… and everything verifies' verified

before=$(show NRestarts)
limit=/sys/fs/cgroup/memory/ventanilla-walk-$$
if mkdir "$limit" 2>/dev/null; then
  on_end+=("rmdir $limit 2>/dev/null")
  # Its systemd and what that starts from now on; then somebody else takes nearly all there is, and the node is the first to go.
  echo "$leader" >"$limit/cgroup.procs"
  echo 700M >"$limit/memory.limit_in_bytes"
  inside systemctl restart $unit
  before=$(show NRestarts)
  inside_sh "echo 1000 > /proc/\$(systemctl show -P MainPID $unit)/oom_score_adj"
  bash -c "echo \$\$ >$limit/cgroup.procs; head -c 620M /dev/zero | tail -c 620M >/dev/null"
  check 'out of memory, the kernel kills it and it is up again' within 60 restarted_to $((before + 1))
  check '… by that limit' prints 'oom_kill [1-9]' cat "$limit/memory.oom_control"
  check '… and everything verifies' verified
else
  echo "not run: memory: $limit cannot be made"
fi

check 'settings that are wrong are not tried again' inside_sh "cp /etc/ventanilla/ventanilla.json /root/kept.json && sed -i 's/\"mode\"/\"mood\"/' /etc/ventanilla/ventanilla.json
  systemctl restart $unit; sleep 6; [ \$(systemctl show -P ActiveState $unit) = failed ] && [ \$(systemctl show -P ExecMainStatus $unit) = 2 ] && [ \$(systemctl show -P NRestarts $unit) = 0 ]"
check '… and the journal names the line' prints 'mood' inside journalctl -u $unit -o cat -n 20
inside_sh "cp /root/kept.json /etc/ventanilla/ventanilla.json && systemctl reset-failed $unit && systemctl start $unit"
check 'stop is orderly' inside_sh "systemctl stop $unit && [ \$(systemctl show -P Result $unit) = success ] && [ \$(systemctl show -P ExecMainStatus $unit) = 0 ]"

inside_sh "cp -a /var/lib/ventanilla /root/state && umount /var/lib/ventanilla && cp -a /root/state/. /var/lib/ventanilla/ && systemctl start $unit"
within 30 ready
before=$(orders)
power_cut
boot >/dev/null 2>&1
check 'after a power cut it starts by itself' within 30 ready
check '… with its orders' prints "^$before\$" orders
check '… and everything verifies' verified
inside systemctl poweroff
wait "$nspawn" 2>/dev/null
leader=
check 'a machine that is turned off ends it in order' prints 'ventanilla.service: Deactivated successfully' \
  journalctl --directory="$tree/var/log/journal" --unit=$unit --boot=0 --no-pager
finish
