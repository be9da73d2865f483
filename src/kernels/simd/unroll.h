// Loops over registers must disappear: an array of vectors stays in registers only when every index
// is a constant.
#pragma once

#if defined(__clang__)
#define GODWIT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define GODWIT_UNROLL _Pragma("GCC unroll 64")
#endif
