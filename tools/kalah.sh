#!/bin/bash
# kalah.sh PITS SEEDS [empty]: the built-in game with so many pits a side and seeds in each, on standard output.
# empty: a last seed in an empty own pit goes to the store also where there is nothing to capture, as in
# Irving, Donkers and Uiterwijk, Solving Kalah (ICGA Journal 23, 2000).
set -euo pipefail
pits=$1 seeds=$2 variant=${3:-}
half=$((pits * seeds)) all=$((2 * pits * seeds)) lap=$((2 * pits + 1))
most=$((all > 2 * lap ? all : 2 * lap))
own() { for ((i = 1; i <= pits; i++)); do printf '(pit %d) ' "$i"; done; }
facing() { for ((i = 1; i <= pits; i++)); do printf '(facing %d %d) ' "$i" "$((pits + 1 - i))"; done; }
steps() { for ((i = 0; i < most; i++)); do printf '(successor %d %d) ' "$i" "$((i + 1))"; done; }
capture=(-e '')
if [[ $variant == empty ]]; then capture=(-e '/^(<= (captures/,/distinct ?n 0/{s/(after-sowing ?other ?opposite ?n)/(after-sowing ?other ?opposite ?n))/;/(distinct ?n 0))/d}'); fi
sed -e "s/^(pit 1).*/$(own)/" -e "s/^(facing 1 6).*/$(facing)/" -e '/^(facing 4 3)/d' \
  -e "s/^(successor 0 1).*/$(steps)/" -e '/^(successor [1-9][0-9]* /d' \
  -e "s/(located ?player 7 /(located ?player $((pits + 1)) /" -e "s/(plus ?pit 7 /(plus ?pit $((pits + 1)) /" \
  -e "s/(last-place 7)/(last-place $((pits + 1)))/" -e "s/(at-least 13 /(at-least $lap /" -e "s/\(plus ?place\|plus ?less\) 13 /\1 $lap /" \
  -e "s/(seeds ?player ?pit 4)/(seeds ?player ?pit $seeds)/" -e "s/(at-least ?n 25)/(at-least ?n $((half + 1)))/" \
  -e "s/(at-least 23 ?n)/(at-least $((half - 1)) ?n)/" -e "s/^;; Players: .*/;; Players: 2 (south, north), south first.  Size: $pits pits a side with $seeds seeds each./" \
  -e '/^;; Board: the circuit/,/^;; store, 8 to 13/d' "${capture[@]}" "$(dirname "$0")/../games/kalah.kif"
