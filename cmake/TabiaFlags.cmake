# How every file is compiled.  All are C but src/sat/sat_core.cpp, which meets the solver.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Our own code is held to these; generated code is not.
set(TABIA_WARNINGS
    -Wall -Wextra -Wpedantic -Wstrict-prototypes -Wmissing-prototypes
    -Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef
    -Wformat=2 -Wdouble-promotion)
# Types have plain names (`rule`, `text`) that a local may take over; gcc alone minds that.
list(APPEND TABIA_WARNINGS $<IF:$<C_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>)
set(TABIA_CXX_WARNINGS -Wall -Wextra -Wpedantic -Wcast-qual -Wshadow)
if(TABIA_WERROR)
  list(APPEND TABIA_WARNINGS -Werror)
  list(APPEND TABIA_CXX_WARNINGS -Werror)
endif()

# What clang writes by default valgrind cannot read.
add_compile_options($<$<C_COMPILER_ID:Clang>:-gdwarf-4>)

add_compile_definitions(_GNU_SOURCE)
add_link_options(-Wl,--as-needed)
