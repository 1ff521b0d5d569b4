# The executable for arm64 on another machine's processor, by qemu-user: demo, serve, an order, backup, restore, verify.
# `bash test/release/arm64.sh dist/release/ventanilla-…-linux-arm64`.
. "$(dirname "$0")/checks.sh"

needs qemu-aarch64-static qemu-user-static curl curl
[ -d /usr/aarch64-linux-gnu/lib ] || { echo "not run: there are no libraries for arm64 here (Debian's package libstdc++6-arm64-cross)"; exit 3; }
emulated=$(realpath "$1")
port=$((20000 + RANDOM % 20000))
own=(env -i PATH="$PATH" HOME="$work" VENTANILLA_HTTP_PORT=$port VENTANILLA_OPERATOR_PORT=$((port + 1)))
program=(qemu-aarch64-static -L /usr/aarch64-linux-gnu "$emulated")
ventanilla() { (cd "$work" && "${own[@]}" "${program[@]}" "$@"); }
ventanilla version | sed 's/^/# /'
echo "# $(qemu-aarch64-static --version | head -n 1), $(date -u +%Y-%m-%dT%H:%M:%SZ)"

check 'it says what it is' prints 'for linux-arm64' ventanilla version
check 'its demo of local orders' prints '✓ confirm-payment completes it' ventanilla demo
serve_in "$work" "${own[@]}" "${program[@]}" serve
check 'it serves' within 400 curl -sf "http://127.0.0.1:$port/readyz"
order() {
  ventanilla request --as mk_demo POST /api/v1/merchants/orders/pay-in/ - --json <<<'{
    "order_type": "LocalCurrencyOrder", "country": "MX", "price": "300.00", "price_currency": "MXN", "description": "A jacket", "merchant_order_id": "arm64-1",
    "notify_url": "https://shop.example/webhooks", "return_url": "https://shop.example/thanks", "expiry": "2099-01-01T00:00:00Z"}'
}
check 'an order is made' prints '"status": 201' order
check 'it verifies while it serves' ventanilla verify
check 'a backup is made while it serves' ventanilla backup backups
check_stop 'it stops in order'
restored() {
  (cd "$work" && "${own[@]}" VENTANILLA_DATABASE=sqlite:again/ventanilla.db VENTANILLA_KEYS_FILE=data/ventanilla.db.key "${program[@]}" "$@")
}
check 'the backup is restored' restored restore "$(cd "$work" && echo backups/ventanilla-*)"
check '… and verifies' prints 'orders +yes +1 orders' restored verify
check 'a drill restores it, too' ventanilla backup drill "$(cd "$work" && echo backups/ventanilla-*)"
finish
