# Third-party code, built the same way for the host, for aarch64 and for old glibc: C sources unpacked by tools/setup
# become static libraries; header-only libraries are seen through a folder of their own, never through /usr/include.
if(NOT GODWIT_DEPS)
  if(DEFINED ENV{GODWIT_DEPS})
    set(GODWIT_DEPS "$ENV{GODWIT_DEPS}")
  else()
    set(GODWIT_DEPS "${CMAKE_SOURCE_DIR}/build/deps")
  endif()
endif()
foreach(name tree-sitter tree-sitter-python tree-sitter-bash zstandard)
  if(NOT IS_DIRECTORY "${GODWIT_DEPS}/${name}")
    message(FATAL_ERROR "The sources of ${name} are not in ${GODWIT_DEPS}. Run tools/setup first.")
  endif()
endforeach()

set(headers "${CMAKE_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${headers}")
foreach(name CLI fmt hwy nlohmann tl toml++)
  if(NOT IS_DIRECTORY "/usr/include/${name}")
    message(FATAL_ERROR "The headers /usr/include/${name} are missing. Run tools/setup first.")
  endif()
  file(CREATE_LINK "/usr/include/${name}" "${headers}/${name}" SYMBOLIC)
endforeach()
# oneDNN is loaded at run time where it is installed; a build without its headers cannot use it.
if(IS_DIRECTORY /usr/include/oneapi/dnnl)
  file(CREATE_LINK /usr/include/oneapi "${headers}/oneapi" SYMBOLIC)
endif()
add_library(godwit_headers INTERFACE)
target_include_directories(godwit_headers SYSTEM INTERFACE "${headers}")

set(third_party_flags -O2 -w)

# fmt compiled once, from its headers, instead of in every file that formats.
add_library(godwit_fmt STATIC cmake/fmt.cc)
target_link_libraries(godwit_fmt PUBLIC godwit_headers)
target_compile_options(godwit_fmt PRIVATE ${third_party_flags})

# The core includes its own headers as "./x.h"; the grammars expect the same headers under tree_sitter/.
set(core "${GODWIT_DEPS}/tree-sitter/tree_sitter/core/lib")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/grammar_headers")
file(CREATE_LINK "${core}/src" "${CMAKE_BINARY_DIR}/grammar_headers/tree_sitter" SYMBOLIC)
add_library(tree_sitter STATIC
  "${core}/src/lib.c"
  src/syntax/flatten.c  # ours, but it reads the core's private structures
  "${GODWIT_DEPS}/tree-sitter-python/src/parser.c"
  "${GODWIT_DEPS}/tree-sitter-python/src/scanner.c"
  "${GODWIT_DEPS}/tree-sitter-bash/src/parser.c"
  "${GODWIT_DEPS}/tree-sitter-bash/src/scanner.c")
target_include_directories(tree_sitter SYSTEM PUBLIC "${core}/include")
target_include_directories(tree_sitter PRIVATE "${core}/src" "${CMAKE_BINARY_DIR}/grammar_headers")
target_compile_definitions(tree_sitter PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200112L)
target_compile_options(tree_sitter PRIVATE ${third_party_flags})
# lib.c calls the parse loop from one place only, so -O3 is worth its seconds there.
set_source_files_properties("${core}/src/lib.c" src/syntax/flatten.c PROPERTIES COMPILE_OPTIONS -O3)

add_library(zstd STATIC "${GODWIT_DEPS}/zstandard/zstd/zstd.c")
target_include_directories(zstd SYSTEM PUBLIC "${GODWIT_DEPS}/zstandard/zstd")
target_compile_definitions(zstd PRIVATE ZSTD_DISABLE_ASM=1 XXH_NAMESPACE=GODWIT_)
# godwit only unpacks: without the stronger compressors the file compiles in half the time.
foreach(strategy DFAST GREEDY LAZY LAZY2 BTLAZY2 BTOPT BTULTRA)
  target_compile_definitions(zstd PRIVATE ZSTD_EXCLUDE_${strategy}_BLOCK_COMPRESSOR)
endforeach()
target_compile_options(zstd PRIVATE ${third_party_flags})

find_package(Threads REQUIRED)
add_library(godwit_third_party INTERFACE)
target_link_libraries(godwit_third_party INTERFACE
  godwit_headers godwit_fmt tree_sitter zstd Threads::Threads ${CMAKE_DL_LIBS})
