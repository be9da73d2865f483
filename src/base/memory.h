// Memory that the system does not give.
#pragma once

namespace godwit {

/// For libraries in C, which return null: what `new` does when it fails, in their place. The
/// program's handler says so and ends it (std::set_new_handler); without one the process aborts.
[[noreturn]] void out_of_memory();

}  // namespace godwit
