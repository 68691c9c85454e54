# shellcheck shell=bash
# The Test Anything Protocol for scripts.  To be sourced.

tap_number=0
tap_failures=0

pass() { echo "ok $((++tap_number)) - $1"; }
skip() { echo "ok $((++tap_number)) - $1 # SKIP ${2:-}"; }

# fail NAME [WHY]
fail() {
  echo "not ok $((++tap_number)) - $1"
  tap_failures=$((tap_failures + 1))
  if [[ -n ${2:-} ]]; then sed 's/^/#   /' <<<"$2"; fi
}

# Ends the script: status 0 when nothing failed.  A script that tried nothing has failed.
finish_tap() {
  if ((tap_number == 0)); then fail "something is tried"; fi
  echo "1..$tap_number"
  ((tap_failures == 0))
}

# Makes a folder that goes when the script ends, and sets `scratch` to it.
make_scratch() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
}

# Puts the program under test on PATH.  TABIA is its path; the release build by default.
put_tabia_on_path() {
  local program
  program=$(readlink -f "${TABIA:-build/release/tabia}")
  if [[ ! -x $program ]]; then
    echo "no program at ${TABIA:-build/release/tabia}; build it first" >&2
    exit 1
  fi
  PATH=$(dirname "$program"):$PATH
}

# every_nth  passes on one line of CORPUS_STEP (1: all), for a tier that has not the time for all.
every_nth() { awk -v step="${CORPUS_STEP:-1}" 'NR % step == 1 % step'; }

# report_cases  reads lines, a name, a tab and what is wrong, and makes a case of each: nothing is
# right, and a problem that begins with SKIP was not tried.
report_cases() {
  local name problem
  while IFS=$'\t' read -r name problem; do
    case $problem in
      ' ' | '') pass "$name" ;;
      SKIP*) skip "$name" "${problem#SKIP }" ;;
      *) fail "$name" "$problem" ;;
    esac
  done
}
