#include "physics/torques.hpp"

#include <cmath>

#include "geometry/vec.hpp"

namespace surefoot::physics {
namespace {

Vec3 vec(const mjtNum* v) { return {v[0], v[1], v[2]}; }
Quat quat(const mjtNum* q) { return {q[0], q[1], q[2], q[3]}; }
Mat3 mat(const mjtNum* m) { return {{vec(m), vec(m + 3), vec(m + 6)}}; }

// Turned about x, then y, then z.
Quat turned(const double* angles) {
  const double cx = std::cos(angles[0] / 2), sx = std::sin(angles[0] / 2);
  const double cy = std::cos(angles[1] / 2), sy = std::sin(angles[1] / 2);
  const double cz = std::cos(angles[2] / 2), sz = std::sin(angles[2] / 2);
  return {cz * cy * cx + sz * sy * sx, cz * cy * sx - sz * sy * cx, cz * sy * cx + sz * cy * sx,
          sz * cy * cx - cz * sy * sx};
}

// The least turn from upright to another up.
Quat leaning(Vec3 up) {
  const double w = std::sqrt((1 + up.z) / 2);
  return {w, -up.y / (2 * w), up.x / (2 * w), 0};
}

Quat about_up(double angle) { return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}; }

Vec3 clamped(Vec3 v, double limit) {
  return {std::clamp(v.x, -limit, limit), std::clamp(v.y, -limit, limit),
          std::clamp(v.z, -limit, limit)};
}

void put(double* out, int dof, Vec3 v) {
  out[dof] = v.x;
  out[dof + 1] = v.y;
  out[dof + 2] = v.z;
}

// Velocity of the character's centre of mass.
Vec3 velocity_of_mass(const Anatomy& a, const mjData& d) {
  const mjModel& m = *a.model;
  const Vec3 about = vec(d.subtree_com + 3 * a.root);
  Vec3 momentum;
  for (int b = a.root; b < a.root + a.bodies; ++b) {
    const mjtNum* moving = d.cvel + 6 * b;
    const Vec3 arm = vec(d.xipos + 3 * b) - about;
    momentum = momentum + (vec(moving + 3) + cross(vec(moving), arm)) * m.body_mass[b];
  }
  return momentum * (1.0 / m.body_subtreemass[a.root]);
}

// The swing hip's targets answer to where the body is and how it moves, in both planes.
void place_swing_foot(const Anatomy& a, const mjData& d, const Gait& gait, const Beat& beat,
                      const Ground& ground, double heading, double* angles) {
  Vec3 beyond = vec(d.subtree_com + 3 * a.root) - vec(d.xpos + 3 * a.legs[beat.stance].foot);
  // Upright is along the gravity that is felt.
  beyond = beyond - ground.up * (beyond.z / ground.up.z);
  const Vec3 moving = velocity_of_mass(a, d) - ground.velocity;
  const double c = std::cos(heading), s = std::sin(heading);
  const auto answer = [](const Feedback& f, double place, double speed) {
    return f.place * place + f.speed * (speed - f.wanted);
  };
  // A thigh swings forward by turning about -y, and to the left by turning about +x.
  angles[1] -= answer(gait.ahead, c * beyond.x + s * beyond.y, c * moving.x + s * moving.y);
  angles[0] += answer(gait.sideways, c * beyond.y - s * beyond.x, c * moving.y - s * moving.x);
}

// Ligaments: a thigh that twists too far against the pelvis is pulled back [Nm].
double ligament(const Anatomy& a, const mjtNum* hip) {
  const double twist = 2 * std::atan2(std::copysign(1.0, hip[0]) * hip[3], std::abs(hip[0]));
  const double beyond = std::abs(twist) - a.twist_free;
  return beyond <= 0 ? 0.0 : -std::copysign(std::min(beyond * a.twist_stiffness, 60.0), twist);
}

}  // namespace

