#!/bin/bash
# connect-four.sh WIDTH HEIGHT: the built-in game on another board, on standard output.
set -euo pipefail
width=$1 height=$2
most=$((width > height ? width : height))
names() { for ((i = 1; i <= $2; i++)); do printf '(%s %d) ' "$1" "$i"; done; }
steps() { for ((i = 1; i < most; i++)); do printf '(successor %d %d) ' "$i" "$((i + 1))"; done; }
sed -e "s/^(column 1).*/$(names column "$width")/" -e "s/^(row 1).*/$(names row "$height")/" \
  -e "s/^(successor 1 2).*/$(steps)/" -e '/^(successor 4 5)/d' -e "s/(filled ?column 6)/(filled ?column $height)/" \
  -e "s/Size: 7 columns x 6 rows/Size: $width columns x $height rows/" "$(dirname "$0")/../games/connect-four.kif"
