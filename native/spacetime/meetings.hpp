// Meetings: when landmarks on bodies that move come within reach of each other (levine2011, 5.5).
//
// Time is looked at in blocks. Within a block a landmark strays from where it is in the middle by
// no more than its body's trajectory says, so the least distance over a block is bounded and not
// sampled.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "geometry/world.hpp"

namespace surefoot::spacetime {

// A place to stand on.
struct Landmark {
  int frame;   // the moving body it rides on; -1: at rest in the world
  Vec3 place;  // in that frame
  int body;    // that it lies on
};

// From how far one goes from one landmark to another.
struct Reach {
  double same = 5.0;                  // [m] on the same body, or on level ones at rest together
  double across = 5.0;                // [m] from one body to another
  double rise = 0.5, drop = 1.0;      // [m], from one body to another
  double slope = 0.7;                 // [m/m] on the same body, and
  double step = 0.35;                 // [m]
  double gap = 2.7;                   // [m] between bodies that is crossed, and
  double lead = 2.5;                  // [s] before that one departs
  double lag = 1.0;                   // [s] after a departure it counts how far apart they are
  double beside = 2.2;                // [m] farther apart than their bodies landmarks may be
  int nearest = 2;                    // of landmarks on another ground at a time
  Shape shape{0.3, 1.8, 0.3, false};  // of who goes straight
};

// What lies between two bodies for one to go from one to the other, some time after departing.
struct Crossing {
  double gap = kInfinity;                     // [m] at most
  double rise = kInfinity, drop = kInfinity;  // [m] from landmark to landmark, at most
};

class Meetings {
 public:
  Meetings(const World& world, std::vector<Landmark> landmarks, const Reach& reach, double start,
           double latest);

  size_t size() const { return landmarks_.size(); }
  const std::vector<Landmark>& landmarks() const { return landmarks_; }
  std::span<const int> near(int landmark) const { return near_[landmark]; }
  // The first moment from t on at which two landmarks are within reach; infinity for none.
  double in_reach(int from, int to, double t) const;
  // Likewise, where somebody who departs soon finds no more between them than can be crossed.
  double crossable(int from, int to, double t, const Crossing& crossing) const;
  // Whether something that never moves against two landmarks of one frame stands between them.
  bool hindered(int from, int to) const { return hindered_[from * size() + to]; }
  bool meet(int from, int to) const { return windows_[from * size() + to] != kNever; }
  // [m] No moment has them nearer to each other, over the ground; infinity where out of reach.
  double least(int from, int to) const { return least_[from * size() + to]; }
  // [m/s] Landmarks of a frame are never faster, on average over a block.
  double fastest(int frame) const { return frame < 0 ? 0.0 : fastest_[slot(frame)]; }
  double start() const { return start_; }
  double latest() const { return latest_; }
  // [m] No less lies between the bodies of two landmarks about a time.
  double gap_at(int a, int b, double t) const {
    return gap(a, b, std::min(block_at(t, start_, blocks_), blocks_ - 1));
  }
  // Boxes that bodies which move sweep in a block.
  const std::vector<Box>& traffic(size_t block) const { return traffic_[block]; }
  size_t blocks() const { return blocks_; }
  // Landmarks of one frame that lead to each other have the same number.
  const std::vector<int>& grounds() const { return grounds_; }
  // tell(block) for every block in which one may depart from one landmark to another that is on
  // another ground.
  template <class Tell>
  void each_open(int from, int to, Tell tell) const {
    const int32_t row = windows_[from * size() + to];
    if (row == kNever) return;
    for (size_t block = 0; block < blocks_; ++block)
      if (row == kAlways || (rows_[row * words_ + block / 64] >> (block % 64) & 1)) tell(block);
  }

  static constexpr double kBlock = 0.25;  // [s]
  // The block that contains time t, for any t: the first one for times before `start`, `blocks` for
  // times after the last one. `rounding` is added first, in blocks.
  static size_t block_at(double t, double start, size_t blocks, double rounding = 0.0) {
    const double block = (t - start) / kBlock + rounding;
    return static_cast<size_t>(std::min(std::max(0.0, block), static_cast<double>(blocks)));
  }

 private:
  struct Stand {
    Frame frame;   // in the middle
    double shift;  // [m] of its origin
    double turn;   // [rad]
  };
  // From one landmark to another of the same frame: whether ground leads there, but for a jump, and
  // whether something stands there.
  struct Straight {
    bool leads = false, hindered = false;
  };
  static constexpr int32_t kAlways = -1, kNever = -2;

  int slot(int frame) const;
  void gather(Snapshot& view);
  void at_rest_together(Snapshot& view);
  Straight straight(Snapshot& view, const Landmark& from, const Landmark& to) const;
  bool obstructed(Snapshot& view, int frame, Vec3 foot) const;
  void moving(size_t slot);
  void sweep_boxes(const World& world, Snapshot& view);
  double gap(int a, int b, size_t block) const;
  bool crosses(int a, int b, size_t block, const Crossing& crossing) const;
  void close_gaps();
  void number_grounds();
  void meet(int a, int b, size_t block, const Stand* one, const Stand& other);
  void keep_nearest(size_t block);

  std::vector<Landmark> landmarks_;
  Reach reach_;
  double start_, latest_;
  size_t blocks_;
  std::vector<int> frames_;               // of moving bodies with landmarks, in order
  std::vector<std::vector<int>> riding_;  // landmarks of each
  std::vector<int> resting_;              // landmarks at rest
  std::vector<std::vector<std::vector<Stand>>> stands_;  // by frame, block
  std::vector<double> radius_, fastest_;
  std::vector<std::vector<int>> near_;
  std::vector<int> grounds_;
  struct Met {
    int from, to;
    double apart;
  };
  std::vector<Met> met_;  // in one block; scratch
  std::vector<float> least_;
  std::vector<bool> hindered_;    // by pair
  std::vector<int32_t> windows_;  // of pairs: which row of blocks; -1: always, -2: never
  std::vector<uint64_t> rows_;    // bits, one for each block
  size_t words_ = 0;
  std::vector<std::vector<Box>> traffic_;     // by block
  std::map<int, std::vector<Box>> boxes_;     // of bodies with landmarks, by block
  std::vector<const std::vector<Box>*> box_;  // by landmark
};

}  // namespace surefoot::spacetime
