// What a step controller knows of a body: its joints in MuJoCo's model, its gains, its feet.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <cstdint>
#include <vector>

namespace surefoot::physics {

// Room for a body's degrees of freedom, and for the channels of a gait, which are no more.
inline constexpr int kMostFreedom = 128;

enum class Held : int32_t { parent = 0, heading = 1 };

// One hinge, or one ball joint.
struct Joint {
  int body = 0;              // that it turns
  int parent = 0;            // body that it hangs on
  int position = 0;          // first in qpos
  int dof = 0;               // first in qvel
  int channels = 1;          // 1 hinge, 3 ball: turns about x, y, z
  int channel = 0;           // first among the gait's targets
  Held held = Held::parent;  // of its target
  double stiffness = 0;      // [Nm/rad]; its damping is the model's, integrated implicitly
  double limit = 0;          // [Nm]
};

struct Leg {
  int hip = 0;          // joint
  int ankle = 0;        // joint: toes up
  int ankle_roll = -1;  // joint: sole sideways
  int shin = 0;         // body
  int foot = 0;         // body
};

struct Anatomy {
  const mjModel* model = nullptr;
  int root = 1;    // body with the free joint
  int bodies = 0;  // the character's are root .. root + bodies - 1
  int dofs = 0;    // the character's come first
  std::vector<Joint> joints;
  std::array<Leg, 2> legs;  // left, right
  int channels = 0;         // of a gait: all joints', then the root's x, y, z
  int root_channel = 0;     // first of the root's
  double root_stiffness = 0, root_damping = 0, root_limit = 0;  // in the world
  double hip_damping = 0;             // of the swing thigh in the world [Nm s/rad]
  double twist_share = 1;             // of the swing hip's torque along the thigh
  double stance_twist_limit = 0;      // [Nm]
  double twist_free = 0;              // [rad] of a thigh against the root, before ligaments pull
  double twist_stiffness = 0;         // [Nm/rad] of those
  double fall_height = 0;             // of the root above the lower foot [m]
  std::vector<uint8_t> foot_of_geom;  // 1 left, 2 right, 0 none
  std::vector<uint8_t> own_geom;      // whether a geom is the character's
};

}  // namespace surefoot::physics
