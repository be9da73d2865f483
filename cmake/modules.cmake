# One static library per line of src/MODULES, linked to what the line names, with the entry arrays of src/ENTRIES.
include(CheckCXXCompilerFlag)
set(cpp_keywords and asm auto break case catch class const continue default delete do else enum explicit export extern
    for friend goto if import inline module mutable namespace new not operator or private protected public register
    requires return static struct switch template this throw try typedef union using virtual while xor)

# The lines of a table without its comments.
function(godwit_read_table file out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" lines REGEX "^[^#]")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# The symbol of an entry file: its name without the code prefix; a keyword gets a trailing underscore.
function(godwit_entry_symbol file out)
  cmake_path(GET file STEM symbol)
  string(REGEX REPLACE "^[A-Z][0-9][0-9][0-9]_" "" symbol "${symbol}")
  if(symbol IN_LIST cpp_keywords)
    string(APPEND symbol "_")
  endif()
  set(${out} "${symbol}" PARENT_SCOPE)
endfunction()

# Files are compiled in groups where headers are precompiled: what they include is read, and what they instantiate is
# compiled, once per group. A build from nothing is bound by that. Two files of a module therefore call nothing in their
# unnamed namespaces by one name, unless they are entries.
function(godwit_group_files target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# Entries are alike inside: a macro gives every one of a group a namespace of its own, where its names meet no others.
# Their headers come first, where the macro does not reach.
function(godwit_group_entries module folder files)
  set(group_size 24)
  set(number 0)
  while(files)
    list(SUBLIST files 0 ${group_size} group)
    list(REMOVE_ITEM files ${group})
    set(headers "")
    set(content "")
    foreach(file IN LISTS group)
      file(STRINGS "${file}" includes REGEX "^#include")
      list(APPEND headers ${includes})
      godwit_entry_symbol("${file}" symbol)
      cmake_path(GET file FILENAME name)
      string(APPEND content "#define ${folder} ${folder}_${symbol}\n#include \"${module}/${folder}/${name}\"\n#undef ${folder}\n")
    endforeach()
    math(EXPR number "${number} + 1")
    list(REMOVE_DUPLICATES headers)
    list(JOIN headers "\n" headers)
    set(generated "${CMAKE_BINARY_DIR}/entries/${module}_${folder}_${number}.cc")
    file(CONFIGURE OUTPUT "${generated}" @ONLY CONTENT
         "// Written by the build: a part of src/${module}/${folder}.\n${headers}\n${content}")
    target_sources(godwit_${module} PRIVATE "${generated}")
    set_source_files_properties("${generated}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set_source_files_properties(${group} PROPERTIES HEADER_FILE_ONLY ON)
  endwhile()
endfunction()

# Writes the array of one row of src/ENTRIES and adds it to the module.
function(godwit_add_entries module folder type array header)
  if(NOT TARGET godwit_${module} OR NOT EXISTS "${CMAKE_SOURCE_DIR}/src/${header}")
    return()
  endif()
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${module}/${folder}/*.cc")
  if(GODWIT_PCH)
    godwit_group_entries(${module} ${folder} "${files}")
  endif()
  foreach(file IN LISTS files)
    godwit_entry_symbol("${file}" symbol)
    set(space "${folder}")
    if(GODWIT_PCH)
      set(space "${folder}_${symbol}")
    endif()
    string(APPEND declarations "namespace ${space} {\nextern const ${type} ${symbol};\n}\n")
    string(APPEND addresses "    &${space}::${symbol},\n")
  endforeach()
  set(list "{}")
  if(files)
    set(list "{kEntries}")
    set(entries "namespace {\nconst ${type}* const kEntries[] = {\n${addresses}};\n}  // namespace\n")
  endif()
  set(generated "${CMAKE_BINARY_DIR}/entries/${module}_${folder}.cc")
  file(CONFIGURE OUTPUT "${generated}" CONTENT "// Written by the build from src/ENTRIES: every file of src/${module}/${folder}.
#include <span>

#include \"${header}\"

namespace godwit::${module} {
${declarations}${entries}extern const std::span<const ${type}* const> ${array};
const std::span<const ${type}* const> ${array}${list};
}  // namespace godwit::${module}
" @ONLY)
  target_sources(godwit_${module} PRIVATE "${generated}")
  set_source_files_properties("${generated}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# What runs once per command does not notice -Og, which compiles in half of the time that -O2 takes; all else keeps the
# -O1 of its preset, which takes 70 % of it and walks through sources and graphs as fast.
set(godwit_plain_modules diag facts ops doctor emulate baseline report dossier cli)

# Sets a module's optimisation and gives it the precompiled headers that the first module of that kind made: g++ crashes
# where headers were precompiled with other options.
function(godwit_use_precompiled name)
  set(kind -O1)
  if(name IN_LIST godwit_plain_modules)
    set(kind -Og)
  endif()
  target_compile_options(godwit_${name} PRIVATE ${kind})
  get_property(owner GLOBAL PROPERTY "godwit_precompiled${kind}")
  if(EXISTS "${CMAKE_SOURCE_DIR}/src/${name}/precompiled.h")
    # Headers that nearly every file of a large module includes; the files still name what they use.
    target_precompile_headers(godwit_${name} PRIVATE ${GODWIT_COMMON_HEADERS} src/${name}/precompiled.h)
  elseif(owner)
    target_precompile_headers(godwit_${name} REUSE_FROM ${owner})
  else()
    target_precompile_headers(godwit_${name} PRIVATE ${GODWIT_COMMON_HEADERS})
    set_property(GLOBAL PROPERTY "godwit_precompiled${kind}" godwit_${name})
  endif()
endfunction()

function(godwit_add_module name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cc")
  list(REMOVE_ITEM sources "${CMAKE_SOURCE_DIR}/src/cli/main.cc")
  if(NOT sources)
    return()
  endif()
  add_library(godwit_${name} STATIC ${sources})
  target_include_directories(godwit_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/include")
  target_link_libraries(godwit_${name} PUBLIC godwit_third_party PRIVATE godwit_warnings)
  if(name STREQUAL kernels)
    # Numerics are optimised in every build, and only an explicit MulAdd is a fused one: results must not depend on
    # what a compiler likes to contract. Other options than the rest's forbid its precompiled headers.
    target_compile_options(godwit_kernels PRIVATE -O3 -ffp-contract=off)
    # clang 18 to 21 want to be told that registers of 512 bits may be used where AVX-512 is on.
    check_cxx_compiler_flag(-mevex512 GODWIT_HAS_EVEX512)
    if(GODWIT_HAS_EVEX512)
      target_compile_options(godwit_kernels PRIVATE -mevex512)
    endif()
  elseif(GODWIT_PCH)
    godwit_use_precompiled(${name})
    godwit_group_files(godwit_${name} 16)
  endif()
  foreach(used IN LISTS ARGN)
    if(TARGET godwit_${used})
      target_link_libraries(godwit_${name} PUBLIC godwit_${used})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY godwit_modules godwit_${name})
endfunction()

# A line is: name, used modules, purpose; the used ones are the leading words of the rest that are module names.
function(godwit_add_modules)
  godwit_read_table("${CMAKE_SOURCE_DIR}/src/MODULES" rows)
  foreach(row IN LISTS rows)
    string(REGEX REPLACE " +" ";" words "${row}")
    list(POP_FRONT words name)
    set(uses "")
    foreach(word IN LISTS words)
      if(NOT word IN_LIST known)
        break()
      endif()
      list(APPEND uses "${word}")
    endforeach()
    list(APPEND known "${name}")
    godwit_add_module(${name} ${uses})
  endforeach()
  godwit_read_table("${CMAKE_SOURCE_DIR}/src/ENTRIES" rows)
  foreach(row IN LISTS rows)
    string(REGEX REPLACE " +" ";" row "${row}")
    godwit_add_entries(${row})
  endforeach()
  if(TARGET godwit_base)
    target_link_libraries(godwit_base PUBLIC godwit_data)
    set_source_files_properties(src/base/version.cc PROPERTIES COMPILE_DEFINITIONS GODWIT_VERSION="${PROJECT_VERSION}")
  endif()
endfunction()
