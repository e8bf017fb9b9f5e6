# install.cmake - program, libraries, headers, pkg-config file, man pages, data. Target `installed`
# builds what is needed for it.
add_custom_target(installed)
add_dependencies(installed starling_static starling_shared)
if(TARGET starling)
    add_dependencies(installed starling)
    install(TARGETS starling RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# completion scripts, made by the program from its option tables
if(TARGET starling AND NOT CMAKE_CROSSCOMPILING)
    foreach(shell bash zsh fish)
        add_custom_command(OUTPUT completion.${shell} COMMAND starling completion ${shell} > completion.${shell}
            DEPENDS starling)
        list(APPEND completion_scripts ${CMAKE_BINARY_DIR}/completion.${shell})
    endforeach()
    add_custom_target(completion DEPENDS ${completion_scripts})
    add_dependencies(installed completion)
    install(FILES ${CMAKE_BINARY_DIR}/completion.bash OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME starling)
    install(FILES ${CMAKE_BINARY_DIR}/completion.zsh OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _starling)
    install(FILES ${CMAKE_BINARY_DIR}/completion.fish OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME starling.fish)
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

# man pages, as tools/make_man.py wrote them (lint/man checks that): installing needs no scdoc
file(GLOB man_pages CONFIGURE_DEPENDS docs/man/*.[1-9])
foreach(page ${man_pages})
    string(REGEX MATCH "[0-9]$" section ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
