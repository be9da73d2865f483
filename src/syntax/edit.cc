// Applies edits from front to back into one new text.
#include "syntax/edit.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace godwit::syntax {
namespace {

bool is_same(const Edit& a, const Edit& b) {
  return a.begin == b.begin && a.end == b.end && a.text == b.text;
}

// Several rules may ask for the same import at the same place.
void drop_repeated(std::vector<Edit>& sorted) {
  std::vector<Edit> kept;
  for (Edit& edit : sorted) {
    bool is_known = false;
    for (auto old = kept.rbegin(); old != kept.rend() && old->begin == edit.begin; ++old) {
      is_known = is_known || is_same(*old, edit);
    }
    if (!is_known) kept.push_back(std::move(edit));
  }
  sorted = std::move(kept);
}

}  // namespace

Result<std::string> apply(std::string_view bytes, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  drop_repeated(edits);
  std::string result;
  result.reserve(bytes.size() + 64 * edits.size());
  std::uint32_t done = 0;
  for (const Edit& edit : edits) {
    const Args args = {{"begin", with_thousands(edit.begin)},
                       {"end", with_thousands(edit.end)},
                       {"rule", edit.rule},
                       {"bytes", with_thousands(bytes.size())}};
    if (edit.begin > edit.end || edit.end > bytes.size())
      return fail("E064", {.byte = edit.begin}, args);
    if (edit.begin < done) return fail("E063", {.byte = edit.begin}, args);
    result.append(bytes.substr(done, edit.begin - done));
    result.append(edit.text);
    done = edit.end;
  }
  result.append(bytes.substr(done));
  return result;
}

}  // namespace godwit::syntax
