// Pixels of a picture in a file.
#include <algorithm>

#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/picture.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const Dim channels = n.text("pixel_format") == "Grayscale" ? 1 : 3;
  n.set(0, ElementType::kUint8, Shape{Dim::unknown(), Dim::unknown(), channels});
  return {};
}

// The brightness of ITU-R BT.601 in sixteenths of a bit, rounded.
std::uint8_t grey(const std::uint8_t* rgb) {
  return static_cast<std::uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 0x8000) >>
                                   16);
}

Status evaluate(Call& call) {
  const std::span<const std::uint8_t> bytes = call.values<std::uint8_t>(0);
  const std::string_view form = picture_form(bytes), wanted = call.text("pixel_format");
  const bool is_grey = wanted == "Grayscale";
  if (!is_grey && wanted != "RGB" && wanted != "BGR") return refuse_attribute(call, "pixel_format");
  std::optional<Picture> picture;
  if (form == "BMP") picture = read_bmp(bytes);
  if (form == "PNM") picture = read_pnm(bytes);
  if (!picture) return call.refuse("picture", {{"form", std::string(form.empty() ? "?" : form)}});
  ASSIGN(const std::span<std::uint8_t> y,
         call.make<std::uint8_t>(0, {picture->height, picture->width, is_grey ? 1 : 3}));
  auto to = y.begin();
  for (std::size_t at = 0; at < picture->pixels.size(); at += 3) {
    const std::uint8_t* const rgb = &picture->pixels[at];
    if (is_grey)
      *to++ = grey(rgb);
    else if (wanted == "BGR")
      to = std::reverse_copy(rgb, rgb + 3, to);
    else
      to = std::copy_n(rgb, 3, to);
  }
  return {};
}

}  // namespace

extern const Operator image_decoder = {
    .name = "ImageDecoder",
    .doc = "Pixels of a picture in a file; BMP and PNM.",
    .since = 20,
    .inputs = {{"encoded_stream", 'B', kUint8}},
    .outputs = {{"image", 'I', kUint8}},
    .attributes = {{"pixel_format", "RGB"}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
