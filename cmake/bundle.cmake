# bundle.cmake - the YAML files and flocks of data/ as a C file inside the library: ${bundle_source}.
file(GLOB bundled_data CONFIGURE_DEPENDS
    data/networks/*.yaml data/accels/*.yaml data/constraints/*.yaml data/plans/*.yaml
    data/flocks/*.flock)
set(bundle_source ${CMAKE_BINARY_DIR}/bundled_data.c)

# a file that changes when one is added or removed
list(JOIN bundled_data "\n" bundled_list)
file(CONFIGURE OUTPUT bundled_data.txt CONTENT "${bundled_list}\n" @ONLY)

add_custom_command(
    OUTPUT ${bundle_source}
    COMMAND ${CMAKE_COMMAND} -D DATA=${CMAKE_CURRENT_SOURCE_DIR}/data -D OUT=${bundle_source}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${bundled_data} ${CMAKE_BINARY_DIR}/bundled_data.txt cmake/embed.cmake
    COMMENT "Bundling data files"
    VERBATIM)
