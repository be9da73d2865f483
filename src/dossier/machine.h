// Machine: a few cheap facts that change when what is installed changes, for the key of `doctor`.
#pragma once

#include <string>

namespace godwit::dossier {

/// Names, sizes and times of the places where drivers, CANN, Python and its packages are installed,
/// and the variables that point there; no program is run. What a card says about its health is not
/// in it: `godwit doctor` asks anew each time, `migrate` when something else has changed.
std::string machine_facts();

}  // namespace godwit::dossier
