// The emulated HCCL as one unit: reading torch's headers takes most of the time that compiling takes.
#ifdef USE_DISTRIBUTED
#include "hccl/rules.cc"
#include "hccl/log.cc"
#include "hccl/blame.cc"
#include "hccl/work.cc"
#include "hccl/stage.cc"
#include "hccl/backend.cc"
#include "hccl/timer.cc"
#endif
