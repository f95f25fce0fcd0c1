#include "spacetime/meetings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "geometry/checks.hpp"

namespace surefoot::spacetime {
namespace {

constexpr double kLook = 0.25;  // [m] between looks at the ground

constexpr double kRounding = 1e-6;      // of a block
constexpr double kSoon[] = {0.0, 2.0};  // [s] after a departure one is between two bodies

double apart(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

int Meetings::slot(int frame) const {
  return static_cast<int>(std::lower_bound(frames_.begin(), frames_.end(), frame) -
                          frames_.begin());
}

Meetings::Meetings(const World& world, std::vector<Landmark> landmarks, const Reach& reach,
                   double start, double latest)
    : landmarks_(std::move(landmarks)), reach_(reach), start_(start), latest_(latest) {
  const size_t n = size();
  check_time(start, "start");
  check_number(latest, "latest", start, kMaxTime);
  // So many pairs and blocks fit into memory.
  check_number(static_cast<double>(n), "the number of landmarks", 0, 1e5);
  check_number(latest - start, "the time that is looked at", 0, 1e6);
  check_shape(reach.shape);
  for (const Landmark& landmark : landmarks_) check_position(landmark.place, "a landmark");
  blocks_ = std::max<size_t>(1, static_cast<size_t>(std::ceil((latest - start) / kBlock)));
  words_ = (blocks_ + 63) / 64;
  least_.assign(n * n, std::numeric_limits<float>::infinity());
  windows_.assign(n * n, kNever);
  hindered_.assign(n * n, false);
  near_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    const int frame = landmarks_[i].frame;
    if (frame < 0)
      resting_.push_back(static_cast<int>(i));
    else
      frames_.push_back(frame);
  }
  std::sort(frames_.begin(), frames_.end());
  frames_.erase(std::unique(frames_.begin(), frames_.end()), frames_.end());
  riding_.resize(frames_.size());
  for (size_t i = 0; i < n; ++i)
    if (landmarks_[i].frame >= 0) riding_[slot(landmarks_[i].frame)].push_back(static_cast<int>(i));
  world.view(start, latest, [&](Snapshot& view) {
    for (const Landmark& landmark : landmarks_) {
      if (landmark.frame >= 0) world.check_body(landmark.frame, "the frame of a landmark");
      if (landmark.body >= 0) world.check_body(landmark.body, "the body of a landmark");
    }
    gather(view);
    sweep_boxes(world, view);
    at_rest_together(view);
  });
  number_grounds();
  for (size_t s = 0; s < frames_.size(); ++s) moving(s);
  close_gaps();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (i != j && windows_[i * n + j] != kNever) near_[i].push_back(static_cast<int>(j));
}

void Meetings::number_grounds() {
  const int n = static_cast<int>(size());
  std::vector<int> reached;
  grounds_.assign(n, -1);
  for (int first = 0; first < n; ++first) {
    if (grounds_[first] >= 0) continue;
    reached.assign(1, first);
    grounds_[first] = first;
    const int frame = landmarks_[first].frame;
    const std::vector<int>& together = frame < 0 ? resting_ : riding_[slot(frame)];
    for (size_t next = 0; next < reached.size(); ++next)
      for (const int to : together) {
        if (grounds_[to] >= 0 || windows_[reached[next] * n + to] == kNever) continue;
        grounds_[to] = first;
        reached.push_back(to);
      }
  }
}

// Where every frame is in every block; at several places where it jumps meanwhile.
void Meetings::gather(Snapshot& view) {
  stands_.resize(frames_.size());
  radius_.assign(frames_.size(), 0.0);
  fastest_.assign(frames_.size(), 0.0);
  std::vector<double> cuts;
  for (size_t s = 0; s < frames_.size(); ++s) {
    const Trajectory& way = *view.body(frames_[s]).trajectory;
    for (const int i : riding_[s]) radius_[s] = std::max(radius_[s], length(landmarks_[i].place));
    stands_[s].resize(blocks_);
    for (size_t k = 0; k < blocks_; ++k) {
      const double from = start_ + kBlock * static_cast<double>(k), to = from + kBlock;
      cuts.assign({from, to});
      way.jumps(from, to, cuts);
      std::sort(cuts.begin(), cuts.end());
      for (size_t c = 0; c + 1 < cuts.size(); ++c) {
        const double middle = 0.5 * (cuts[c] + cuts[c + 1]);
        const Travel strays = max(way.travel(cuts[c], middle), way.travel(middle, cuts[c + 1]));
        const Stand stand{Frame(way.pose(middle)), length(strays.shift), strays.turn};
        stands_[s][k].push_back(stand);
        const double half = 0.5 * (cuts[c + 1] - cuts[c]);
        if (half > 1e-6)
          fastest_[s] = std::max(fastest_[s], (stand.shift + stand.turn * radius_[s]) / half);
      }
    }
  }
}

// Landmarks that never move against each other: at rest, and on one and the same body.
void Meetings::at_rest_together(Snapshot& view) {
  std::vector<std::vector<int>> groups = riding_;
  groups.push_back(resting_);
  for (const std::vector<int>& group : groups)
    for (const int a : group)
      for (const int b : group) {
        if (a == b) continue;
        const Landmark &one = landmarks_[a], &other = landmarks_[b];
        const double d = apart(one.place, other.place), up = other.place.z - one.place.z;
        least_[a * size() + b] = static_cast<float>(d);
        const bool same = one.body == other.body;
        const bool level = std::abs(up) <= reach_.step + reach_.slope * d;
        const bool leap =
            !same && up <= reach_.rise + reach_.step && -up <= reach_.drop + reach_.step;
        if (d > (same || level ? reach_.same : reach_.across) || !(level || leap)) continue;
        const Straight way = straight(view, one, other);
        if (way.leads) windows_[a * size() + b] = kAlways;
        hindered_[a * size() + b] = way.hindered;
      }
}

Meetings::Straight Meetings::straight(Snapshot& view, const Landmark& from,
                                      const Landmark& to) const {
  Straight way;
  const double far = apart(from.place, to.place);
  const int looks = static_cast<int>(std::ceil(far / kLook));
  const double step = reach_.step + kLook * reach_.slope;
  double height = from.place.z, gap = 0;
  for (int i = 1; i <= looks; ++i) {
    const double share = static_cast<double>(i) / looks;
    const Vec3 local{from.place.x + share * (to.place.x - from.place.x),
                     from.place.y + share * (to.place.y - from.place.y), height};
    const Vec3 point = from.frame < 0 ? local : view.frame(from.frame, start_).apply(local);
    // Over a gap one comes down higher or lower.
    const double up = gap > 0 ? reach_.rise + reach_.step : step;
    const double down = gap > 0 ? reach_.drop + reach_.step : step;
    const Support ground = view.support(point, start_, up, down);
    if (ground.body < 0) {
      gap += far / looks;
      if (gap > reach_.gap) return way;
      continue;
    }
    height += ground.height - point.z;
    gap = 0;
    // At both ends one can stand, and somebody is wider than two looks are apart.
    if (i % 2 == 0 || i == looks || way.hindered) continue;
    way.hindered = obstructed(view, from.frame, {point.x, point.y, ground.height});
  }
  way.leads = gap == 0 && std::abs(height - to.place.z) <= step;
  return way;
}

// Whether something that never moves against a frame is where somebody would be.
bool Meetings::obstructed(Snapshot& view, int frame, Vec3 foot) const {
  const Box box = shape_box(reach_.shape, foot);
  const auto touches = [&](int id) { return view.overlaps(id, start_, reach_.shape, foot); };
  if (frame < 0) return view.resting().visit(box, touches);
  const Trajectory* carrier = view.body(frame).trajectory->carrier();
  return view.visit(box, start_, [&](int id) {
    return view.body(id).trajectory->carrier() == carrier && touches(id);
  });
}

void Meetings::meet(int a, int b, size_t block, const Stand* one, const Stand& other) {
  const Landmark &from = landmarks_[a], &to = landmarks_[b];
  const Vec3 p = one == nullptr ? from.place : one->frame.apply(from.place);
  const Vec3 q = other.frame.apply(to.place);
  double stray = other.shift + other.turn * length(to.place);
  if (one != nullptr) stray += one->shift + one->turn * length(from.place);
  const double d = std::max(apart(p, q) - stray, 0.0);
  if (d > reach_.across) return;
  // Who is farther from the edges goes there first.
  const bool far = d > gap(a, b, block) + reach_.beside;
  const size_t n = size();
  for (const bool back : {false, true}) {
    const double up = back ? p.z - q.z : q.z - p.z;
    if (up > reach_.rise + reach_.step + stray || -up > reach_.drop + reach_.step + stray) continue;
    const size_t pair = back ? b * n + a : a * n + b;
    // Rounded down: it stays a bound.
    least_[pair] = std::min(least_[pair], std::nextafter(static_cast<float>(d), 0.0f));
    if (far) continue;
    met_.push_back(back ? Met{b, a, apart(p, q)} : Met{a, b, apart(p, q)});
  }
}

// One goes to the nearest landmarks of another ground: who is near enough to one is there.
void Meetings::keep_nearest(size_t block) {
  std::sort(met_.begin(), met_.end(), [&](const Met& a, const Met& b) {
    if (a.from != b.from) return a.from < b.from;
    if (grounds_[a.to] != grounds_[b.to]) return grounds_[a.to] < grounds_[b.to];
    return a.apart != b.apart ? a.apart < b.apart : a.to < b.to;
  });
  const auto lag = static_cast<size_t>(reach_.lag / kBlock);
  const size_t departs = block - std::min(block, lag);
  int kept = 0;
  for (size_t i = 0; i < met_.size(); ++i) {
    const Met& met = met_[i];
    const bool same =
        i > 0 && met_[i - 1].from == met.from && grounds_[met_[i - 1].to] == grounds_[met.to];
    kept = same ? kept + 1 : 1;
    if (kept > reach_.nearest) continue;
    int32_t& row = windows_[met.from * size() + met.to];
    if (row == kNever) {
      row = static_cast<int32_t>(rows_.size() / words_);
      rows_.resize(rows_.size() + words_, 0);
    }
    rows_[row * words_ + departs / 64] |= uint64_t{1} << (departs % 64);
  }
  met_.clear();
}

// All meetings of one body's landmarks with those at rest, and on bodies before it.
void Meetings::moving(size_t s) {
  // A ball around all landmarks of the body, against single landmarks.
  Vec3 centre{};
  for (const int i : riding_[s]) centre = centre + landmarks_[i].place;
  centre = centre * (1.0 / static_cast<double>(riding_[s].size()));
  double ball = 0;
  for (const int i : riding_[s]) ball = std::max(ball, length(landmarks_[i].place - centre));
  for (size_t k = 0; k < blocks_; ++k) {
    for (const Stand& stand : stands_[s][k]) {
      const Vec3 middle = stand.frame.apply(centre);
      const double far = ball + stand.shift + stand.turn * radius_[s] + reach_.across;
      for (const int a : resting_) {
        const Vec3 away = landmarks_[a].place - middle;
        if (away.x * away.x + away.y * away.y > far * far) continue;
        for (const int b : riding_[s]) meet(a, b, k, nullptr, stand);
      }
      for (size_t o = 0; o < s; ++o)
        for (const Stand& other : stands_[o][k]) {
          const double farther = far + 2 * radius_[o] + other.shift + other.turn * radius_[o];
          if (apart(other.frame.origin, middle) > farther) continue;
          for (const int a : riding_[o]) {
            if (apart(other.frame.apply(landmarks_[a].place), middle) >
                far + other.shift + other.turn * radius_[o])
              continue;
            for (const int b : riding_[s]) meet(a, b, k, &other, stand);
          }
        }
    }
    keep_nearest(k);
  }
}

void Meetings::sweep_boxes(const World& world, Snapshot& view) {
  traffic_.resize(blocks_);
  for (size_t id = 0; id < world.size(); ++id) {
    const Body& body = view.body(static_cast<int>(id));
    if (!body.alive || !body.moving) continue;
    for (size_t k = 0; k < blocks_; ++k) {
      const double from = start_ + kBlock * static_cast<double>(k);
      traffic_[k].push_back(swept_box(body, from, from + kBlock));
    }
  }
  for (const Landmark& mark : landmarks_) {
    std::vector<Box>& swept = boxes_[mark.body];
    if (!swept.empty() || mark.body < 0) continue;
    for (size_t k = 0; k < blocks_; ++k) {
      const double from = start_ + kBlock * static_cast<double>(k);
      swept.push_back(swept_box(view.body(mark.body), from, from + kBlock));
    }
  }
  for (const Landmark& mark : landmarks_) box_.push_back(&boxes_[mark.body]);
}

// [m] No less lies between the bodies of two landmarks during a block.
double Meetings::gap(int a, int b, size_t block) const {
  if (box_[a]->empty() || box_[b]->empty()) return 0;
  const Box &one = (*box_[a])[block], &other = (*box_[b])[block];
  const double x = std::max({one.lo.x - other.hi.x, other.lo.x - one.hi.x, 0.0});
  const double y = std::max({one.lo.y - other.hi.y, other.lo.y - one.hi.y, 0.0});
  return std::hypot(x, y);
}

// Landmarks are out of reach while their bodies are too far apart, and stay so for a while.
void Meetings::close_gaps() {
  const auto lead = static_cast<size_t>(std::ceil(reach_.lead / kBlock));
  std::map<std::pair<int, int>, std::vector<uint64_t>> open;
  const auto opened = [&](int a, int b) -> const std::vector<uint64_t>& {
    std::vector<uint64_t>& bits = open[{landmarks_[a].body, landmarks_[b].body}];
    if (!bits.empty()) return bits;
    bits.assign(words_, 0);
    for (size_t k = 0; k < blocks_; ++k) {
      if (gap(a, b, k) > reach_.gap) continue;
      for (size_t at = k - std::min(k, lead); at <= k; ++at)
        bits[at / 64] |= uint64_t{1} << (at % 64);
    }
    return bits;
  };
  const size_t n = size();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      int32_t& row = windows_[i * n + j];
      if (row < 0) continue;
      const std::vector<uint64_t>& bits = opened(static_cast<int>(i), static_cast<int>(j));
      uint64_t any = 0;
      for (size_t w = 0; w < words_; ++w) any |= rows_[row * words_ + w] &= bits[w];
      if (any != 0) continue;
      row = kNever;
      least_[i * n + j] = std::numeric_limits<float>::infinity();
    }
}

double Meetings::in_reach(int from, int to, double t) const {
  const int32_t row = windows_[from * size() + to];
  if (row == kAlways) return t;
  if (row == kNever) return kInfinity;
  size_t block = block_at(t, start_, blocks_);
  const size_t first = block;
  while (block < blocks_) {
    const uint64_t bits = rows_[row * words_ + block / 64] >> (block % 64);
    if (bits != 0) {
      block += std::countr_zero(bits);
      if (block >= blocks_) break;
      return block == first ? t : start_ + kBlock * static_cast<double>(block);
    }
    block = (block / 64 + 1) * 64;
  }
  return kInfinity;
}

double Meetings::crossable(int from, int to, double t, const Crossing& crossing) const {
  const bool together = landmarks_[from].frame == landmarks_[to].frame;
  const auto soon = static_cast<size_t>(kSoon[0] / kBlock),
             late = static_cast<size_t>(kSoon[1] / kBlock);
  t = in_reach(from, to, t);
  while (!together && t < kInfinity) {
    const size_t block = block_at(t, start_, blocks_, kRounding);
    // The last block in which it can be crossed, among those that count.
    size_t k = std::min(block + late, blocks_ - 1);
    const size_t first = std::min(block + soon, k);
    while (k > first && !crosses(from, to, k, crossing)) --k;
    if (crosses(from, to, k, crossing)) break;
    if (block + 1 >= blocks_) return kInfinity;
    t = in_reach(from, to, start_ + kBlock * static_cast<double>(block + 1));
  }
  return t;
}

// Whether no more lies between two landmarks during a block, as far as is known.
bool Meetings::crosses(int a, int b, size_t block, const Crossing& crossing) const {
  if (gap(a, b, block) > crossing.gap) return false;
  const Landmark &from = landmarks_[a], &to = landmarks_[b];
  const auto heights = [&](const Landmark& mark) {
    double low = kInfinity, high = -kInfinity;
    if (mark.frame < 0) return std::pair{mark.place.z, mark.place.z};
    for (const Stand& stand : stands_[slot(mark.frame)][block]) {
      const double z = stand.frame.apply(mark.place).z;
      const double stray = stand.shift + stand.turn * length(mark.place);
      low = std::min(low, z - stray);
      high = std::max(high, z + stray);
    }
    return std::pair{low, high};
  };
  const auto [low, high] = heights(from);
  const auto [lowest, highest] = heights(to);
  return lowest - high <= crossing.rise && low - highest <= crossing.drop;
}

}  // namespace surefoot::spacetime
