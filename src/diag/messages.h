// Messages: every text a person reads, by key, in the chosen language.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace godwit::diag {

enum class Language { kEnglish, kChinese };

/// `choice` "zh" or "en" wins; empty: from LC_ALL, LC_MESSAGES, LANG (zh* is Chinese).
/// Errors: E020 for another choice.
Result<Language> choose_language(std::string_view choice);

/// Sets the language of this process; call once, before any text is asked for.
void set_language(Language language);
Language language();

/// Text of `key` with its `{name}` places filled. Keys of codes ("S012.message") stand in
/// data/messages/LANGUAGE/S.toml under [S012]; all others ("scan.summary") in ui.toml. A key that
/// is missing comes back as it is, so that the gap is seen; the parity test finds it.
std::string text(std::string_view key, const Args& args = {});

/// True when the current language has the key.
bool has_text(std::string_view key);

/// Codes that the tables of messages know, sorted ("D001", "E001" …).
std::vector<std::string> known_codes();

}  // namespace godwit::diag
