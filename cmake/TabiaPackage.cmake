# `cpack --config build/release/CPackConfig.cmake`: an archive, and three packages for Debian: the
# program, the shared library, and what is needed to build with it.

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_CONTACT "The authors of Tabia")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL program development)
if(BUILD_SHARED_LIBS)
  list(APPEND CPACK_COMPONENTS_ALL library)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tabia)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gcc, gringo, swi-prolog-nox")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtabia${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtabia-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS # for the static library
    "g++, libbliss-dev, libcadical-dev, libjansson-dev, libxxhash-dev")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The shared library of Tabia.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The header and the static library of Tabia.")
if(BUILD_SHARED_LIBS)
  set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
endif()

# The libraries that a package needs are asked of the system that builds it.
find_program(TABIA_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TABIA_SHLIBDEPS)
if(TABIA_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()

include(CPack)
