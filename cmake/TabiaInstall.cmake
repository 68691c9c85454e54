# `cmake --install build/release --prefix PLACE`

configure_file(tabia.pc.in "${PROJECT_BINARY_DIR}/tabia.pc" @ONLY)

install(TARGETS tabia_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS tabia ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TABIA_SHARED)
  install(TARGETS tabia_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES include/tabia.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES "${PROJECT_BINARY_DIR}/tabia.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES man/tabia.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${TABIA_GENERATED}/tabia-codes.7" DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES completions/tabia.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tabia)
install(FILES completions/_tabia DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/tabia.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
