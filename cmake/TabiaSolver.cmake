# The SAT solver behind src/induct.  It is written in C++ and has no pkg-config file.

find_path(CADICAL_INCLUDE ccadical.h REQUIRED)
find_library(CADICAL_LIBRARY cadical REQUIRED)
add_library(tabia_solver INTERFACE)
target_include_directories(tabia_solver SYSTEM INTERFACE "${CADICAL_INCLUDE}")
target_link_libraries(tabia_solver INTERFACE "${CADICAL_LIBRARY}")
