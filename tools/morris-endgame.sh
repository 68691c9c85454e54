#!/bin/bash
# morris-endgame.sh MEN: nine men's morris with so many men a side, on standard output; without the draw after quiet
# moves, so that a state is what stands on the board.  With 3 it is the endgame in which both may fly.
set -euo pipefail
men=$1
# Rules end where the next one begins, at the start of a line.
sed -e "s/^  (successor 8 9))/  (successor $((men - 1)) $men))/" -e "s/(init (in-hand ?player 9))/(init (in-hand ?player $men))/" \
  -e "s/(init (men ?player 9))/(init (men ?player $men))/" -e "s/9 men a side/$men men a side/" "$(dirname "$0")/../games/nine-mens-morris.kif" |
  awk '/^[(;]/ || /^$/ { if (rule !~ /\(quiet|some-placing|some-taking/ || rule ~ /^;/) printf "%s", rule; rule = "" } { rule = rule $0 "\n" } END { printf "%s", rule }' |
  sed -e '/^;; without placing or taking\.$/d' -e 's/  Draw after 60 moves in a row$//'
