// How the program ends when it cannot go on: interrupted, out of memory, or by a bug of its own.
#pragma once

namespace godwit::cli {

/// Handlers for all that ends a program in its midst: what is half written goes away, programs
/// that were started end too, and what it was is said with a code. Handlers that the parent or a
/// sanitizer has set stay.
void install_last_words();

/// Puts what they say into the language of the run: a handler cannot look up texts any more.
void prepare_last_words();

}  // namespace godwit::cli
