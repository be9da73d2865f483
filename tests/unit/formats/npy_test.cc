// Round trips of numpy files, forms that numpy writes and we do not, and damaged ones.
#include "formats/npy/npy.h"

#include <gtest/gtest.h>

#include <complex>

#include "base/file.h"
#include "formats/zip/archive.h"
#include "formats/zip/inflate.h"

namespace godwit::formats::npy {
namespace {

using ir::ElementType;
using ir::Tensor;

std::string head(std::string_view dictionary, char version = 1) {
  std::string out = std::string("\x93NUMPY") + version + '\0';
  out += static_cast<char>(dictionary.size());
  out += '\0';
  if (version > 1) out += std::string(2, '\0');
  return out + std::string(dictionary);
}

Result<Tensor> parse_text(const std::string& bytes) { return parse(bytes, nullptr, "x.npy"); }

std::string code_of(const std::string& bytes) {
  const auto out = parse_text(bytes);
  return out ? "" : out.error().code;
}

class NpyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "npyXXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(NpyFile, GivesBackEveryType) {
  std::vector<Named> arrays = {
      {"float", Tensor::of<float>({2, 2}, {1.5f, -2, 0, 3})},
      {"double", Tensor::of<double>({1}, {1e300})},
      {"int8", Tensor::of<std::int8_t>({3}, {-1, 2, 3})},
      {"uint64", Tensor::of<std::uint64_t>({1}, {~std::uint64_t{0}})},
      {"complex", Tensor::of<std::complex<float>>({1}, {{1, -2}})},
      {"scalar", Tensor::scalar(7.0f)},
      {"none", Tensor::of<float>({0, 4}, {})},
      {"deep", Tensor::of<float>({1, 1, 1, 1, 1, 2}, {1, 2})},
  };
  Tensor half = *convert(arrays[0].second, ElementType::kFloat16);
  arrays.emplace_back("half", half);
  ASSERT_TRUE(write_npz(folder_ / "a.npz", arrays));
  const auto back = read(folder_ / "a.npz");
  ASSERT_TRUE(back) << back.error().code;
  ASSERT_EQ(back->size(), arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto& [name, tensor] = (*back)[i];
    EXPECT_EQ(name, arrays[i].first);
    EXPECT_EQ(tensor.type(), arrays[i].second.type()) << name;
    EXPECT_EQ(tensor.dims(), arrays[i].second.dims()) << name;
    EXPECT_TRUE(std::equal(tensor.data(), tensor.data() + tensor.bytes(), arrays[i].second.data()))
        << name;
  }
}

TEST_F(NpyFile, WritesWhatNumpyLacksAsTheNearestWiderType) {
  const Tensor brain = *convert(Tensor::of<float>({1}, {1.5f}), ElementType::kBfloat16);
  ASSERT_TRUE(write_npz(folder_ / "b.npz", {{"b", brain}}));
  const auto back = read(folder_ / "b.npz");
  ASSERT_TRUE(back);
  EXPECT_EQ((*back)[0].second.type(), ElementType::kFloat);
  const auto strings = write_npy(folder_ / "s.npy", Tensor::of<std::string>({1}, {"x"}));
  EXPECT_EQ(strings.error().code, "E183");
}

TEST(Npy, ReadsOtherOrdersOfBytesAndAxes) {
  const auto big = parse_text(head("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }\n") +
                              std::string("\x01\x00\xff\xfe", 4));
  ASSERT_TRUE(big);
  EXPECT_EQ(big->values<std::int16_t>()[0], 256);
  EXPECT_EQ(big->values<std::int16_t>()[1], -2);
  const auto turned = parse_text(
      head("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", 2) + "abcdef");
  ASSERT_TRUE(turned);
  const auto values = turned->values<std::uint8_t>();
  EXPECT_EQ(std::string(values.begin(), values.end()), "acebdf");
}

TEST(Npy, RefusesWhatIsDamagedOrNoTensor) {
  const std::string fine = head("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n");
  EXPECT_EQ(code_of(fine + "1234"), "");
  EXPECT_EQ(code_of(fine + "123"), "E180");
  EXPECT_EQ(code_of(fine + "12345"), "E180");
  EXPECT_EQ(code_of(fine.substr(0, 30)), "E180");
  EXPECT_EQ(code_of("no array"), "E180");
  EXPECT_EQ(code_of(""), "E180");
  EXPECT_EQ(code_of(head("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n")), "E182");
  EXPECT_EQ(code_of(head("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }\n")), "E182");
  for (const char* const dictionary :
       {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "{", "{}", "{'shape'",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296,4294967296,), }",
        "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } + x"})
    EXPECT_EQ(code_of(head(dictionary) + "1234"), "E180") << dictionary;
}

