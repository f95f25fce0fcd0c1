#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "motion/carrying.hpp"

namespace surefoot::bindings {
namespace {

using humanoid::kJoints;
using Poses =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, -1, 4>, nb::c_contig, nb::device::cpu>;
using Places =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

// An actor that keeps the arrays it looks at.
struct Actor {
  Places positions;
  Poses rotations;
  Vectors rest_positions;
  Quaternions rest_rotations;
  ActorMotion motion;
  ActorFigures figures;

  Actor(Places places, Poses turns, Vectors rest_places, Quaternions rest_turns,
        const Indices& bones, const Indices& tips, const Vectors& tip_offsets)
      : positions(std::move(places)),
        rotations(std::move(turns)),
        rest_positions(std::move(rest_places)),
        rest_rotations(std::move(rest_turns)) {
    const size_t joints = positions.shape(1), frames = positions.shape(0);
    if (frames == 0 || rotations.shape(0) != frames || rotations.shape(1) != joints ||
        rest_positions.shape(0) != joints || rest_rotations.shape(0) != joints ||
        bones.shape(0) != kJoints || tips.shape(0) != tip_offsets.shape(0))
      throw nb::value_error("the arrays of an actor do not fit each other");
    motion.frames = frames, motion.joints = joints;
    motion.positions = positions.data(), motion.rotations = rotations.data();
    motion.rest_positions = rest_positions.data(), motion.rest_rotations = rest_rotations.data();
    for (int bone = 0; bone < kJoints; ++bone) {
      motion.bones[bone] = bones.data()[bone];
      if (motion.bones[bone] >= static_cast<int64_t>(joints))
        throw nb::value_error("a bone is a joint that is not there");
    }
    for (const int bone : {0, 13, 14, 15, 17, 18, 19})
      if (!motion.has(bone)) throw nb::value_error("an actor needs a pelvis and two legs");
    for (size_t i = 0; i < tips.shape(0); ++i)
      motion.tips.push_back({tips.data()[i], view(tip_offsets)[i]});
    {
      nb::gil_scoped_release release;
      figures = figure_out(motion);
    }
    if (figures.exchanged) {
      const auto before = motion.bones;
      for (int bone = 0; bone < kJoints; ++bone)
        motion.bones[humanoid::mirrored(bone)] = before[bone];
    }
  }
};

}  // namespace

void bind_retargeting(nb::module_& m) {
  nb::class_<Actor>(m, "Actor", "Whose motion a clip is; see native/motion/actor.hpp.")
      .def(nb::init<Places, Poses, Vectors, Quaternions, const Indices&, const Indices&,
                    const Vectors&>(),
           nb::arg("positions").noconvert(), nb::arg("rotations").noconvert(),
           nb::arg("rest_positions").noconvert(), nb::arg("rest_rotations").noconvert(),
           nb::arg("bones").noconvert(), nb::arg("tips").noconvert(),
           nb::arg("tip_offsets").noconvert(),
           "World positions (n, joints, 3) and rotations (n, joints, 4), those of the rest pose,\n"
           "the joint of each canonical joint (21) or -1, and tips: joints (k), offsets (k, 3).")
      .def_prop_ro("exchanged", [](const Actor& self) { return self.figures.exchanged; })
      .def_prop_ro("stands", [](const Actor& self) { return self.figures.stands; })
      .def_prop_ro("on_all_fours", [](const Actor& self) { return self.figures.on_all_fours; })
      .def_prop_ro("bones", [](const Actor& self) { return self.motion.bones; })
      .def(
          "axes",
          [](const Actor& self) {
            Output<double, 4> out(kJoints);
            for (int joint = 0; joint < kJoints; ++joint) {
              const Quat q = self.figures.axes[joint];
              double* const p = out.data + 4 * joint;
              p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z;
            }
            return out.array();
          },
          "From canonical axes to the bones' own (21, 4); of bones that are known.")
      .def_prop_ro(
          "lengths",
          [](const Actor& self) {
            const ActorFigures& f = self.figures;
            nb::dict found;
            for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
                     {"thigh", f.thigh},
                     {"shin", f.shin},
                     {"hip_width", f.hip_width},
                     {"shoulder_width", f.shoulder_width},
                     {"upper_arm", f.upper_arm},
                     {"forearm", f.forearm},
                     {"neck_rise", f.neck_rise},
                     {"head_rise", f.head_rise},
                     {"shoulder_rise", f.shoulder_rise},
                     {"head_tip", f.head_tip},
                     {"toe_ahead", f.toe_ahead},
                     {"toe_drop", f.toe_drop},
                     {"toe_length", f.toe_length},
                     {"foot_tip", f.foot_tip},
                     {"left_ankle", f.left_ankle},
                     {"right_ankle", f.right_ankle}})
              if (!std::isnan(value)) found[name] = value;
            return found;
          },
          nb::sig("def lengths(self) -> dict[str, float]"), "[m], those that are known.")
      .def(
          "carried_over",
          [](const Actor& self, const Vectors& offsets, const std::array<double, 6>& left_ankle,
             const std::array<double, 6>& right_ankle) {
            if (offsets.shape(0) != kJoints) throw nb::value_error("offsets must be (21, 3)");
            const size_t frames = self.motion.frames;
            Output<double, 3> root(frames);
            Output<double, 4> local(frames * kJoints);
            double beyond = 0;
            {
              nb::gil_scoped_release release;
              beyond = carry_over(self.motion, self.figures.axes,
                                  {offsets.data(), left_ankle, right_ankle}, root.data, local.data);
            }
            const nb::ndarray<nb::numpy, double, nb::shape<-1, kJoints, 4>> turned(
                local.data, {frames, kJoints, 4}, local.owner);
            return std::make_tuple(root.array(), turned, beyond);
          },
          nb::arg("offsets").noconvert(), nb::arg("left_ankle"), nb::arg("right_ankle"),
          "Root positions (n, 3) and local rotations (n, 21, 4) of the canonical skeleton, and "
          "how\n"
          "far [rad] ankles were beyond their ranges, lowest and highest about x, y and z.");
}

}  // namespace surefoot::bindings
