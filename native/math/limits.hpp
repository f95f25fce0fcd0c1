// The largest numbers that the native core takes. Python has them as `_native.MAX_COORDINATE` and
// so on.
#pragma once

namespace surefoot {

// [m] from an origin, per axis. Doubles are 2e-9 m apart there, and squares and cubes of such
// numbers stay far from overflow. 1e8 would leave 1e-8 m, where the tolerances of queries (1e-9 m)
// no longer mean anything; 1e6 would refuse maps of whole countries in projected coordinates.
inline constexpr double kMaxCoordinate = 1e7;

// [s] from zero, before and after. Doubles are 1e-7 s apart there, below the smallest tolerance in
// time (1e-6 s); 1e10 would be above it. 1e9 s are 32 years.
inline constexpr double kMaxTime = 1e9;

// [m] of a length, a radius or a height: no larger than the coordinates that it spans.
inline constexpr double kMaxSize = kMaxCoordinate;

// Threads of one batch. More would only cost memory, and may be more than the system starts.
inline constexpr int kMaxThreads = 1024;

}  // namespace surefoot
