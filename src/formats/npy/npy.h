// numpy's array files: one array (.npy), or an archive of named ones (.npz).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ir/tensor.h"

namespace godwit::formats::npy {

using Named = std::pair<std::string, ir::Tensor>;

/// True when the bytes begin as a .npy file does.
bool is_npy(std::string_view bytes);

/// An array; its values stay in `bytes`, which `owner` keeps alive, unless their order in memory is
/// another than ours (big-endian, Fortran order). Objects and structures, which would need
/// unpickling, are refused. `name` stands in errors. Errors: E180 damaged, E182 a type that no
/// tensor has, E140.
Result<ir::Tensor> parse(std::string_view bytes, std::shared_ptr<const void> owner,
                         const std::string& name);

/// The arrays of a file of either kind in their order; that of a .npy has an empty name. Errors:
/// those of parse, E181 a damaged archive, and those of MappedFile::open.
Result<std::vector<Named>> read(const std::filesystem::path& path);
/// The same from memory; `owner` keeps the bytes alive.
Result<std::vector<Named>> read(std::string_view bytes, std::shared_ptr<const void> owner,
                                const std::string& name);

/// Writes a .npz with stored members, one array after another. Floats that numpy lacks (bfloat16, 8
/// bits and fewer) are written as float32, integers under 8 bits as int8 or uint8. Errors: E183,
/// and those of NewFile.
Status write_npz(const std::filesystem::path& path, const std::vector<Named>& arrays);
/// Writes a .npy.
Status write_npy(const std::filesystem::path& path, const ir::Tensor& tensor);

}  // namespace godwit::formats::npy
