# install.cmake - program, libraries, headers, pkg-config file, man pages, data. Target `installed`
# builds what is needed for it.
add_custom_target(installed)
add_dependencies(installed starling_static starling_shared)
if(TARGET starling)
    add_dependencies(installed starling)
    install(TARGETS starling RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS starling_static starling_shared
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/starling DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY data/networks data/accels data/constraints data/plans
    DESTINATION ${CMAKE_INSTALL_DATADIR}/starling OPTIONAL FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY data/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/starling FILES_MATCHING PATTERN "*.schema.json")

# the pkg-config file finds its prefix from where it lies, so an installed tree can be moved
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/starling.pc.in starling.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/starling.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# docs/man/NAME.SECTION.scd -> NAME.SECTION
find_program(SCDOC scdoc)
file(GLOB man_sources CONFIGURE_DEPENDS docs/man/*.scd)
if(NOT SCDOC)
    message(STATUS "scdoc not found: no man pages")
    install(CODE "message(NOTICE \"No man page was installed: scdoc is missing (scripts/install-deps build brings it)\")")
elseif(man_sources)
    foreach(source ${man_sources})
        get_filename_component(page ${source} NAME_WLE)
        string(REGEX MATCH "[0-9]$" section ${page})
        add_custom_command(OUTPUT ${page}
            COMMAND ${SCDOC} < ${source} > ${page}
            DEPENDS ${source})
        list(APPEND man_pages ${CMAKE_BINARY_DIR}/${page})
        install(FILES ${CMAKE_BINARY_DIR}/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
    endforeach()
    add_custom_target(man ALL DEPENDS ${man_pages})
    add_dependencies(installed man)
endif()
