role(x).
init(early).
legal(x, wait).
next(late) :- does(x, wait).
full :- true(late).
terminal :- true(late)
  full.
goal(x, 100).
