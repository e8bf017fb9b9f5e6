# tests_api.cmake - the public interface: what libstarling.so exports, and its headers in C++.
add_check(api/symbols api ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/check_api.py
    --library $<TARGET_FILE:starling_shared>)

# C++ is not a language of this project: its compiler is called as a user would
find_program(CXX_COMPILER g++)
if(CXX_COMPILER)
    set(cxx_flags "")
    if(STARLING_SANITIZE)
        set(cxx_flags -fsanitize=${STARLING_SANITIZE} -fno-sanitize-recover=all)
    endif()
    add_check(api/cpp api ${CMAKE_CURRENT_SOURCE_DIR}/tools/test_cpp ${CXX_COMPILER}
        $<TARGET_FILE:starling_shared> ${cxx_flags})
endif()
