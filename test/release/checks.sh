# What the walks in this folder have in common. A walk is `bash NAME.sh EXECUTABLE`: it says first which commit and which
# bytes it walks with, then one line a check, and ends with `N passed, N failed`.
set -u

passed=0
failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/ventanilla-walk-XXXXXX")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
on_end=()

end() {
  local code=$? index
  for ((index = ${#on_end[@]} - 1; index >= 0; index--)); do eval "${on_end[index]}"; done
  rm -rf --one-file-system "$work"
  [ "$code" -eq 0 ] || exit "$code"
  [ "$failed" -eq 0 ] || exit 1
}
trap end EXIT

# needs COMMAND PACKAGE…: ends a walk that cannot be taken here, with what is missing.
needs() {
  while [ $# -gt 0 ]; do
    if ! command -v "$1" >/dev/null; then
      echo "not run: there is no $1 here (Debian's package $2)"
      exit 3
    fi
    shift 2
  done
}

# begin EXECUTABLE: names what is walked with.
begin() {
  executable=$(realpath "$1")
  HOME=$work "$executable" version | sed 's/^/# /'
  echo "# $(uname -sr), $(date -u +%Y-%m-%dT%H:%M:%SZ)"
}

# check NAME COMMAND…: one line; what it printed is shown where it failed.
check() {
  local name=$1 out
  shift
  if out=$("$@" 2>&1); then
    passed=$((passed + 1))
    echo "ok      $name"
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    sed 's/^/        /' <<<"$out" | tail -n 20
  fi
}

# refused COMMAND…: it has to fail.
refused() {
  ! "$@"
}

# prints PATTERN COMMAND…: what it prints has a line like that; shown where not.
prints() {
  local pattern=$1 out
  shift
  out=$("$@" 2>&1)
  grep -qE -- "$pattern" <<<"$out" && return
  printf 'no line like %s in:\n%s\n' "$pattern" "$out"
  return 1
}

# within SECONDS COMMAND…: until it succeeds.
within() {
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$until" ] || return 1
    sleep 0.3
  done
}

# serve_in FOLDER COMMAND…: in the background; `$serving` is its process, which ends with the walk.
serve_in() {
  local folder=$1
  shift
  (cd "$folder" && exec "$@") >>"$folder/serve.log" 2>&1 &
  serving=$!
}
serving=
on_end+=('[ -z "$serving" ] || kill -KILL "$serving" 2>/dev/null')

# check_stop NAME: asks it to stop; it has to end in order.
check_stop() {
  kill "$serving"
  wait "$serving"
  check "$1" [ $? = 0 ]
  serving=
}

finish() {
  echo "$passed passed, $failed failed"
}
