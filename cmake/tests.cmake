# The tests: one GoogleTest runner for all modules, one program per benchmark and per fuzz target.
enable_testing()
get_property(modules GLOBAL PROPERTY godwit_modules)

# GoogleTest from Debian's source package, so that the host, aarch64 and sanitized runners are built one way.
set(googletest /usr/src/googletest/googletest)
add_library(godwit_gtest STATIC "${googletest}/src/gtest-all.cc" "${googletest}/src/gtest_main.cc")
target_include_directories(godwit_gtest SYSTEM PUBLIC "${googletest}/include" PRIVATE "${googletest}")
target_compile_options(godwit_gtest PRIVATE -w -O0)
target_link_libraries(godwit_gtest PUBLIC Threads::Threads)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/unit/*.cc")
if(sources)
  add_executable(godwit_tests ${sources})
  target_include_directories(godwit_tests PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_compile_definitions(godwit_tests PRIVATE GODWIT_ROOT="${CMAKE_SOURCE_DIR}")
  target_link_libraries(godwit_tests PRIVATE ${modules} godwit_gtest godwit_warnings)
  add_test(NAME unit COMMAND godwit_tests)
endif()

# A program of its own for every file of tests/FOLDER, named PREFIX_FILE.
function(godwit_add_programs folder prefix)
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*.cc")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    add_executable(${prefix}_${name} "${file}")
    target_include_directories(${prefix}_${name} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
    target_compile_definitions(${prefix}_${name} PRIVATE GODWIT_ROOT="${CMAKE_SOURCE_DIR}")
    target_link_libraries(${prefix}_${name} PRIVATE ${modules} godwit_warnings ${ARGN})
  endforeach()
endfunction()

if(GODWIT_BENCH)
  godwit_add_programs(perf bench)
endif()
if(GODWIT_FUZZ)
  godwit_add_programs(fuzz fuzz -fsanitize=fuzzer)
endif()