TEST(Inflate, UnpacksStoredFixedAndDynamicBlocks) {
  using zip::inflate;
  EXPECT_EQ(inflate(std::string("\x01\x03\x00\xfc\xff"
                                "abc",
                                8),
                    3),
            "abc");
  // Ten times "a" as zlib packs it with fixed codes.
  const std::string packed("\x4b\x4c\x84\x01\x00", 5);
  EXPECT_EQ(inflate(packed, 10), "aaaaaaaaaa");
  EXPECT_FALSE(inflate(packed, 9));
  EXPECT_FALSE(inflate(packed, 11));
  EXPECT_FALSE(inflate(packed.substr(0, 3), 10));
  EXPECT_FALSE(inflate("", 0));
  EXPECT_FALSE(inflate("\x07", 0));      // a block of no known kind
  EXPECT_FALSE(inflate("\x03\x02", 3));  // a distance before the start
}

TEST(Npy, ReadsWhatNumpyCompresses) {
  const auto arrays = read(GODWIT_ROOT "/tests/fuzz/corpus/npy/packed");
  ASSERT_TRUE(arrays) << arrays.error().code;
  ASSERT_EQ(arrays->size(), 2u);
  const auto a = (*arrays)[0].second.values<std::int64_t>();
  ASSERT_EQ(a.size(), 200u);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], static_cast<std::int64_t>(i % 50));
  EXPECT_EQ((*arrays)[1].second.dims(), (ir::Sizes{2, 0}));
}

// What a writer puts there.
zip::Sink into(std::string& bytes) {
  return [&bytes](std::string_view more) -> Status {
    bytes += more;
    return {};
  };
}

// An archive larger than memory is written piece by piece.
TEST(Zip, MembersAreWrittenAsTheyAreAdded) {
  std::string bytes;
  zip::Writer writer(into(bytes));
  ASSERT_TRUE(writer.add("x.npy", {"abc"}));
  EXPECT_NE(bytes.find("abc"), std::string::npos);
  ASSERT_TRUE(std::move(writer).finish());
  EXPECT_TRUE(zip::read(bytes, "x.npz"));
  zip::Writer full([](std::string_view) -> Status { return fail("E005"); });
  EXPECT_FALSE(full.add("x.npy", {"abc"}));
}

TEST(Zip, RefusesDamagedArchives) {
  std::string fine;
  zip::Writer writer(into(fine));
  ASSERT_TRUE(writer.add("x.npy", {"abc", "def"}));
  ASSERT_TRUE(std::move(writer).finish());
  const auto code = [](const std::string& bytes) {
    const auto members = zip::read(bytes, "x.npz");
    if (!members) return members.error().code;
    const Status content = zip::check_content((*members)[0], (*members)[0].packed, "x.npz");
    return content ? std::string() : content.error().code;
  };
  EXPECT_EQ(code(fine), "");
  for (std::size_t cut = 0; cut < fine.size(); ++cut) EXPECT_EQ(code(fine.substr(0, cut)), "E181");
  std::string changed = fine;
  changed[fine.find("abc")] = 'x';
  EXPECT_EQ(code(changed), "E181");
}

// The length of a name has two bytes in the headers.
TEST(Zip, RefusesNamesThatAreTooLong) {
  std::string bytes;
  zip::Writer writer(into(bytes));
  EXPECT_TRUE(writer.add(std::string(65535, 'x'), {"abc"}));
  const Status longer = writer.add(std::string(65536, 'x'), {"abc"});
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, "E183");
  ASSERT_TRUE(std::move(writer).finish());
  const auto members = zip::read(bytes, "x.npz");
  ASSERT_TRUE(members);
  EXPECT_EQ(members->size(), 1u);
}

}  // namespace
}  // namespace godwit::formats::npy
