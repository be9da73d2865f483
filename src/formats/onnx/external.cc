// Containment of external data. The onnx package refuses the same places since a model could make
// its reader open any file (CVE-2024-27318, CVE-2024-5187).
#include "formats/onnx/external.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "formats/onnx/walk.h"

namespace godwit::formats::onnx {
namespace {

tl::unexpected<Error> refuse(std::string_view code, const Model& model, const Tensor& tensor,
                             Args more) {
  more.emplace_back("path", model.path);
  more.emplace_back("what", describe("tensor", tensor.name));
  more.emplace_back("location", to_valid_utf8(tensor.location));
  return fail(code, {.file = model.path}, std::move(more));
}

// Exporters write one file, or one per tensor; a name costs a look at the disk.
constexpr std::size_t kMostFiles = 1 << 16;

Result<ExternalFile> open_place(const Model& model, const Tensor& tensor,
                                const std::filesystem::path& folder) {
  const auto path = inside(folder, tensor.location);
  if (!path) return refuse("E043", model, tensor, {});
  ExternalFile file{.location = to_valid_utf8(tensor.location)};
  struct stat status {};
  if (::stat(path->c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return file;
  if (status.st_nlink > 1) {
    return refuse("E044", model, tensor, {{"links", format("{}", status.st_nlink)}});
  }
  file.found = true;
  file.size = static_cast<std::uint64_t>(status.st_size);
  return file;
}

void count(ExternalFile& file, const Tensor& tensor, Index index) {
  const auto length = tensor.length < 0 ? tensor.bytes : static_cast<std::uint64_t>(tensor.length);
  const std::uint64_t end = static_cast<std::uint64_t>(tensor.offset) + length;
  ++file.tensors;
  if (end < file.needed) return;
  file.needed = end;
  file.tensor = index;
}

}  // namespace

Result<std::vector<ExternalFile>> external_files(const Model& model,
                                                 const std::filesystem::path& folder) {
  std::map<std::string_view, ExternalFile> files;
  for (Index i = 0; i < model.tensors.size(); ++i) {
    const Tensor& tensor = model.tensors[i];
    if (!tensor.external) continue;
    auto at = files.find(tensor.location);
    if (at == files.end()) {
      if (files.size() == kMostFiles) {
        return refuse("E045", model, tensor, {{"most", with_thousands(kMostFiles)}});
      }
      ASSIGN(ExternalFile file, open_place(model, tensor, folder));
      at = files.emplace(tensor.location, std::move(file)).first;
    }
    count(at->second, tensor, i);
  }
  std::vector<ExternalFile> list;
  for (auto& [name, file] : files) list.push_back(std::move(file));
  return list;
}

}  // namespace godwit::formats::onnx
