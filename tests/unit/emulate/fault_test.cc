// What --fault may say; everything else is refused before ranks start.
#include <gtest/gtest.h>

#include "emulate/profile.h"

namespace godwit::emulate {
namespace {

TEST(Fault, IsReadWhole) {
  EXPECT_TRUE(parse_fault("")->is_null());
  const Json kill = *parse_fault("rank=1,step=20,kill");
  EXPECT_EQ(kill["rank"].integer(), 1);
  EXPECT_EQ(kill["step"].integer(), 20);
  EXPECT_EQ(kill["call"].integer(), 0);
  EXPECT_EQ(kill["action"].string(), "kill");
  const Json slow = *parse_fault("slow=300ms, rank=0, call=7");
  EXPECT_EQ(slow["call"].integer(), 7);
  EXPECT_DOUBLE_EQ(slow["seconds"].number(), 0.3);
  EXPECT_DOUBLE_EQ((*parse_fault("rank=0,step=1,slow=2.5x"))["factor"].number(), 2.5);
}

TEST(Fault, WhatIsNotUnderstoodIsRefused) {
  for (const char* const text : {"kill",
                                 "rank=1",
                                 "rank=1,step=2",
                                 "rank=1,kill",
                                 "step=2,kill",
                                 "rank=-1,step=2,kill",
                                 "rank=1,step=0,kill",
                                 "rank=1,step=2,call=3,kill",
                                 "rank=1,step=2,kill,hang",
                                 "rank=1,rank=2,step=2,kill",
                                 "rank=1,step=2,kill=now",
                                 "rank=1,step=2,slow",
                                 "rank=1,step=2,slow=",
                                 "rank=1,step=2,slow=3",
                                 "rank=1,step=2,slow=0.5x",
                                 "rank=1,step=2,slow=1h",
                                 "rank=1,call=2,slow=2x",
                                 "rank=1,step=2,explode",
                                 ",",
                                 "rank=1,,kill"}) {
    const auto fault = parse_fault(text);
    ASSERT_FALSE(fault) << text;
    EXPECT_EQ(fault.error().code, "E249") << text;
  }
}

TEST(Fault, ProfileCarriesIt) {
  const Json profile =
      *device_profile({.to = "ascend310p", .fault = "rank=1,step=2,hang", .traffic = "t.json"});
  EXPECT_EQ(profile["fault"]["action"].string(), "hang");
  EXPECT_TRUE(profile["traffic"].string().starts_with("/"));
  EXPECT_TRUE(profile["hccl"]["one_process_per_card"].boolean());
  EXPECT_EQ(profile["hccl"]["collectives"]["Broadcast"]["supported"].string(), "no");
  EXPECT_EQ(profile["hccl"]["collectives"]["ReduceScatterV"]["max_ranks"].integer(), 4);
  EXPECT_FALSE(
      (*device_profile({.to = "ascend910b"}))["hccl"]["one_process_per_card"].boolean(true));
}

}  // namespace
}  // namespace godwit::emulate
