// Memory by pages: of mapped files that are not needed for now, and of large buffers.
#pragma once

#include <cstddef>

namespace godwit {

/// Lets go of the pages of mapped files (see MappedFile) that lie within the range, and of some
/// around them when there are any; they are read again when they are touched. Other memory is left
/// alone.
void give_back(const void* data, std::size_t bytes);

/// The same of all mapped files.
void give_back_mapped();

/// Zeros straight from the system, at an address that suits every vector, and on huge pages where
/// they fill some: the processor then looks up a five-hundredth of the addresses. Freed, they leave
/// no hole in the allocator's heap. Null when there are none.
void* take_pages(std::size_t bytes);
void return_pages(void* data, std::size_t bytes);

/// Wants huge pages for what fills them within the range, before it is touched.
void prefer_huge_pages(void* data, std::size_t bytes);

/// Lets go of what was freed, where the allocator would keep it for later.
void give_back_freed();

/// What is mapped: kept by MappedFile.
void add_mapping(const void* data, std::size_t bytes);
void remove_mapping(const void* data);

}  // namespace godwit
