// Library facts for rules: one look-up by import and one by package name, read once per chip.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"
#include "facts/libraries.h"

namespace godwit::scan {

/// The library behind an import, or null. Names of torch itself are no library here.
const facts::Library* library_of(std::string_view import_name, const facts::Soc& soc);

/// The library behind a distribution name of a requirements file ("flash-attn"), or null.
const facts::Library* library_of_package(std::string_view package, const facts::Soc& soc);

/// Patterns for all import names ("flash_attn", "flash_attn.*").
std::vector<std::string_view> library_imports();

/// All package names, in lower case with '-' and with '_'.
std::vector<std::string_view> library_packages();

/// {library}, {replacement}, {needs}, {note}
Args args_of(const facts::Library& library);

/// error: nothing stands in for it, or not on this chip; note: it runs as it is.
diag::Severity severity_of(const facts::Library& library);

}  // namespace godwit::scan
