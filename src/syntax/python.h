// The grammar's only function; its source distribution has no header of its own.
#pragma once

struct TSLanguage;
extern "C" const TSLanguage* tree_sitter_python();
