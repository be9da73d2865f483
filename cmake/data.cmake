# The tables of data/ packed into one archive and linked in as godwit_data_begin … godwit_data_end.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB_RECURSE data_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/data/*")
set(archive "${CMAKE_BINARY_DIR}/godwit_data.pack")
add_custom_command(
  OUTPUT "${archive}"
  COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/tools/embed" "${CMAKE_SOURCE_DIR}/data" "${archive}"
  DEPENDS tools/embed ${data_files}
  COMMENT "Packing data/"
  VERBATIM)

set(assembly "${CMAKE_BINARY_DIR}/godwit_data.S")
file(CONFIGURE OUTPUT "${assembly}" CONTENT [=[
    .section .rodata
    .global godwit_data_begin
    .global godwit_data_end
    .balign 16
godwit_data_begin:
    .incbin "@archive@"
godwit_data_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits
]=] @ONLY)
set_source_files_properties("${assembly}" PROPERTIES OBJECT_DEPENDS "${archive}")
add_library(godwit_data STATIC "${assembly}")
