// Runs the readers in the order of their stages.
#include "doctor/reader.h"

#include <algorithm>
#include <vector>

namespace godwit::doctor {

Environment read_machine(const Machine& machine) {
  Environment environment;
  std::vector<const Reader*> readers(kReaders.begin(), kReaders.end());
  std::stable_sort(readers.begin(), readers.end(),
                   [](const Reader* a, const Reader* b) { return a->stage < b->stage; });
  for (const Reader* const reader : readers) reader->read(machine, environment);
  std::stable_sort(environment.packages.begin(), environment.packages.end(),
                   [](const Package& a, const Package& b) { return a.name < b.name; });
  return environment;
}

}  // namespace godwit::doctor
