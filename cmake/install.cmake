# What `make install` copies: the program, the library in one archive, its headers, and find_package(godwit).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY godwit_modules)

# One archive with everything that is linked statically: who uses it needs no third-party package.
add_library(godwit_library STATIC)
foreach(part IN LISTS modules ITEMS godwit_data godwit_fmt tree_sitter zstd)
  target_sources(godwit_library PRIVATE $<TARGET_OBJECTS:${part}>)
endforeach()
set_target_properties(godwit_library PROPERTIES OUTPUT_NAME godwit EXPORT_NAME godwit LINKER_LANGUAGE CXX)
target_compile_features(godwit_library INTERFACE cxx_std_20)
target_include_directories(godwit_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(godwit_library INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
if(GODWIT_SANITIZE)
  target_link_options(godwit_library INTERFACE -fsanitize=${GODWIT_SANITIZE})
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/godwit")
set(config "${CMAKE_BINARY_DIR}/godwitConfig.cmake")
set(config_version "${CMAKE_BINARY_DIR}/godwitConfigVersion.cmake")
file(WRITE "${config}" "include(CMakeFindDependencyMacro)\nfind_dependency(Threads)\n"
                       "include(\"\${CMAKE_CURRENT_LIST_DIR}/godwitTargets.cmake\")\n")
write_basic_package_version_file("${config_version}" COMPATIBILITY SameMinorVersion)

install(TARGETS godwit)
install(TARGETS godwit_library EXPORT godwitTargets)
install(DIRECTORY include/godwit DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
# Where `godwit emulate` looks for what it puts into a Python that has no wheel of godwit.
install(DIRECTORY python/godwit DESTINATION "${CMAKE_INSTALL_DATADIR}/godwit/python"
        FILES_MATCHING PATTERN "*.py" PATTERN "*.cc" PATTERN "*.h" PATTERN "__pycache__" EXCLUDE)
install(EXPORT godwitTargets NAMESPACE godwit:: DESTINATION "${package_dir}")
install(FILES "${config}" "${config_version}" DESTINATION "${package_dir}")
