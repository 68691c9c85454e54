# Code and pages that are made at build time.  They stay in the build folder.

set(TABIA_GENERATED "${PROJECT_BINARY_DIR}/generated")
configure_file("${PROJECT_SOURCE_DIR}/cmake/version.c.in" "${TABIA_GENERATED}/version.c" @ONLY)

add_executable(embed tools/embed.c)
add_executable(list_codes tools/list_codes.c)
foreach(tool embed list_codes)
  target_compile_options(${tool} PRIVATE ${TABIA_WARNINGS})
  target_include_directories(${tool} PRIVATE src)
endforeach()

# Built-in games.
file(GLOB game_files CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/games/*.kif" "${PROJECT_SOURCE_DIR}/games/faulty/*.kif")
set(game_list "${TABIA_GENERATED}/games.list")
string(REPLACE ";" "\n" game_lines "${game_files}")
file(CONFIGURE OUTPUT "${game_list}" CONTENT "${game_lines}\n" @ONLY)
add_custom_command(
  OUTPUT "${TABIA_GENERATED}/builtin_table.c"
  COMMAND embed "${PROJECT_SOURCE_DIR}/games/" "${game_list}" "${TABIA_GENERATED}/builtin_table.c"
  DEPENDS embed "${game_list}" ${game_files}
  COMMENT "Embedding the built-in games"
  VERBATIM)

# The manual's table of diagnostics.
add_custom_command(
  OUTPUT "${TABIA_GENERATED}/tabia-codes.7"
  COMMAND list_codes "${PROJECT_VERSION}" "${TABIA_GENERATED}/tabia-codes.7"
  DEPENDS list_codes
  COMMENT "Writing the table of diagnostics"
  VERBATIM)
add_custom_target(man_pages ALL DEPENDS "${TABIA_GENERATED}/tabia-codes.7")

# The headers that compiled games need, as texts: `tabia compile` writes them out.
function(embed_header variable file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
  file(READ "${PROJECT_SOURCE_DIR}/${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  set(${variable} "${bytes}" PARENT_SCOPE)
endfunction()
embed_header(GAME_HEADER_BYTES src/compile/tabia_game.h)
embed_header(RUNTIME_HEADER_BYTES src/compile/runtime/tabia_runtime.h)
configure_file("${PROJECT_SOURCE_DIR}/cmake/runtime_text.c.in" "${TABIA_GENERATED}/runtime_text.c"
               @ONLY)
