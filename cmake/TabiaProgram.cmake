# The program `tabia`: src/cli and what only the program does, src/ggp, src/lsp and src/serve.

file(GLOB_RECURSE program_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/*.c"
     "${PROJECT_SOURCE_DIR}/src/ggp/*.c" "${PROJECT_SOURCE_DIR}/src/lsp/*.c"
     "${PROJECT_SOURCE_DIR}/src/serve/*.c")
list(FILTER program_files EXCLUDE REGEX "_(test|fuzz)\\.c$")
list(REMOVE_ITEM program_files "${PROJECT_SOURCE_DIR}/src/cli/main.c")

# The page of `tabia serve`, where web/build has made it and it is wanted; else an empty table.
add_executable(embed_page tools/embed_page.c)
target_compile_options(embed_page PRIVATE ${TABIA_WARNINGS})
if(TABIA_PAGE)
  file(GLOB_RECURSE page_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/dist/*")
endif()
add_custom_command(
  OUTPUT "${TABIA_GENERATED}/page_table.c"
  COMMAND embed_page "${PROJECT_SOURCE_DIR}/web/dist" "${TABIA_GENERATED}/page_table.c" ${page_files}
  DEPENDS embed_page ${page_files}
  COMMENT "Embedding the page"
  VERBATIM)

# All but main(), so that tests can link it.
add_library(tabia_cli STATIC ${program_files} "${TABIA_GENERATED}/page_table.c")
target_link_libraries(tabia_cli PUBLIC tabia_internal PkgConfig::SQLITE)
target_compile_options(tabia_cli PRIVATE ${TABIA_WARNINGS})

add_executable(tabia_program src/cli/main.c)
target_link_libraries(tabia_program PRIVATE tabia_cli)
target_compile_options(tabia_program PRIVATE ${TABIA_WARNINGS})
set_target_properties(tabia_program PROPERTIES OUTPUT_NAME tabia)
# The dynamic loader takes 0.7 ms for the C++ library, more than most games take to ground.  Sanitizers
# need it to be shared.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_link_options(tabia_program PRIVATE -static-libstdc++ -static-libgcc)
endif()
