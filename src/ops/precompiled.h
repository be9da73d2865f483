// What nearly every operator includes, precompiled in release builds.
#pragma once

#include "ops/call.h"
#include "ops/elementwise.h"
#include "ops/inference.h"
#include "ops/walk.h"
