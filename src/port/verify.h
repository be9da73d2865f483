// Verify: after the edits, is all else still what and where it was, and does the file still parse?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "syntax/edit.h"
#include "syntax/tree.h"

namespace godwit::port {

struct Verification {
  bool bytes_equal = false;   // outside the edits
  bool tokens_equal = false;  // every token outside the edits is found again, as the same kind
  bool parses = false;        // no error node that was not there before
  std::uint32_t tokens = 0;   // compared
  bool holds() const { return bytes_equal && tokens_equal && parses; }
};

/// `edits` sorted, not overlapping. Errors: as syntax::Source::make for `after`.
Result<Verification> verify_python(const syntax::Source& before, const syntax::Tree& tree,
                                   const std::string& after,
                                   const std::vector<syntax::Edit>& edits);

bool bytes_equal_outside(std::string_view before, std::string_view after,
                         const std::vector<syntax::Edit>& edits);

}  // namespace godwit::port
