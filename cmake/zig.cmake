# Release builds with the clang and libc++ of the ziglang package: nothing they link is newer than glibc 2.17.
# GODWIT_ZIG_TARGET is zig's name of the target, for example x86_64-linux-gnu.2.17.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GODWIT_ZIG_TARGET)
file(GLOB zig "${CMAKE_CURRENT_LIST_DIR}/../build/venv/lib/python3*/site-packages/ziglang/zig")
if(NOT zig)
  message(FATAL_ERROR "ziglang is not in build/venv. Run tools/setup release first.")
endif()

# CMake wants one program per tool; "zig cc" and its kin are two words.
set(tools "${CMAKE_CURRENT_LIST_DIR}/../build/zig/${GODWIT_ZIG_TARGET}")
foreach(tool cc c++ ar ranlib)
  set(target "")
  if(tool MATCHES "^c")
    set(target "-target ${GODWIT_ZIG_TARGET}")
  endif()
  file(CONFIGURE OUTPUT "${tools}/${tool}" CONTENT "#!/bin/sh\nexec \"${zig}\" ${tool} ${target} \"$@\"\n")
  file(CHMOD "${tools}/${tool}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()

string(REGEX MATCH "^[^-]+" processor "${GODWIT_ZIG_TARGET}")
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR "${processor}")
set(CMAKE_C_COMPILER "${tools}/cc")
set(CMAKE_CXX_COMPILER "${tools}/c++")
set(CMAKE_AR "${tools}/ar")
set(CMAKE_RANLIB "${tools}/ranlib")
# zig finds the system's own libraries and headers; nothing may be taken from this machine's.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE NEVER)
