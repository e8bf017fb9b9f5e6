# tests_lint.cmake - what is checked without building: modules, public names, style, claims, links, format, clang-tidy, shell scripts.
add_check(lint/modules lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_modules.py)
add_check(lint/api lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_api.py)
add_check(lint/api_page lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/make_api.py --check)
add_check(lint/texts lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_texts.py)
add_check(lint/man lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/make_man.py --check)
add_check(lint/style lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_style.py)
add_check(lint/claims lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_claims.py --text)
add_check(lint/docs lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_docs.py)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64") # what has clones
    add_check(lint/vectors lint ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_vectors.py ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
endif()

find_program(CLANG_FORMAT clang-format)
if(CLANG_FORMAT)
    add_check(lint/format lint ${PROJECT_SOURCE_DIR}/scripts/format --check)
endif()
find_program(SHELLCHECK shellcheck)
if(SHELLCHECK)
    file(GLOB shell_scripts CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/scripts/* ${PROJECT_SOURCE_DIR}/.ci/run tools/test_install tools/test_cpp cli/*.bats)
    add_check(lint/shell lint ${SHELLCHECK} ${shell_scripts})
endif()

# clang-tidy: a stamp per file, so that only what changed is checked again. The analyzer gives up on a function after so many
# states; its own default, 225000, takes four times as long.
set(STARLING_TIDY_NODES 60000 CACHE STRING "states that clang-tidy's analyzer visits in a function")
find_program(CLANG_TIDY clang-tidy)
if(CLANG_TIDY)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tidy)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.h
        ${PROJECT_SOURCE_DIR}/programs/*.h)
    file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/[0-9][0-9]_*.c)
    foreach(source ${library_sources} ${program_sources} ${examples})
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
        string(REPLACE "/" "_" stamp ${name}.ok)
        set(stamp ${PROJECT_BINARY_DIR}/tidy/${stamp})
        add_custom_command(OUTPUT ${stamp}
            COMMAND ${CLANG_TIDY} --quiet -p ${PROJECT_BINARY_DIR} --extra-arg=-Xclang --extra-arg=-analyzer-config
                --extra-arg=-Xclang --extra-arg=max-nodes=${STARLING_TIDY_NODES} ${source}
            COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
            DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/.clang-tidy
            COMMENT "clang-tidy ${name}"
            VERBATIM)
        list(APPEND tidy_stamps ${stamp})
    endforeach()
    add_custom_target(tidy DEPENDS ${tidy_stamps})
    add_check(lint/tidy lint ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target tidy -- -k 0)
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    set_tests_properties(lint/tidy PROPERTIES PROCESSORS ${cores} COST 1000) # it runs in parallel itself
endif()

# the library for another architecture, as far as its syntax goes
find_program(ARM64_GCC aarch64-linux-gnu-gcc)
if(ARM64_GCC)
    add_check(lint/arm64 lint ${ARM64_GCC} -fsyntax-only -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Werror
        -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src -idirafter /usr/include ${library_sources})
endif()
