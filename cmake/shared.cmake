# shared.cmake - libstarling.so: its name, and what it exports.
#
# While the major version is 0 every minor version may change the interface (semver.org, 4), so both are part
# of the soname: libstarling.so.0.2 is never taken for libstarling.so.0.3. From 1.0 on it is the major version alone.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
else()
    set(soversion ${PROJECT_VERSION_MAJOR})
endif()
set_target_properties(starling_shared PROPERTIES OUTPUT_NAME starling
    VERSION ${PROJECT_VERSION} SOVERSION ${soversion})

set(export_map ${CMAKE_BINARY_DIR}/starling.map)
configure_file(cmake/starling.map.in ${export_map} @ONLY)
target_link_options(starling_shared PRIVATE -Wl,--version-script=${export_map})
set_target_properties(starling_shared PROPERTIES LINK_DEPENDS ${export_map})
