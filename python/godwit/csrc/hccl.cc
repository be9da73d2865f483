// The emulated HCCL as one unit: reading torch's headers takes most of the time that compiling
// takes.
#ifdef USE_DISTRIBUTED
#include "hccl/backend.cc"
#include "hccl/blame.cc"
#include "hccl/log.cc"
#include "hccl/rules.cc"
#include "hccl/stage.cc"
#include "hccl/timer.cc"
#include "hccl/work.cc"
#endif
