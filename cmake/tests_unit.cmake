# tests_unit.cmake - every tests/<module>/test_*.c as a cmocka program and a test "<module>/test_*".
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
    message(STATUS "cmocka not found: no unit tests (scripts/install-deps test)")
    return()
endif()

# what every test program is compiled and linked with; src/ is open to tests
add_library(test_base INTERFACE)
target_include_directories(test_base INTERFACE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(test_base INTERFACE
    starling_flags starling_static PkgConfig::JANSSON PkgConfig::YAML PkgConfig::CMOCKA PkgConfig::SQLITE PkgConfig::ZLIB Threads::Threads m)
target_compile_definitions(test_base INTERFACE
    SL_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SL_STARLING="${PROJECT_BINARY_DIR}/starling")

# helpers shared by several tests: an archive per folder
function(add_helpers target)
    if(ARGN)
        add_library(${target} STATIC EXCLUDE_FROM_ALL ${ARGN})
        target_link_libraries(${target} PUBLIC test_base)
    endif()
endfunction()
file(GLOB support_sources CONFIGURE_DEPENDS support/*.c)
add_helpers(test_support ${support_sources})

file(GLOB test_sources CONFIGURE_DEPENDS */test_*.c)
foreach(source ${test_sources})
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(module ${folder} NAME)
    if(name MATCHES "_release$")
        set(build release)
    else()
        set(build dev)
    endif()
    if(NOT STARLING_TESTS STREQUAL build)
        continue()
    endif()

    if(NOT TARGET ${module}_helpers)
        file(GLOB helpers CONFIGURE_DEPENDS ${folder}/*.c)
        list(FILTER helpers EXCLUDE REGEX "/(test|long)_[^/]*$")
        add_helpers(${module}_helpers ${helpers})
    endif()

    add_executable(${module}_${name} ${source})
    set_target_properties(${module}_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${module})
    foreach(library ${module}_helpers test_support)
        if(TARGET ${library})
            target_link_libraries(${module}_${name} PRIVATE ${library})
        endif()
    endforeach()
    target_link_libraries(${module}_${name} PRIVATE test_base)
    add_check(${module}/${name} ${module} ${module}_${name})
    if(build STREQUAL "release")
        set_tests_properties(${module}/${name} PROPERTIES RUN_SERIAL ON) # they measure time
    endif()
endforeach()

# runs of hours, built when asked for: cmake --build build/release --target long_oracle
file(GLOB long_sources CONFIGURE_DEPENDS */long_*.c)
if(NOT STARLING_TESTS STREQUAL "release")
    set(long_sources "")
endif()
foreach(source ${long_sources})
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(module ${folder} NAME)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${module})
    target_link_libraries(${name} PRIVATE ${module}_helpers test_base)
endforeach()

# every bound broken a little must be noticed by the checks of the bounds
if(STARLING_TESTS STREQUAL "release" AND TARGET long_bound)
    add_check(cost/mutants cost ${CMAKE_CURRENT_SOURCE_DIR}/cost/mutants.py ${PROJECT_BINARY_DIR})
    set_tests_properties(cost/mutants PROPERTIES RUN_SERIAL ON)
endif()
