# The program `tabia-bdd`, where BuDDy is found: states counted by decision diagrams (src/buddy).
# Without it the method `bdd` says that it cannot be run.

option(TABIA_BDD "Build tabia-bdd where BuDDy is found" ON)
if(TABIA_BDD)
  find_path(BUDDY_INCLUDE bdd.h)
  find_library(BUDDY_LIBRARY bdd)
endif()
if(TABIA_BDD AND BUDDY_INCLUDE AND BUDDY_LIBRARY)
  file(GLOB bdd_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/buddy/*.c")
  list(FILTER bdd_files EXCLUDE REGEX "_(test|fuzz)\\.c$")
  add_executable(tabia_bdd ${bdd_files})
  target_link_libraries(tabia_bdd PRIVATE tabia_internal "${BUDDY_LIBRARY}")
  target_include_directories(tabia_bdd SYSTEM PRIVATE "${BUDDY_INCLUDE}")
  target_compile_options(tabia_bdd PRIVATE ${TABIA_WARNINGS})
  set_target_properties(tabia_bdd PROPERTIES OUTPUT_NAME tabia-bdd LINKER_LANGUAGE CXX)
else()
  message(STATUS "BuDDy (libbdd-dev) was not found: the method bdd is left out")
endif()
