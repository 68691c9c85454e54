#!/bin/bash
# hex.sh SIZE: the built-in game on another board, on standard output.
set -euo pipefail
size=$1
indexes() { for ((i = 1; i <= size; i++)); do printf '(index %d) ' "$i"; done; }
steps() { for ((i = 1; i < size; i++)); do printf '(successor %d %d) ' "$i" "$((i + 1))"; done; }
sed -e "s/^(index 1).*/$(indexes)/" -e "s/^(successor 1 2).*/$(steps)/" -e "s/\(far-edge red ?column\) 5/\1 $size/" \
  -e "s/\(far-edge blue\) 5/\1 $size/" -e "s/5 x 5/$size x $size/" "$(dirname "$0")/../games/hex-5.kif"
