# tests_program.cmake - the program from outside (bats, generated inputs), the tools, and the
# examples, which must run.
find_program(BATS bats)
file(GLOB cli_tests CONFIGURE_DEPENDS cli/*.bats)
if(BATS AND TARGET starling)
    foreach(file ${cli_tests})
        get_filename_component(name ${file} NAME_WE)
        add_check(cli/${name} cli ${BATS} ${file})
    endforeach()
endif()

# a search method as a shared object; tests/cli/own_method.bats uses it
add_library(example_method MODULE ${PROJECT_SOURCE_DIR}/examples/method/halving.c)
target_include_directories(example_method PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(example_method PRIVATE starling_flags)
set_target_properties(example_method PROPERTIES PREFIX "" OUTPUT_NAME halving SUFFIX ".so"
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)

# generated networks and accelerators through the commands; more of them by hand (CONTRIBUTING.md)
if(TARGET starling)
    add_check(generated/commands generated ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/tools/run_generated.py
        --program $<TARGET_FILE:starling> --first 1 --count 30 --jobs 2)
    # a world with 63,225 ways to spread work: proven and verified
    add_check(generated/many_branches generated ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/tools/run_generated.py
        --program $<TARGET_FILE:starling> --first 277 --count 1 --only prove)
endif()

file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/[0-9][0-9]_*.c)
foreach(source ${examples})
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    target_link_libraries(example_${name} PRIVATE starling_flags starling_static)
    add_check(examples/${name} examples example_${name})
endforeach()

# the tools beside the program
file(GLOB tool_tests CONFIGURE_DEPENDS tools/test_*.py)
foreach(source ${tool_tests})
    get_filename_component(name ${source} NAME_WE)
    add_check(tools/${name} tools ${PYTHON3} ${source})
endforeach()
