// Pages of mapped files that are not needed for now.
#pragma once

#include <cstddef>

namespace godwit {

/// Lets go of the pages of mapped files (see MappedFile) that lie within the range, and of some
/// around them when there are any; they are read again when they are touched. Other memory is left
/// alone.
void give_back(const void* data, std::size_t bytes);

/// Lets go of what was freed, where the allocator would keep it for later.
void give_back_freed();

/// What is mapped: kept by MappedFile.
void add_mapping(const void* data, std::size_t bytes);
void remove_mapping(const void* data);

}  // namespace godwit
