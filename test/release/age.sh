# Encrypted backups and Debian's `age`: it opens ours, we open its, by files of recipients and of identities; a key of somebody
# else is refused. `bash test/release/age.sh dist/release/ventanilla-…-linux-x64`.
. "$(dirname "$0")/checks.sh"

needs age age age-keygen age jq jq curl curl sqlite3 sqlite3
begin "$1"
echo "# age $(age --version)"
port=$((20000 + RANDOM % 20000))
cd "$work" || exit 1
age-keygen -o first.key 2>/dev/null
age-keygen -o second.key 2>/dev/null
age-keygen -o strange.key 2>/dev/null
{ echo '# who may open backups'; age-keygen -y first.key; age-keygen -y second.key; } >recipients.txt
own=(env -i PATH="$PATH" HOME="$work" VENTANILLA_HTTP_PORT=$port VENTANILLA_OPERATOR_PORT=$((port + 1))
  VENTANILLA_BACKUPS_ENCRYPTTO="[\"$(age-keygen -y first.key)\", \"$(age-keygen -y second.key)\"]")
ventanilla() { "${own[@]}" "$executable" "$@"; }
serve_in "$work" "${own[@]}" "$executable" serve
check 'it serves' within 60 curl -sf "http://127.0.0.1:$port/readyz"
order() {
  ventanilla request --as mk_demo POST /api/v1/merchants/orders/pay-in/ - --json <<<'{
    "order_type": "LocalCurrencyOrder", "country": "MX", "price": "300.00", "price_currency": "MXN", "description": "A jacket", "merchant_order_id": "age-1",
    "notify_url": "https://shop.example/webhooks", "return_url": "https://shop.example/thanks", "expiry": "2099-01-01T00:00:00Z"}'
}
check 'an order is made' prints '"status": 201' order
check 'a backup is made, encrypted to two' ventanilla backup backups
backup=$(echo "$work"/backups/ventanilla-*)
check '… and nothing of it lies there open' eval '[ ! -e "$backup/ventanilla.db" ] && ! grep -aq "SQLite format" "$backup"/*'
for key in first second; do
  check "age opens it with the $key identity" age --decrypt -i $key.key -o $key.db "$backup/ventanilla.db.age"
  check "… and it is a database, whole, with the order" eval "[ \"\$(sqlite3 $key.db 'PRAGMA integrity_check; SELECT count(*) FROM orders')\" = \$'ok\n1' ]"
done
check 'age refuses it to another identity' refused age --decrypt -i strange.key -o strange.db "$backup/ventanilla.db.age"

restored() { "${own[@]}" VENTANILLA_DATABASE="sqlite:$1/ventanilla.db" VENTANILLA_KEYS_FILE=data/ventanilla.db.key "$executable" "${@:2}"; }
check 'the program restores it with an identity of age-keygen' restored ours restore "$backup" --identity second.key
check '… and verifies it' prints 'orders +yes +1 orders' restored ours verify
check 'with the identity of somebody else it says whose it is not, with 4' eval \
  'restored none restore "$backup" --identity strange.key >told 2>&1; [ $? = 4 ] && grep -q "is encrypted to others" told && [ ! -e none/ventanilla.db ]'
check 'without an identity, too' eval 'restored none restore "$backup" >told 2>&1; [ $? = 4 ] && grep -q "identity" told'
check 'a file that has no identity is said to have none' eval \
  'restored none restore "$backup" --identity recipients.txt >told 2>&1; [ $? = 4 ] && grep -q "there is no age identity in it" told'

# As somebody does who gives the backups to other people: age encrypts them anew, to a file of recipients.
theirs=$work/backups/ventanilla-anew
mkdir "$theirs"
for file in ventanilla.db ventanilla.db.anchors; do
  age --decrypt -i first.key "$backup/$file.age" | age --encrypt -R recipients.txt -r "$(age-keygen -y strange.key)" -o "$theirs/$file.age"
done
jq --arg database "$(sha256sum <"$theirs/ventanilla.db.age" | cut -c1-64)" --arg anchors "$(sha256sum <"$theirs/ventanilla.db.anchors.age" | cut -c1-64)" \
  '.digests = {database: $database, anchors: $anchors}' "$backup/backup.json" >"$theirs/backup.json"
cat first.key strange.key >both.key
for key in strange both; do
  check "what age has encrypted, the program opens with a file of identities ($key)" ventanilla backup drill "$theirs" --identity $key.key
done
printf 'x' | dd of="$theirs/ventanilla.db.age" bs=1 seek=2000 conv=notrunc 2>/dev/null
check 'one changed byte is seen' refused ventanilla backup drill "$theirs" --identity both.key
check_stop 'it stops in order'
finish
