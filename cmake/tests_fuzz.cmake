# tests_fuzz.cmake - tests/fuzz/fuzz_*.c. With libFuzzer (preset fuzz, clang): a short search from
# the seeds. Otherwise: the seeds are replayed, so that something always runs.
set(STARLING_FUZZ_SECONDS 10 CACHE STRING "how long each fuzz target searches as a test")

file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
    get_filename_component(name ${source} NAME_WE)
    set(seeds ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/seeds/${name})
    if(NOT IS_DIRECTORY ${seeds})
        set(seeds "")
    endif()

    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE starling_flags starling_static)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-missing-prototypes) # its entry has no header
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fuzz)

    if(STARLING_SANITIZE MATCHES "fuzzer")
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        set(found ${CMAKE_CURRENT_BINARY_DIR}/fuzz/corpus_${name})
        file(MAKE_DIRECTORY ${found})
        set(dictionary "")
        if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name}.dict)
            set(dictionary -dict=${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name}.dict)
        endif()
        add_check(fuzz/${name} fuzz ${name} -max_total_time=${STARLING_FUZZ_SECONDS} -timeout=10
            -rss_limit_mb=2048 -seed=1 -print_final_stats=1 -verbosity=0
            -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/fuzz/ ${dictionary} ${found} ${seeds})
    else()
        target_sources(${name} PRIVATE fuzz/replay.c)
        add_check(fuzz/${name} fuzz ${name} ${seeds})
    endif()
endforeach()