double facing(const mjtNum* q) {
  return std::atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

Ground ground_of(const Anatomy& a, const std::vector<Deck>& decks, const mjData& d, int stance) {
  if (decks.empty()) return {};
  return ground_under(decks, d, a.legs[stance].foot, vec(d.subtree_com + 3 * a.root),
                      velocity_of_mass(a, d));
}

void torques(const Anatomy& a, const mjData& d, const Gait& gait, const Beat& beat,
             const Ground& ground, double* out) {
  const double phase = std::min(1.0, beat.elapsed / gait.step_time);
  // What turns with the ground keeps its heading on it.
  const double heading = beat.heading + ground.turning * beat.elapsed + gait.turn * phase;
  const Vec3 carried{0, 0, ground.turning};
  const Quat ahead = leaning(ground.up) * about_up(heading);
  const Leg& stance = a.legs[beat.stance];
  const Leg& swing = a.legs[1 - beat.stance];

  double angles[kMostFreedom];
  const double* knots = gait.knots[beat.stance].data();
  for (int c = 0; c < a.channels; ++c) angles[c] = spline(knots + c * kKnots, phase);
  place_swing_foot(a, d, gait, beat, ground, heading, angles + a.joints[swing.hip].channel);

  for (int i = 0; i < a.dofs; ++i) out[i] = 0;
  Vec3 on_root;  // torque in the world that the joints' children take from the root
  for (int i = 0; i < static_cast<int>(a.joints.size()); ++i) {
    const Joint& joint = a.joints[i];
    if (i == stance.hip || joint.stiffness == 0) continue;
    const double* target = angles + joint.channel;

    if (joint.channels == 1) {
      double wanted = target[0];
      // The swing foot's pitch and roll are held in the world: take off what the shin has.
      if (i == swing.ankle) wanted -= std::asin(std::clamp(d.xmat[9 * swing.shin + 6], -1.0, 1.0));
      if (i == swing.ankle_roll)
        wanted -= std::asin(std::clamp(d.xmat[9 * swing.shin + 7], -1.0, 1.0));
      const double pull = joint.stiffness * (wanted - d.qpos[joint.position]);
      out[joint.dof] = std::clamp(pull, -joint.limit, joint.limit);
      continue;
    }

    const Mat3 child = mat(d.xmat + 9 * joint.body);
    Vec3 torque;  // in the child's own frame, as MuJoCo's ball joints have it
    if (i == swing.hip) {
      const Vec3 error =
          rotation_vector(ahead * turned(target) * conjugate(quat(d.xquat + 4 * joint.body)));
      const Vec3 spin = vec(d.cvel + 6 * joint.body) - carried;
      torque = child.back(error * joint.stiffness - spin * a.hip_damping);
      torque.z *= a.twist_share;
    } else if (joint.held == Held::heading) {
      torque = child.back(
          rotation_vector(ahead * turned(target) * conjugate(quat(d.xquat + 4 * joint.body))) *
          joint.stiffness);
    } else {
      torque = rotation_vector(conjugate(quat(d.qpos + joint.position)) * turned(target)) *
               joint.stiffness;
    }
    torque = clamped(torque, joint.limit);
    put(out, joint.dof, torque);
    if (joint.parent == a.root) {
      const Vec3 relative = vec(d.qvel + joint.dof);
      on_root = on_root + child * (torque - relative * a.model->dof_damping[joint.dof]);
    }
  }

  // The stance hip gives the root what it needs in the world, and what the other joints take.
  const Vec3 error = rotation_vector(ahead * turned(angles + a.root_channel) *
                                     conjugate(quat(d.xquat + 4 * a.root)));
  const Vec3 spin = vec(d.cvel + 6 * a.root) - carried;
  const Vec3 needed = clamped(error * a.root_stiffness - spin * a.root_damping, a.root_limit);
  const Joint& hip = a.joints[stance.hip];
  // In flight nothing carries that torque but the leg itself, which it would throw aside.
  const double share = gait.hold + (1 - gait.hold) * beat.support;
  Vec3 torque = mat(d.xmat + 9 * hip.body).back((-needed - on_root) * share);
  torque = clamped(torque, hip.limit);
  torque.z = std::clamp(torque.z, -a.stance_twist_limit, a.stance_twist_limit);
  put(out, hip.dof, torque);
  for (const Leg& leg : a.legs) {
    const Joint& joint = a.joints[leg.hip];
    out[joint.dof + 2] += ligament(a, d.qpos + joint.position);
  }
}

}  // namespace surefoot::physics
