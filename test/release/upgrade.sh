# Every database of an earlier version: loaded by the program of its time, then by the executable looked at, upgraded, loaded,
# verified; and the way back, on which the program of its time goes on.
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
  own=(env -i PATH="$PATH" HOME="$work" VENTANILLA_DATABASE=sqlite:node.db VENTANILLA_KEYS_FILE=node.db.key
    VENTANILLA_HTTP_PORT=$port VENTANILLA_OPERATOR_PORT=$((port + 1)))
  ventanilla() { (cd "$folder" && "${own[@]}" "$executable" "$@"); }
  # The program of its time has no executable: its sources run, with the packages of its own lock file.
  sources=$work/sources-$commit
  packages() { (cd "$sources" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund); }
  mkdir "$sources" && git -C "$root" archive "$commit" | tar -x -C "$sources"
  check "$version: the sources of its time are brought, with their packages" packages
  of_its_time=("$root/node_modules/.bin/node" "$sources/cli/main.ts")
  former() { (cd "$folder" && "${own[@]}" "${of_its_time[@]}" "$@"); }
  # orders PROGRAM NAME: thirty, each answered with 201.
  orders() {
    local number
    for number in $(seq 30); do
      "$1" request --as mk_shop POST /api/v1/merchants/orders/pay-in/ - --field status <<<'{
        "order_type": "LocalCurrencyOrder", "country": "MX", "price": "300.00", "price_currency": "MXN", "description": "A jacket",
        "merchant_order_id": "'"$2-$number"'", "notify_url": "https://shop.example/webhooks", "return_url": "https://shop.example/thanks",
        "expiry": "2099-01-01T00:00:00Z"}' | grep -qx 201 || return 1
    done
  }
  ready() { within 60 curl -sf "http://127.0.0.1:$port/readyz"; }
  serve_in "$folder" "${own[@]}" "${of_its_time[@]}" serve
  check "$version: the program of its time serves it" ready
  check "$version: … makes orders in it" orders former before
  check "$version: … and verifies it" former verify
  check_stop "$version: … and stops in order"
  digest=$(sha256sum <"$folder/node.db")
  kept_is_whole() {
    "$root/node_modules/.bin/node" -e 'const Database = require("better-sqlite3"); console.log(new Database(process.argv[1], { readonly: true }).pragma("integrity_check", { simple: true }))' "$kept"
  }
  same() { [ "$(sha256sum <"$1")" = "$digest" ]; }
  check "$version: what would be migrated is told, and nothing is changed" eval 'ventanilla migrate --dry-run && same "$folder/node.db"'
  serve_in "$folder" "${own[@]}" "$executable" serve
  check "$version: the start upgrades it, and it serves" ready
  kept=$(ls "$folder"/node.db.before-* 2>/dev/null | head -n 1)
  if [ -z "$kept" ]; then
    echo "#       $version: of the present tables, nothing was migrated"
  else
    check "$version: what it was is kept, whole" prints '^ok$' kept_is_whole
  fi
  check "$version: orders are made in it" orders ventanilla after
  check "$version: everything verifies" ventanilla verify
  check_stop "$version: it stops in order"
  check "$version: a backup of it is restored" eval 'ventanilla backup backups && ventanilla backup drill "$(echo "$folder"/backups/ventanilla-*)"'
  [ -n "$kept" ] || continue
  check "$version: the program of its time refuses it now, in words, and changes nothing" eval \
    'digest=$(sha256sum <"$folder/node.db"); former verify >"$folder/told" 2>&1; [ $? = 3 ] && grep -q "later version" "$folder/told" && same "$folder/node.db"'
  # The way back, as docs/migrations.md has it.
  mkdir "$folder/later" && mv "$folder/node.db" "$folder/later/" && rm -f "$folder"/node.db-wal "$folder"/node.db-shm && mv "$kept" "$folder/node.db"
  serve_in "$folder" "${own[@]}" "${of_its_time[@]}" serve
  check "$version: put back, the program of its time serves it again" ready
  check "$version: … with the orders from before the upgrade, and none of later" eval \
    'former order list --limit 200 --json >"$folder/listed"; grep -q "\"before-30\"" "$folder/listed" && ! grep -q "\"after-1\"" "$folder/listed"'
  check "$version: … and makes new ones" orders former again
  check "$version: … and it verifies, or says what its anchors know more" eval \
    'former verify >"$folder/told" 2>&1 || grep -q "anchors" "$folder/told"'
  check_stop "$version: … and stops in order"
done
finish
