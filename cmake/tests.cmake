# The tests: one GoogleTest runner for all modules, one program per benchmark and per fuzz target.
get_property(modules GLOBAL PROPERTY godwit_modules)

function(godwit_add_program name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_compile_definitions(${name} PRIVATE GODWIT_ROOT="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${modules} godwit_warnings)
endfunction()

# A program for every file of tests/FOLDER, in a folder of that name, linked to what follows.
function(godwit_add_programs folder)
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*.cc")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    godwit_add_program(${name} "${file}")
    target_link_libraries(${name} PRIVATE ${ARGN})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${folder}")
  endforeach()
endfunction()

if(GODWIT_TESTS)
  # GoogleTest from Debian's source package: runners for the host, for aarch64 and with sanitizers are built one way.
  set(googletest /usr/src/googletest/googletest)
  add_library(godwit_gtest STATIC "${googletest}/src/gtest-all.cc" "${googletest}/src/gtest_main.cc")
  target_include_directories(godwit_gtest SYSTEM PUBLIC "${googletest}/include" PRIVATE "${googletest}")
  target_compile_options(godwit_gtest PRIVATE -w -O0)
  target_link_libraries(godwit_gtest PUBLIC Threads::Threads)

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/unit/*.cc")
  godwit_add_program(godwit_tests ${sources})
  target_link_libraries(godwit_tests PRIVATE godwit_gtest)
  # The tests themselves need no speed; optimising them doubles the time they take to compile.
  target_compile_options(godwit_tests PRIVATE -O0)
  if(GODWIT_PCH)
    target_precompile_headers(godwit_tests PRIVATE <gtest/gtest.h> ${GODWIT_COMMON_HEADERS})
  endif()
endif()
if(GODWIT_BENCH)
  godwit_add_programs(perf)
endif()
if(GODWIT_FUZZ)
  godwit_add_programs(fuzz -fsanitize=fuzzer)
endif()
