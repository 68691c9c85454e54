#!/bin/bash
# dots-and-boxes.sh COLUMNS ROWS: the game on a board of so many boxes, on standard output.  Unlike in the built-in
# game it is not kept who owns which box, only how many the first player has: far fewer states, the same values.
set -euo pipefail
columns=$1 rows=$2
boxes=$((columns * rows))
count() { for ((i = $2; i <= $3; i++)); do printf '(%s %d) ' "$1" "$i"; done; }
pairs() { for ((i = $2; i < $3; i++)); do printf '(%s %d %d) ' "$1" "$i" "$((i + 1))"; done; }
sums() {
  for ((n = 0; n <= boxes; n++)); do
    if ((2 * n > boxes)); then printf '(wins first %d) ' "$n"; fi
    if ((2 * n < boxes)); then printf '(wins second %d) ' "$n"; fi
  done
}
cat <<GAME
;; Dots and boxes, $columns x $rows boxes.  The line (across c r) runs below box c r, (upright c r) left of it.
(role first) (role second) (opponent first second) (opponent second first)
$(count column 1 "$columns")
$(count row 1 "$rows")
$(pairs successor 1 $(((columns > rows ? columns : rows) + 1)))
$(pairs one-more 0 "$boxes")
$(sums)
(<= (side ?c ?r across ?c ?r) (column ?c) (row ?r))
(<= (side ?c ?r across ?c ?s) (column ?c) (row ?r) (successor ?r ?s))
(<= (side ?c ?r upright ?c ?r) (column ?c) (row ?r))
(<= (side ?c ?r upright ?d ?r) (column ?c) (row ?r) (successor ?c ?d))
(<= (line ?w ?c ?r) (side ?b ?a ?w ?c ?r))
(init (control first)) (init (boxes 0))
(<= (free ?w ?c ?r) (line ?w ?c ?r) (not (true (drawn ?w ?c ?r))))
(<= (legal ?p (draw ?w ?c ?r)) (true (control ?p)) (free ?w ?c ?r))
(<= (legal ?p noop) (true (control ?q)) (opponent ?p ?q))
(<= (next (drawn ?w ?c ?r)) (does ?p (draw ?w ?c ?r)))
(<= (next (drawn ?w ?c ?r)) (true (drawn ?w ?c ?r)))
(<= (lacks ?b ?a ?w ?c ?r) (side ?b ?a ?w ?c ?r) (side ?b ?a ?v ?d ?s) (free ?v ?d ?s) (or (distinct ?w ?v) (distinct ?c ?d) (distinct ?r ?s)))
(<= (closes ?b ?a) (does ?p (draw ?w ?c ?r)) (side ?b ?a ?w ?c ?r) (not (lacks ?b ?a ?w ?c ?r)))
(<= some-closed (closes ?b ?a))
(<= two-closed (closes ?b ?a) (closes ?d ?a) (successor ?b ?d))
(<= two-closed (closes ?b ?a) (closes ?b ?c) (successor ?a ?c))
(<= (next (control ?p)) (true (control ?p)) some-closed)
(<= (next (control ?p)) (true (control ?q)) (opponent ?p ?q) (not some-closed))
(<= first-closes (true (control first)) some-closed)
(<= (next (boxes ?n)) (true (boxes ?n)) (not first-closes))
(<= (next (boxes ?m)) (true (boxes ?n)) (one-more ?n ?m) first-closes (not two-closed))
(<= (next (boxes ?k)) (true (boxes ?n)) (one-more ?n ?m) (one-more ?m ?k) first-closes two-closed)
(<= some-free (free ?w ?c ?r))
(<= terminal (not some-free))
(<= (won ?p) (true (boxes ?n)) (wins ?p ?n))
(<= some-winner (won ?p))
(<= (goal ?p 100) (won ?p))
(<= (goal ?p 0) (opponent ?p ?q) (won ?q))
(<= (goal ?p 50) (role ?p) (not some-winner))
GAME
