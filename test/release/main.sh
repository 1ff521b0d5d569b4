# `npm run release:check [-- PART…]`: the long walks with what `npm run release` has made, as root on Debian. Each has its
# log in dist/release-check, which says the commit and the digest it was taken with. Without a name all are taken.
set -u
cd "$(dirname "$0")/../.." || exit 1
parts=("$@")
[ "${#parts[@]}" -gt 0 ] || parts=(systemd image proxies arm64 upgrade)
mkdir -p dist/release-check
worst=0
for part in "${parts[@]}"; do
  system=linux-x64
  [ "$part" = arm64 ] && system=linux-arm64
  executable=$(ls dist/release/ventanilla-*-"$system" 2>/dev/null | head -n 1)
  if [ -z "$executable" ]; then
    echo "There is no executable for $system in dist/release: npm run release."
    exit 1
  fi
  log=dist/release-check/$part.log
  if [ "$part" = proxies ]; then
    { echo "# commit: $(git rev-parse HEAD)" && PROXIES_TABLE=1 TEST_LIMIT_MS=600000 npm test -- test/release/proxies.ts; } >"$log" 2>&1
  else
    bash "test/release/$part.sh" "$executable" >"$log" 2>&1
  fi
  code=$?
  [ "$code" -eq 0 ] || worst=1
  printf '%-8s %s\n' "$part" "$(grep -aE '^[0-9]+ passed|^not run' "$log" | tail -n 1) ($log)"
done
exit "$worst"
