# bliss, which searches for symmetries (src/symmetry), where it is found.  Without it there are none.

option(TABIA_BLISS "Search for symmetries where bliss is found" ON)
add_library(tabia_symmetry INTERFACE)
set(TABIA_SYMMETRY_LIBRARIES "")
if(TABIA_BLISS)
  find_path(BLISS_INCLUDE bliss/graph.hh)
  find_library(BLISS_LIBRARY bliss)
  find_path(GMP_INCLUDE gmp.h)
  find_library(GMP_LIBRARY gmp)
endif()
if(TABIA_BLISS AND BLISS_INCLUDE AND BLISS_LIBRARY AND GMP_INCLUDE AND GMP_LIBRARY)
  target_include_directories(tabia_symmetry SYSTEM INTERFACE "${BLISS_INCLUDE}" "${GMP_INCLUDE}")
  set_source_files_properties(src/symmetry/automorphism.cpp PROPERTIES
                              COMPILE_DEFINITIONS "TABIA_HAS_BLISS;BLISS_USE_GMP")
  target_link_libraries(tabia_symmetry INTERFACE "${BLISS_LIBRARY}" "${GMP_LIBRARY}")
  set(TABIA_SYMMETRY_LIBRARIES bliss gmp)
endif()
