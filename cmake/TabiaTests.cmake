# Tests.  All of them speak TAP, so that ./test can count single cases.
#
# Labels: unit, golden, fuzz (what depends on the build), threads (those of them that start threads,
# and all of the program's), source (what looks at the sources),
# corpus (the public games beside the checkout; the long tier), slow (of the long tier, too, but
# too slow for sanitizers), valgrind, search (for new inputs of the fuzz targets).

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

file(GLOB_RECURSE unit_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*_test.c")
file(GLOB_RECURSE fuzz_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*_fuzz.c")

# Sets `folder` (machine/lanes) and `name` for src/folder/name_KIND.c.
macro(split_name file kind)
  get_filename_component(folder "${file}" DIRECTORY)
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${folder}")
  get_filename_component(name "${file}" NAME)
  string(REGEX REPLACE "_${kind}\\.c$" "" name "${name}")
endmacro()

set(folders_with_threads "^(prove|states|solve|api|ggp|lsp|serve)")
set(tests_with_threads compiled_machine bulk_playouts perft playout team)
foreach(file IN LISTS unit_files)
  split_name("${file}" test)
  add_executable(${name}_test "${file}")
  target_link_libraries(${name}_test PRIVATE tabia_cli PkgConfig::CMOCKA)
  target_compile_options(${name}_test PRIVATE ${TABIA_WARNINGS})
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unit")
  add_test(NAME ${folder}/${name} COMMAND ${name}_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(labels unit)
  if(folder MATCHES "${folders_with_threads}" OR name IN_LIST tests_with_threads)
    list(APPEND labels threads)
  endif()
  set_tests_properties(${folder}/${name} PROPERTIES
    LABELS "${labels}" TIMEOUT 900 ENVIRONMENT CMOCKA_MESSAGE_OUTPUT=TAP)
  if(TARGET tabia_bdd)
    add_dependencies(${name}_test tabia_bdd)
    set_property(TEST ${folder}/${name} APPEND PROPERTY
                 ENVIRONMENT "TABIA_BDD=$<TARGET_FILE:tabia_bdd>")
  endif()
endforeach()

# With libFuzzer a target can look for new inputs; it always replays those that are kept.
add_custom_target(fuzzers)
foreach(file IN LISTS fuzz_files)
  split_name("${file}" fuzz)
  add_executable(${name}_fuzz "${file}")
  add_dependencies(fuzzers ${name}_fuzz)
  target_link_libraries(${name}_fuzz PRIVATE tabia_cli)
  target_compile_options(${name}_fuzz PRIVATE ${TABIA_WARNINGS} -Wno-missing-prototypes)
  set_target_properties(${name}_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  if(TABIA_FUZZ)
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name}_fuzz PRIVATE tools/replay.c)
  endif()
  add_test(NAME fuzz/${name} COMMAND tests/fuzz replay $<TARGET_FILE:${name}_fuzz>
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 900)
endforeach()

# A script of tests/ that is given the program.
function(add_script_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 900 SKIP_RETURN_CODE 77
    ENVIRONMENT "TABIA=$<TARGET_FILE:tabia_program>;BUILD=${PROJECT_BINARY_DIR}")
endfunction()

# A program of tools/ on the inner functions of the library.
function(add_tool name)
  add_executable(${name} tools/${name}.c)
  target_link_libraries(${name} PRIVATE tabia_cli)
  target_compile_options(${name} PRIVATE ${TABIA_WARNINGS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tools")
endfunction()

file(GLOB golden_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/golden/*/cmd")
foreach(file IN LISTS golden_files)
  get_filename_component(name "${file}" DIRECTORY)
  get_filename_component(name "${name}" NAME)
  add_script_test(golden/${name} "golden;threads" tests/golden/run ${name})
endforeach()

add_script_test(readme source tests/readme)
add_script_test(first-game source tests/readme docs/first-game.md)
add_script_test(matches source tests/matches)
add_script_test(serve source tests/serve)
add_script_test(layers source tests/layers)
add_script_test(format source tests/format)
add_script_test(manual source tests/manual)
add_script_test(json source tests/json)
add_script_test(links source tests/links)
add_script_test(why-faults source tests/why-faults)
add_script_test(rule-tests source tests/rule-tests)
add_script_test(diff-copies slow tests/diff-copies)
add_script_test(authoring source tests/authoring)
add_script_test(authoring/all slow tests/authoring all)
add_script_test(install source tests/install)
add_script_test(deep-terms source tests/deep-terms)

add_script_test(valgrind valgrind tests/valgrind $<TARGET_FILE:tabia_program>)
if(TABIA_FUZZ)
  add_script_test(fuzzing search tests/fuzz search ${PROJECT_BINARY_DIR}/fuzz)
endif()

# What a command takes, for tests/limits.
add_executable(measure tools/measure.c)
target_compile_options(measure PRIVATE ${TABIA_WARNINGS})
set_target_properties(measure PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tools")
add_script_test(limits source tests/limits quick)
add_script_test(limits/sample slow tests/limits sample)
set_tests_properties(limits/sample PROPERTIES RUN_SERIAL ON)
set_property(TEST limits limits/sample APPEND PROPERTY ENVIRONMENT LIMITS_SECONDS=2.5)

# Each of these uses all cores.
foreach(part read sound quiet faulty format traces)
  add_script_test(corpus/${part} corpus tests/corpus ${part})
  set_tests_properties(corpus/${part} PROPERTIES TIMEOUT 9000 RUN_SERIAL ON)
endforeach()

# The counts in games/README.md, three grounders that must agree, texts and searches for other
# programs, packages, and random games against solvers in Python.
foreach(name perft methods ground-texts prolog-search aiger package solve random-games)
  add_script_test(${name} slow tests/${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endforeach()

# Every benchmark in its smallest form.
add_script_test(benches slow tests/benches)
set_tests_properties(benches PROPERTIES RUN_SERIAL ON)

# Several processes by MPI.
add_script_test(mpi slow tests/mpi)
set_tests_properties(mpi PROPERTIES TIMEOUT 600)

# The language server and its clients.
add_script_test(lsp slow tests/lsp)

# The studio's page in Chromium.  The page is built first, and the program again with it.
add_script_test(studio slow tests/studio)
set_tests_properties(studio PROPERTIES RUN_SERIAL ON TIMEOUT 2000)

# Attacks on the server, and 200 analysers at once.
add_script_test(siege slow bench/siege --short)
set_tests_properties(siege PROPERTIES RUN_SERIAL ON)

# The Python package, as it is built and as a wheel.
add_script_test(python slow tests/python)
set_property(TEST python APPEND PROPERTY ENVIRONMENT "WHEEL_TESTS=test_rules.py test_spiel.py")
set_tests_properties(python PROPERTIES RUN_SERIAL ON)

# Traces of the public games, replayed on ground rules.
add_tool(replay_ground)
add_script_test(corpus/replay slow tests/corpus-ground)
set_tests_properties(corpus/replay PROPERTIES TIMEOUT 9000 RUN_SERIAL ON)
set_property(TEST corpus/replay APPEND PROPERTY ENVIRONMENT GROUND_SECONDS=2)

# The same traces on the machines that are made of circuits.
add_script_test(corpus/play slow tests/corpus-play)
set_tests_properties(corpus/play PROPERTIES TIMEOUT 9000 RUN_SERIAL ON)
set_property(TEST corpus/play APPEND PROPERTY ENVIRONMENT PLAY_SECONDS=5)

# Native, gringo and SWI-Prolog on the public games: a sample, a second each.
add_script_test(corpus/methods slow tests/corpus-methods)
set_tests_properties(corpus/methods PROPERTIES TIMEOUT 9000 RUN_SERIAL ON)
set_property(TEST corpus/methods APPEND PROPERTY ENVIRONMENT METHODS_SECONDS=2 CORPUS_STEP=9)

# Are moves drawn uniformly?  As the unit test asks, with more draws.
add_test(NAME machine/lanes/lane_choice/long COMMAND lane_choice_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(machine/lanes/lane_choice/long PROPERTIES LABELS slow TIMEOUT 600
  ENVIRONMENT "CMOCKA_MESSAGE_OUTPUT=TAP;LANE_DRAWS=10000000")

# Forged certificates, as the unit test tries them, and more.
add_test(NAME prove/forgery/long COMMAND forgery_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(prove/forgery/long PROPERTIES LABELS slow TIMEOUT 600
  ENVIRONMENT "CMOCKA_MESSAGE_OUTPUT=TAP;FORGERIES=30000;FORGERY_SEED=1000")

# The frame encodings of every game, against its own rules.
add_tool(compare_encodings)

# Random edits and messages for the language server, and how long it takes: tests/lsp, bench/lsp.
add_tool(lsp_storm)

# Mutated messages for both ends of the match protocol: tests/matches.
add_tool(ggp_storm)

# New names for things keep the meaning: tests/lsp.
add_tool(rename_check)

# For bench/frame.
add_tool(step_speed)

# For docs/bench/strength.md.
add_tool(tree_images)

# For docs/search.md.
add_tool(dark_response)

# The compiled machine under every knowledge base, against `reference`.  Here a sample of the games;
# without the environment the scripts take all of them, for hours.
add_tool(compare_compiled)

# For bench/batch.
add_tool(batch_speed)

# For bench/compile.
add_tool(compiled_speed)
add_script_test(corpus/compiled slow tests/corpus-compiled)
set_tests_properties(corpus/compiled PROPERTIES TIMEOUT 9000 RUN_SERIAL ON)
set_property(TEST corpus/compiled APPEND PROPERTY
  ENVIRONMENT COMPILED_SECONDS=2 COMPILED_STATES=60 CORPUS_STEP=16)
add_script_test(corpus/frame slow tests/corpus-frame)
set_tests_properties(corpus/frame PROPERTIES TIMEOUT 9000 RUN_SERIAL ON)
set_property(TEST corpus/frame APPEND PROPERTY
  ENVIRONMENT FRAME_SECONDS=2 FRAME_STATES=60 CORPUS_STEP=12)
