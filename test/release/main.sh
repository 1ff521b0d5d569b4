# `npm run release:check [-- PART…]`: the long walks with what `npm run release` has made, as root on Debian, one after the
# other. Without a name all are taken. dist/release-check has the log of each, and `summary.md`: whether it was run, what came
# of it, how long it took, of which commit, and its log's digest. The exit code is 1 where one failed or could not be run.
set -u
cd "$(dirname "$0")/../.." || exit 1
known=(lock systemd guide image proxies nodes patroni arm64 age litestream upgrade)
parts=("$@")
[ "${#parts[@]}" -gt 0 ] || parts=("${known[@]}")
commit=$(git rev-parse HEAD)
git diff --quiet HEAD || commit="$commit, changed"
released=$(grep -oE '"commit": "[0-9a-f]+' dist/release/release.json 2>/dev/null | cut -d'"' -f4)
folder=dist/release-check
mkdir -p "$folder"

executable_of() {
  local system=linux-x64
  [ "$1" = arm64 ] && system=linux-arm64
  find dist/release -name "ventanilla-*-$system" 2>/dev/null | head -n 1
}

tests() { TEST_LIMIT_MS=1500000 npm test -- "$@"; }

# take PART: prints its log.
take() {
  echo "# commit: $commit"
  case $1 in
  lock) tests test/scripts/release.test.ts ;;
  proxies) PROXIES_TABLE=1 tests test/release/proxies.ts ;;
  nodes) tests test/release/three-nodes.ts ;;
  patroni) tests test/release/patroni.ts ;;
  litestream) tests test/release/litestream.ts ;;
  *)
    local executable
    executable=$(executable_of "$1")
    [ -n "$executable" ] || {
      echo 'not run: there is no executable in dist/release (npm run release)'
      return 3
    }
    bash "test/release/$1.sh" "$executable"
    ;;
  esac
}

worst=0
summary=$folder/summary.md
{
  echo "Commit $commit, executables of ${released:-none}, $(date -u +%Y-%m-%dT%H:%M:%SZ), $(uname -sr), $(nproc) processors"
  echo
  echo '| part | run | result | seconds | SHA-256 of its log |'
  echo '|---|---|---|---|---|'
} >"$summary"
for part in "${parts[@]}"; do
  log=$folder/$part.log
  begun=$SECONDS
  take "$part" >"$log" 2>&1
  code=$?
  why=$(grep -aE '^(# )?not run|^SKIP' "$log" | head -n 1)
  result=$(grep -aE '^[0-9]+ passed' "$log" | tail -n 1)
  was_run=yes
  if [ -z "$result" ] || [[ $result = "0 passed, 0 failed"* ]]; then
    was_run=no
    result=${why:-"it ended with $code"}
  elif [ -n "$why" ]; then
    was_run=in\ part
    result="$result; $why"
  fi
  [ "$code" -eq 0 ] && [ "$was_run" = yes ] || worst=1
  echo "| $part | $was_run | $result | $((SECONDS - begun)) | $(sha256sum <"$log" | cut -c1-64) |" | tee -a "$summary"
done
exit "$worst"
