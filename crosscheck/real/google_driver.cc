// Ours: a C interface to LaplaceMechanism of google/differential-privacy before its commit b351a7f. See google_target.py.
#include <cstddef>
#include <utility>

#include "algorithms/numerical-mechanisms.h"

extern "C" int google_release(double value, double epsilon, double sensitivity, std::size_t count, double* results) {
  differential_privacy::LaplaceMechanism::Builder builder;
  auto built = builder.SetEpsilon(epsilon).SetL1Sensitivity(sensitivity).Build();
  if (!built.ok()) return 1;
  auto mechanism = std::move(built).ValueOrDie();
  for (std::size_t i = 0; i < count; i++) results[i] = mechanism->AddNoise(value);
  return 0;
}
