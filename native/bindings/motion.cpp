#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "motion/channels.hpp"
#include "motion/forward.hpp"
#include "motion/glance.hpp"
#include "motion/number_table.hpp"
#include "motion/sampling.hpp"

namespace surefoot::bindings {
namespace {

using Table =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Poses =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, -1, 4>, nb::c_contig, nb::device::cpu>;
using Places =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;
using Fours =
    nb::ndarray<const int32_t, nb::numpy, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

constexpr size_t kGrain = 256;  // poses that one thread takes at a time

// A new numpy array of poses x joints x Columns.
template <size_t Columns>
struct PoseOutput {
  size_t poses, joints;
  Output<double, Columns> flat;

  PoseOutput(size_t n, size_t m) : poses(n), joints(m), flat(n * m) {}
  auto array() const {
    return nb::ndarray<nb::numpy, double, nb::shape<-1, -1, Columns>>(
        flat.data, {poses, joints, Columns}, flat.owner);
  }
};

int64_t place(size_t at) { return at == kNowhere ? -1 : static_cast<int64_t>(at); }

auto numbers_in_text(const nb::bytes& text, size_t start, size_t columns, size_t expected) {
  if (start > text.size()) throw nb::value_error("start is beyond the text");
  const std::string_view all(text.c_str(), text.size());
  auto* table = new NumberTable;
  const nb::capsule owner(table, [](void* p) noexcept { delete static_cast<NumberTable*>(p); });
  {
    nb::gil_scoped_release release;
    *table = read_numbers(all.substr(start), columns, expected);
  }
  const nb::ndarray<nb::numpy, double, nb::shape<-1>> values(table->values.data(),
                                                             {table->values.size()}, owner);
  return std::make_tuple(values, place(table->bad), place(table->uneven), table->uneven_count,
                         table->uneven_first);
}

auto turned_by_channels(const Table& table, const Fours& channels, size_t joints) {
  const size_t frames = table.shape(0), columns = table.shape(1);
  static_assert(sizeof(TurnChannel) == 4 * sizeof(int32_t));
  const std::span turns{reinterpret_cast<const TurnChannel*>(channels.data()), channels.shape(0)};
  for (const TurnChannel& turn : turns) {
    const bool inside = turn.joint >= 0 && static_cast<size_t>(turn.joint) < joints &&
                        turn.column >= 0 && static_cast<size_t>(turn.column) < columns &&
                        turn.axis >= 0 && turn.axis < 3;
    if (!inside) throw nb::value_error("a channel names a joint, axis or column that is not there");
  }
  PoseOutput<4> out(frames, joints);
  {
    nb::gil_scoped_release release;
    rotations_of_channels({table.data(), frames * columns}, columns, turns, joints, out.flat.data);
  }
  return out.array();
}

auto forward(const Indices& parents, const Vectors& offsets, const Vectors& root,
             const Poses& local, const Indices& moved, const Places& places, int threads) {
  const size_t joints = parents.shape(0), poses = local.shape(0);
  if (offsets.shape(0) != joints || local.shape(1) != joints || root.shape(0) != poses ||
      places.shape(0) != moved.shape(0) || (moved.shape(0) != 0 && places.shape(1) != poses))
    throw nb::value_error("parents, offsets, root, local, moved and places do not fit each other");
  const auto above = view(parents);
  for (size_t joint = 0; joint < joints; ++joint)
    if (joint == 0 ? above[0] != -1
                   : above[joint] < 0 || static_cast<size_t>(above[joint]) >= joint)
      throw nb::value_error("parents must come before their children, the root's is -1");
  std::vector<MovedJoint> shifted;
  for (size_t i = 0; i < moved.shape(0); ++i) {
    const int32_t joint = moved.data()[i];
    if (joint < 0 || static_cast<size_t>(joint) >= joints)
      throw nb::value_error("moved names a joint that is not there");
    shifted.push_back({joint, places.data() + 3 * poses * i});
  }
  PoseOutput<3> positions(poses, joints);
  PoseOutput<4> world(poses, joints);
  {
    nb::gil_scoped_release release;
    if (joints != 0)
      parallel_for(poses, threads, kGrain, python_interrupt(), [&](size_t first, size_t last) {
        forward_kinematics(above, offsets.data(), root.data(), local.data(), first, last, shifted,
                           positions.flat.data, world.flat.data);
      });
  }
  return std::make_tuple(positions.array(), world.array());
}

auto between_frames(const Poses& rotations, const Indices& frames, const Numbers& fractions) {
  const size_t count = frames.shape(0), joints = rotations.shape(1);
  const auto at = view(frames);
  const auto share = view(fractions);
  if (share.size() != count) throw nb::value_error("as many fractions as frames are needed");
  for (size_t i = 0; i < count; ++i) {
    const size_t last = share[i] == 0.0 ? 0 : 1;
    if (at[i] < 0 || static_cast<size_t>(at[i]) + last >= rotations.shape(0))
      throw nb::value_error("frames must be those of the clip, and have a next one");
  }
  PoseOutput<4> out(count, joints);
  {
    nb::gil_scoped_release release;
    rotations_between(rotations.data(), joints, at, share, out.flat.data);
  }
  return out.array();
}

}  // namespace

void bind_motion(nb::module_& m) {
  m.def("numbers_in_text", &numbers_in_text, nb::arg("text"), nb::arg("start"), nb::arg("columns"),
        nb::arg("expected"),
        "The numbers of a text from `start` on, in order; then where the first word that is no\n"
        "finite number begins, where the first line without `columns` numbers begins (each -1 if\n"
        "there is none; both counted from `start`), how many that line has, and how many come\n"
        "before it. `expected` is how many numbers there should be.");
  m.def("turned_by_channels", &turned_by_channels, nb::arg("table").noconvert(),
        nb::arg("channels").noconvert(), nb::arg("joints"),
        "Local rotations (frames, joints, 4) of angles in degrees (frames, columns); channels are\n"
        "joint, axis, column and sign, each joint's in the order they multiply.");
  m.def(
      "first_not_unit",
      [](const Poses& q) {
        const size_t count = q.shape(0) * q.shape(1);
        const size_t first = first_not_unit(q.data(), count);
        return first == count ? int64_t{-1} : static_cast<int64_t>(first);
      },
      nb::arg("rotations").noconvert(),
      "The first of many rotations (n, joints, 4) that is no unit quaternion; -1 if all are.");
  m.def(
      "stray_frames",
      [](const Poses& rotations) {
        return stray_frames(rotations.data(), rotations.shape(0), rotations.shape(1));
      },
      nb::arg("rotations").noconvert(),
      "How many frames at the start of local rotations (n, joints, 4) do not belong to the "
      "motion.");
  m.def(
      "pace_of",
      [](const Places& positions, size_t pelvis, size_t left_foot, size_t right_foot) {
        const size_t frames = positions.shape(0), joints = positions.shape(1);
        if (std::max({pelvis, left_foot, right_foot}) >= joints || frames == 0)
          throw nb::value_error("pelvis and feet must be joints of one frame or more");
        const Pace found = pace_of(positions.data(), frames, joints, pelvis, left_foot, right_foot);
        return std::make_tuple(found.spread, found.lag, found.fall);
      },
      nb::arg("positions").noconvert(), nb::arg("pelvis"), nb::arg("left_foot"),
      nb::arg("right_foot"),
      "The spread [m] of the feet around the pelvis, frames until they have moved by half their\n"
      "correlation, and how fast the pelvis falls [m per frame squared]; NaN where unknown.");
  m.def("between_frames", &between_frames, nb::arg("rotations").noconvert(),
        nb::arg("frames").noconvert(), nb::arg("fractions").noconvert(),
        "Rotations (k, joints, 4) between frames of a clip (n, joints, 4): from each of `frames`\n"
        "(k) to the next the shortest way, `fractions` (k) of it.");
  m.def("forward", &forward, nb::arg("parents").noconvert(), nb::arg("offsets").noconvert(),
        nb::arg("root").noconvert(), nb::arg("local").noconvert(), nb::arg("moved").noconvert(),
        nb::arg("places").noconvert(), nb::arg("threads") = 1,
        "World positions (n, joints, 3) and rotations (n, joints, 4) of poses; the joints `moved`\n"
        "(k) are at `places` (k, n, 3) in their parents' frames instead of at their offsets.");
}

}  // namespace surefoot::bindings
