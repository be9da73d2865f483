// Style: how an edit says "the device of this program": by name, or by asking the helper.
#pragma once

#include <string>
#include <string_view>

#include "port/rule.h"

namespace godwit::port {

bool is_portable(const World& world);

/// An expression for "the type of the device", "its module under torch", "its backend":
/// "godwit_device.type". Only of the portable style.
std::string asks_helper(const Subject& subject, const World& world, std::string_view what);

/// The device in use as an expression at `node`: a variable or function of the project that the
/// code there sees, else what the helper says; names Helper::kDevice only then.
std::string device_in_use(const Subject& subject, NodeIndex node, const World& world,
                          Changes& changes);

/// The text of a device with a number, as an expression: "npu:0" in quotes, or an f-string that
/// asks the helper.
std::string numbered_device(const Subject& subject, const World& world, std::string_view number,
                            bool is_literal);

/// "cuda:0" in a program that goes to several cards: the card that its process has taken.
bool is_card_of_process(const StringSite& site, const World& world);

/// Replaces the first word of a literal ("cuda", "nccl", "torch.cuda") by what stands for it in
/// the style. A literal that asks the helper becomes an f-string or a sum.
void rename_word(const StringSite& site, const World& world, std::string_view word,
                 std::string_view by, Proof proof, Changes& changes);

}  // namespace godwit::port
