// The ported source beside its diff; the input itself is never touched.
#include "port/port.h"

#include "base/file.h"
#include "base/text.h"
#include "dossier/stage.h"

namespace godwit::dossier::stages {
namespace {

// Weights, images and data sets stay where they are: the ported source is code.
constexpr std::uint64_t kMostCopied = std::uint64_t{1} << 20;

bool is_data(const project::File& file) {
  const bool is_code =
      file.kind != project::FileKind::kOnnx && file.kind != project::FileKind::kOther;
  return !is_code && file.bytes > kMostCopied;
}

Result<port::Plan> make_plan(const Context& context) {
  port::Options options;
  ASSIGN(options.target, facts::resolve_target(context.option("to")));
  options.torch_npu = torch_npu_release(context);
  ASSIGN(options.cards, port::parse_cards(context.option("cards")));
  if (context.option("style") == "portable") options.style = port::Style::kPortable;
  if (context.option("mode") == "inference") options.mode = port::Mode::kInference;
  if (context.option("mode") == "training") options.mode = port::Mode::kTraining;
  options.lists_programs = true;
  return port::plan(context.subject.path, options);
}

// A single file has no folder of its own: its root is the folder around it, where the dossier lies
// too.
Status write_source(port::Plan& plan, const Context& context) {
  const std::filesystem::path folder = context.folder / "source";
  if (!context.subject.is_file) return port::write(plan, folder);
  for (const project::File& file : plan.listing) {
    ASSIGN(std::string text, read_file(context.subject.path));
    for (const port::FilePlan& changed : plan.files) {
      if (changed.path == file.path) text = changed.after;
    }
    TRY(write_file(folder / file.path, text, Sync::kLater));
  }
  return {};
}

Result<diag::Outcome> run(const Context& context) {
  ASSIGN(port::Plan plan, make_plan(context));
  const std::size_t before = plan.listing.size();
  std::erase_if(plan.listing, is_data);
  TRY(write_source(plan, context));
  TRY(write_file(context.folder / "source.diff", port::diff(plan), Sync::kLater));
  diag::Outcome outcome = port::outcome(plan);
  outcome.summary.set("not_copied", before - plan.listing.size());
  return outcome;
}

}  // namespace

extern const Stage port = {
    .name = "port",
    .order = 30,
    .revision = 2,
    .options = {"to", "lang", "cards", "style", "mode"},
    .reads = [](const project::File& file) { return !is_data(file); },
    .facts = torch_npu_release,
    .applies = [](const Subject& subject) { return subject.has("project"); },
    .command =
        [](const Context& context) {
          std::vector<std::string> words = {"godwit", "port", context.subject.path.string(), "--to",
                                            context.option("to")};
          add_release(words, context);
          for (const std::string_view name : {"cards", "style", "mode"}) {
            const std::string value = context.option(name);
            if (!value.empty() && value != "auto" && value != "npu")
              words.insert(words.end(), {format("--{}", name), value});
          }
          return command_line(words);
        },
    .run = run,
};

}  // namespace godwit::dossier::stages
