// Render: the page as one HTML file that needs no network and no other file.
#pragma once

#include <string>

#include "report/page.h"

namespace godwit::report {

std::string render_html(const Page& page);

}  // namespace godwit::report
