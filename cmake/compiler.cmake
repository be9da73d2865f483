# Compiler settings of our own code: warnings that fail the build, sanitizers, and ccache where it is installed.
add_library(godwit_warnings INTERFACE)
target_compile_options(godwit_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${GODWIT_WERROR}>:-Werror>
  # Entries are designated initialisers: what a row leaves out is meant to keep its default.
  -Wno-missing-field-initializers
  # Optimising, g++ 12 sees overlaps and uninitialised reads inside std::string itself (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

if(GODWIT_SANITIZE)
  target_compile_options(godwit_warnings INTERFACE
    -fsanitize=${GODWIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GODWIT_SANITIZE})
endif()

# Reading headers is half of the time that a file takes. For builds from nothing they are precompiled, and files are
# compiled in groups; the other presets go without, so that a file which forgets an #include is noticed, and use ccache.
option(GODWIT_PCH "Precompile the headers that most files include, and compile files in groups" OFF)
set(GODWIT_COMMON_HEADERS
  <algorithm> <cstdint> <filesystem> <fmt/core.h> <functional> <map> <memory> <optional> <set> <span> <string>
  <string_view> <tl/expected.hpp> <unordered_map> <utility> <vector>)

find_program(GODWIT_CCACHE ccache)
if(GODWIT_CCACHE AND NOT GODWIT_ZIG_TARGET)
  set(CMAKE_C_COMPILER_LAUNCHER "${GODWIT_CCACHE}")
  if(NOT GODWIT_PCH)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${GODWIT_CCACHE}")
  endif()
endif()
