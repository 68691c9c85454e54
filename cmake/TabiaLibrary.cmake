# libtabia: every folder of src but the front ends: ggp, lsp, serve, cli and mpi.

file(GLOB_RECURSE library_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.c"
     "${PROJECT_SOURCE_DIR}/src/*.cpp")
list(FILTER library_files EXCLUDE REGEX "/src/(buddy|cli|ggp|lsp|mpi|serve)/|_(test|fuzz)\\.c$")

# clang's optimiser takes two minutes over the 256 cases of each engine once they are instrumented,
# and a tenth of that without it.
if(TABIA_FUZZ)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/machine/lanes/lane_engine.c"
                              PROPERTIES COMPILE_OPTIONS -O0)
endif()

add_library(tabia_objects OBJECT ${library_files} "${TABIA_GENERATED}/version.c"
            "${TABIA_GENERATED}/runtime_text.c" "${TABIA_GENERATED}/builtin_table.c")
set_source_files_properties("${TABIA_GENERATED}/builtin_table.c" PROPERTIES
                            COMPILE_OPTIONS -Wno-overlength-strings)
target_include_directories(tabia_objects PUBLIC src include)
target_compile_options(tabia_objects PRIVATE
  "$<$<COMPILE_LANGUAGE:C>:${TABIA_WARNINGS}>" "$<$<COMPILE_LANGUAGE:CXX>:${TABIA_CXX_WARNINGS}>")
target_link_libraries(tabia_objects PUBLIC PkgConfig::XXHASH PkgConfig::JANSSON tabia_solver tabia_symmetry Threads::Threads m ${CMAKE_DL_LIBS})

# What the program and the tests link: all names can be reached.
add_library(tabia_internal STATIC)
target_link_libraries(tabia_internal PUBLIC tabia_objects)

# What is installed: one object whose hidden names are made local, so that a program which links
# libtabia.a meets only the names of tabia.h.  What C++ shares among objects by name must lose its
# groups first, or a program in C++ would be given half of one.
set(public_object "${PROJECT_BINARY_DIR}/public/tabia.o")
# binutils, whatever the compiler: lld does not know --force-group-allocation.
find_program(TABIA_LD NAMES ld.bfd ld REQUIRED)
find_program(TABIA_OBJCOPY NAMES objcopy REQUIRED)
mark_as_advanced(TABIA_LD TABIA_OBJCOPY)
add_custom_command(
  OUTPUT "${public_object}"
  COMMAND ${CMAKE_COMMAND} -E make_directory "${PROJECT_BINARY_DIR}/public"
  COMMAND ${TABIA_LD} -r --force-group-allocation -o "${public_object}" $<TARGET_OBJECTS:tabia_objects>
  COMMAND ${TABIA_OBJCOPY} --localize-hidden "${public_object}"
  DEPENDS tabia_objects $<TARGET_OBJECTS:tabia_objects>
  COMMENT "Hiding the library's inner names"
  COMMAND_EXPAND_LISTS VERBATIM)
add_library(tabia STATIC "${public_object}")
set_target_properties(tabia PROPERTIES LINKER_LANGUAGE C EXPORT_NAME tabia_static)
target_include_directories(tabia INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

# What a program must link beside libtabia.a: the C++ library is what a C++ compiler adds by itself.
set(cxx_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM cxx_libraries ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
set(beside_archive cadical ${TABIA_SYMMETRY_LIBRARIES} xxhash jansson ${cxx_libraries} ${CMAKE_DL_LIBS} m)
list(REMOVE_DUPLICATES beside_archive)
target_link_libraries(tabia INTERFACE "$<INSTALL_INTERFACE:${beside_archive}>" Threads::Threads)
list(TRANSFORM beside_archive PREPEND "-l")
list(JOIN beside_archive " " TABIA_PRIVATE_LINK)
string(APPEND TABIA_PRIVATE_LINK " -pthread")
set(TABIA_PUBLIC_LINK "") # for pkg-config: what a program must link when it does not say --static

if(BUILD_SHARED_LIBS)
  add_library(tabia_shared SHARED)
  target_link_libraries(tabia_shared PRIVATE tabia_objects)
  target_include_directories(tabia_shared INTERFACE
                             "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set(shown_names "${PROJECT_SOURCE_DIR}/cmake/libtabia.map")
  target_link_options(tabia_shared PRIVATE "LINKER:--version-script=${shown_names}")
  set_target_properties(tabia_shared PROPERTIES
    OUTPUT_NAME tabia EXPORT_NAME tabia LINK_DEPENDS "${shown_names}"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
else()
  set(TABIA_PUBLIC_LINK "${TABIA_PRIVATE_LINK}")
endif()
