# `cmake --install build/release --prefix PLACE`
#
# Components: program; mpi, where MPI was found; library, which programs need that are linked with libtabia; development.

include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tabia)
install(TARGETS tabia_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(TARGET tabia_bdd)
  install(TARGETS tabia_bdd RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
if(TARGET tabia_mpi)
  install(TARGETS tabia_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi EXCLUDE_FROM_ALL)
endif()
install(TARGETS tabia EXPORT TabiaTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(BUILD_SHARED_LIBS)
  install(TARGETS tabia_shared EXPORT TabiaTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
          NAMELINK_COMPONENT development)
endif()

# For those who build with it: the header, and what CMake and pkg-config need to know.
file(RELATIVE_PATH up_to_prefix "/place/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/place/x")
cmake_path(GET up_to_prefix PARENT_PATH up_to_prefix)
configure_file(tabia.pc.in "${PROJECT_BINARY_DIR}/tabia.pc" @ONLY)
configure_package_config_file(cmake/TabiaConfig.cmake.in
  "${PROJECT_BINARY_DIR}/TabiaConfig.cmake" INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TabiaConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(EXPORT TabiaTargets NAMESPACE Tabia:: DESTINATION ${config_folder} COMPONENT development)
install(FILES "${PROJECT_BINARY_DIR}/TabiaConfig.cmake"
              "${PROJECT_BINARY_DIR}/TabiaConfigVersion.cmake"
        DESTINATION ${config_folder} COMPONENT development)
install(FILES include/tabia.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES "${PROJECT_BINARY_DIR}/tabia.pc"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

set(share ${CMAKE_INSTALL_DATADIR})
install(FILES man/tabia.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES "${TABIA_GENERATED}/tabia-codes.7"
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES LICENSE DESTINATION ${share}/doc/libtabia-dev COMPONENT development)
if(BUILD_SHARED_LIBS)
  install(FILES LICENSE DESTINATION ${share}/doc/libtabia${PROJECT_VERSION_MAJOR} COMPONENT library)
endif()
install(FILES completions/tabia.bash
        DESTINATION ${share}/bash-completion/completions RENAME tabia COMPONENT program)
install(FILES completions/_tabia DESTINATION ${share}/zsh/site-functions COMPONENT program)
install(FILES completions/tabia.fish
        DESTINATION ${share}/fish/vendor_completions.d COMPONENT program)
