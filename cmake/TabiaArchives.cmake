# Libraries that every start of the program would have to load are linked as archives where these are
# installed: most games are grounded in less time than two libraries take to load.

# tabia_prefer_archive(TARGET NAME): the imported target links libNAME.a, if that is there.
function(tabia_prefer_archive target name)
  if(TABIA_SHARED) # archives need not be position-independent
    return()
  endif()
  find_library(TABIA_ARCHIVE_${name} lib${name}.a)
  mark_as_advanced(TABIA_ARCHIVE_${name})
  if(TABIA_ARCHIVE_${name})
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${TABIA_ARCHIVE_${name}}")
  endif()
endfunction()

tabia_prefer_archive(PkgConfig::XXHASH xxhash)
tabia_prefer_archive(PkgConfig::JANSSON jansson)

# The solver brings the C++ library with it, the slowest of all to load.
if(NOT TABIA_SHARED)
  add_link_options(-static-libgcc)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
                  OUTPUT_VARIABLE stdcxx_archive OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(IS_ABSOLUTE "${stdcxx_archive}" AND EXISTS "${stdcxx_archive}")
    get_target_property(solver_libraries tabia_solver INTERFACE_LINK_LIBRARIES)
    list(TRANSFORM solver_libraries REPLACE "^stdc\\+\\+$" "${stdcxx_archive}")
    set_target_properties(tabia_solver PROPERTIES INTERFACE_LINK_LIBRARIES "${solver_libraries}")
  endif()
endif()

# The C library as well: without a dynamic linker the program starts in two thirds of the time.  Then
# it has to load compiled games by itself, which it can where src/base/shared_object.h says so.
# Builds that look for faults stay dynamic: sanitizers and valgrind put themselves before the library.
include(CheckSourceCompiles)
set(TABIA_LINK_STATIC OFF)
get_target_property(solver_libraries tabia_solver INTERFACE_LINK_LIBRARIES)
set(all_are_archives OFF)
if(TABIA_ARCHIVE_xxhash AND TABIA_ARCHIVE_jansson AND NOT solver_libraries MATCHES "stdc\\+\\+(;|$)"
   AND NOT solver_libraries MATCHES "[.]so")
  set(all_are_archives ON)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND all_are_archives AND NOT TABIA_SHARED
   AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
  set(CMAKE_REQUIRED_INCLUDES "${PROJECT_SOURCE_DIR}/src")
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
  set(CMAKE_REQUIRED_LIBRARIES m)
  check_source_compiles(C "
    #include <math.h>
    #include \"base/shared_object.h\"
    #if !SHARED_OBJECT_LOADS_ELF
    #error needs dlopen
    #endif
    int main(int argc, char **argv) { (void)argv; return (int)log(argc); }" TABIA_CAN_LINK_STATIC)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(TABIA_LINK_STATIC ${TABIA_CAN_LINK_STATIC})
endif()
