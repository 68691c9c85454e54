% Random playouts of the game that play_prolog.py wrote, which is loaded before:
%   swipl ... GAME.pl play_driver.pl -- PLAYOUTS SECONDS SEED
% plays until the number or the processor time is reached (0: no such limit) and prints JSON.

:- use_module(library(random)).

main :-
    current_prolog_flag(argv, Words),
    maplist(atom_number, Words, [Playouts, Seconds, Seed]),
    set_random(seed(Seed)),
    freeze_constants,
    findall(Role, g_role(Role), Roles),
    findall(Fluent, g_init(Fluent), Fluents),
    sort(Fluents, Start),
    statistics(cputime, Begin),
    play_many(Playouts, Seconds, Begin, Start, Roles, Results),
    statistics(cputime, End),
    Used is End - Begin,
    show(Results, Roles, Used).

% What no state can change becomes facts.
freeze_constants :-
    findall(Name/Arity-Facts, (constant(Name, Arity), extension(Name, Arity, Facts)), All),
    abolish_all_tables,
    forall(member(Name/Arity-Facts, All), replace(Name, Arity, Facts)).

extension(Name, Arity, Facts) :-
    functor(Head, Name, Arity),
    findall(Head, Head, Found),
    sort(Found, Facts).

replace(Name, Arity, Facts) :-
    untable(Name/Arity),
    abolish(Name/Arity),
    dynamic(Name/Arity),
    forall(member(Fact, Facts), assertz(Fact)),
    compile_predicates([Name/Arity]).

% ---- playouts: a list of Length-Goals ----

play_many(Playouts, Seconds, Begin, Start, Roles, [Length-Goals|Results]) :-
    set_state(Start),
    play(Roles, 0, Length, Goals),
    !,
    statistics(cputime, Now),
    (   ( Playouts =:= 1 ; Seconds > 0, Now - Begin >= Seconds )
    ->  Results = []
    ;   Left is max(Playouts - 1, 0),
        play_many(Left, Seconds, Begin, Start, Roles, Results)
    ).

play(Roles, Length, Length, Goals) :-
    g_terminal,
    !,
    maplist(goal_of, Roles, Goals).
play(Roles, Before, Length, Goals) :-
    maplist(choose, Roles, Moves),
    maplist([Role, Move]>>assertz(g_does(Role, Move)), Roles, Moves),
    findall(Fluent, g_next(Fluent), Next),
    retractall(g_does(_, _)),
    sort(Next, State),
    set_state(State),
    Now is Before + 1,
    play(Roles, Now, Length, Goals).

goal_of(Role, Value) :- g_goal(Role, Value), !.

choose(Role, Move) :-
    findall(M, g_legal(Role, M), Found),
    sort(Found, Moves),
    random_member(Move, Moves).

set_state(Fluents) :-
    abolish_all_tables,
    forall(fluent_relation(Name, Arity), (functor(Any, Name, Arity), retractall(Any))),
    maplist(assert_fluent, Fluents).

assert_fluent(Fluent) :-
    Fluent =.. [Name|Arguments],
    atom_concat(f_, Name, Relation),
    Fact =.. [Relation|Arguments],
    assertz(Fact).

% ---- results ----

show(Results, Roles, Seconds) :-
    pairs_keys_values(Results, Lengths, Goals),
    length(Results, Count),
    sum_list(Lengths, States),
    Mean is States / Count,
    foldl([L, S, T]>>(T is S + (L - Mean) ** 2), Lengths, 0, Squares),
    Deviation is sqrt(Squares / Count),
    format('{"playouts":~d,"states":~d,"seconds":~6f,"mean_length":~6f,"length_deviation":~6f,',
           [Count, States, Seconds, Mean, Deviation]),
    format('"outcomes":{'),
    forall(nth0(I, Roles, Role), show_role(I, Role, Goals)),
    format('}}~n').

show_role(I, Role, Goals) :-
    ( I > 0 -> format(',') ; true ),
    findall(Value, (member(Values, Goals), nth0(I, Values, Value)), All),
    sum_list(All, Sum),
    length(All, Count),
    Mean is Sum / Count,
    msort(All, Sorted),
    clumped(Sorted, Counts),
    findall(Pair, (member(V-N, Counts), format(atom(Pair), '"~w":~d', [V, N])), Pairs),
    atomic_list_concat(Pairs, ',', Histogram),
    format('"~w":{"mean":~6f,"histogram":{~w}}', [Role, Mean, Histogram]).
