// Cards: what `--cards` asks for, which programs can follow, and what their modules are given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/soc.h"
#include "port/choices.h"
#include "port/training.h"

namespace godwit::port {

/// What HCCL of the chip offers for gradients that are averaged by DistributedDataParallel.
struct Collectives {
  std::vector<std::string> lacking{};  // "Broadcast"; made of AllGather by a module of ours
  std::string refusal{};               // a variant of P082: it cannot be done at all
  std::string name{};                  // the collective that is meant
  std::int64_t most = 0;               // cards at most; 0: no limit known
  std::string limits{};                // "300I Duo cards only; single server"
};

struct Cards {
  std::uint32_t count = 1;
  bool sync_batchnorm = false;
  Style style = Style::kNpu;
  Collectives collectives{};
  std::vector<TrainingProgram> programs{};

  bool is_asked() const { return count > 1; }
  /// The program goes to several cards: all of it is understood and the chip can do it.
  bool takes(const TrainingProgram& program) const;
  /// It came from an earlier run of ours.
  static bool is_ported(const TrainingProgram& program);
  /// The module is part of a program that goes to several cards.
  bool has(const Subject& subject) const;
  /// It is part of a program with a process group of its own, on a chip that lacks collectives.
  bool replaces_in(const Subject& subject) const;
};

/// The name under which programs import the helper; its file is this with ".py".
inline constexpr std::string_view kCardsModule = "godwit_cards";
inline constexpr std::string_view kCollectivesModule = "godwit_collectives";

/// Errors: those of the tables.
Result<Collectives> find_collectives(const facts::Soc& soc, std::uint32_t cards);

/// Text of a helper module with the parts that the chip and the style need. Errors: E008.
Result<std::string> helper_text(std::string_view module, const Cards& cards);

/// Where a line `import …` of ours belongs: behind the import of torch, else behind the first
/// imports; with the line end that the file uses.
struct ImportPlace {
  std::uint32_t at = 0;
  std::string before{}, after{};  // around the statement
  NodeIndex reason = 0;
};
ImportPlace import_place(const Subject& subject);

/// `text` as it has to be inserted in front of a statement: on a line of its own, or before "; "
/// where the statement shares its line.
std::string as_statement(const Subject& subject, NodeIndex statement, std::string_view text);

}  // namespace godwit::port
