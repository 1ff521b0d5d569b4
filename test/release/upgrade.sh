# Every database of an earlier version, opened by the executable: looked at, upgraded, loaded, verified; and the way back.
# `bash test/release/upgrade.sh dist/release/ventanilla-…-linux-x64`.
. "$(dirname "$0")/checks.sh"

needs curl curl gunzip gzip
begin "$1"
port=$((20000 + RANDOM % 20000))
root=$(realpath "$here/../..")
# Until its release a version's database is made anew with each migration: each of those that git knows was once the newest.
path=test/persistence/golden
made=$(git -C "$root" log --format=%h --diff-filter=AM -- "$path/*.db.gz")
[ -n "$made" ] || { echo 'not run: git knows no database of an earlier version'; exit 3; }
for commit in $made; do
  version=$(git -C "$root" log -1 --format='%cs %h' "$commit")
  folder=$work/$commit
  mkdir "$folder"
  file=$(git -C "$root" ls-tree -r --name-only "$commit" "$path" | grep 'db.gz$' | tail -n 1)
  git -C "$root" show "$commit:$file" | gunzip >"$folder/node.db"
  for part in anchors key; do git -C "$root" show "$commit:${file%.gz}.$part" >"$folder/node.db.$part" 2>/dev/null || rm -f "$folder/node.db.$part"; done
  chmod 600 "$folder"/*
  digest=$(sha256sum <"$folder/node.db")
  ventanilla() {
    (cd "$folder" && env -i PATH="$PATH" HOME="$work" VENTANILLA_DATABASE=sqlite:node.db VENTANILLA_KEYS_FILE=node.db.key \
      VENTANILLA_HTTP_PORT=$port VENTANILLA_OPERATOR_PORT=$((port + 1)) "$executable" "$@")
  }
  kept_is_whole() {
    "$root/node_modules/.bin/node" -e 'const Database = require("better-sqlite3"); console.log(new Database(process.argv[1], { readonly: true }).pragma("integrity_check", { simple: true }))' "$kept"
  }
  same() { [ "$(sha256sum <"$1")" = "$digest" ]; }
  check "$version: what would be migrated is told, and nothing is changed" eval 'ventanilla migrate --dry-run && same "$folder/node.db"'
  ventanilla serve >"$folder/serve.log" 2>&1 &
  serving=$!
  check "$version: the start upgrades it, and it serves" within 60 curl -sf "http://127.0.0.1:$port/readyz"
  kept=$(ls "$folder"/node.db.before-* 2>/dev/null | head -n 1)
  if [ -z "$kept" ]; then
    echo "#       $version: of the present tables, nothing was migrated"
  else
    check "$version: what it was is kept, whole" prints '^ok$' kept_is_whole
  fi
  orders() {
    local number
    for number in $(seq 30); do
      ventanilla request --as mk_shop POST /api/v1/merchants/orders/pay-in/ - --field status <<<'{
        "order_type": "LocalCurrencyOrder", "country": "MX", "price": "300.00", "price_currency": "MXN", "description": "A jacket",
        "merchant_order_id": "upgrade-'"$number"'", "notify_url": "https://shop.example/webhooks", "return_url": "https://shop.example/thanks",
        "expiry": "2099-01-01T00:00:00Z"}' | grep -qx 201 || return 1
    done
  }
  check "$version: orders are made in it" orders
  check "$version: everything verifies" ventanilla verify
  kill "$serving"
  wait "$serving"
  check "$version: a backup of it is restored" eval 'ventanilla backup backups && ventanilla backup drill "$(echo "$folder"/backups/ventanilla-*)"'
  [ -n "$kept" ] || continue
  # The way back of the guide, tried as far as the present program can: what is put back is upgraded again.
  mkdir "$folder/later" && mv "$folder/node.db" "$folder/later/" && rm -f "$folder"/node.db-wal "$folder"/node.db-shm && mv "$kept" "$folder/node.db"
  check "$version: put back, it is as before the upgrade" refused prints '^0 |Nothing|nothing' ventanilla migrate --dry-run
done
finish
