// Recast and Detour behind a few plain functions, for Python to time them; recast.py builds it.
//
// One call builds a navigation mesh in one piece from triangles (Y up, as Recast wants them) and
// tells how long each phase took; another answers many path queries. Same steps and filters as
// the library's documentation of a solo mesh, watershed partitioning.

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <memory>
#include <vector>

namespace {

constexpr int most_polygons = 4096;  // of one path
constexpr int most_nodes = 65535;    // of one search: the most that Detour can have

template <class T, void (*destroy)(T*)>
struct Freed {
  void operator()(T* thing) const { destroy(thing); }
};
template <class T, void (*destroy)(T*)>
using Owned = std::unique_ptr<T, Freed<T, destroy>>;

}  // namespace

extern "C" {

struct Settings {
  float cell, rise;           // of a voxel [m]
  float height, radius;       // of the agent [m]
  float climb, slope_degrees;
  float edge_length, edge_error;       // of contours: [m], [cells]
  float region_least, region_merged;   // sides of regions [cells]
  float detail_spacing, detail_error;  // of the detail mesh: [cells], [rises]
};

// What was made, in counts.
struct Made {
  int32_t width, depth, spans, polygons, bytes;
};

struct NavigationMesh;  // opaque to the caller

enum Failure : int32_t {
  none = 0, heightfield, rasterise, compact, erode, regions, contours, polygons, detail, data, query
};

enum Phase { voxels = 0, borders, partition, outline, navigation, phase_count };
}

struct NavigationMesh {
  Owned<dtNavMesh, dtFreeNavMesh> mesh{dtAllocNavMesh()};
  Owned<dtNavMeshQuery, dtFreeNavMeshQuery> query{dtAllocNavMeshQuery()};
};

namespace {

// Time that the processor worked for this process, which others do not lengthen.
class Stopwatch {
 public:
  explicit Stopwatch(double* seconds) : seconds_(seconds) {}
  void lap(Phase phase) {
    const std::clock_t now = std::clock();
    seconds_[phase] += static_cast<double>(now - last_) / CLOCKS_PER_SEC;
    last_ = now;
  }

 private:
  double* seconds_;
  std::clock_t last_ = std::clock();
};

struct Scale {
  int height, climb, radius;
  explicit Scale(const Settings& s)
      : height(static_cast<int>(std::ceil(s.height / s.rise))),
        climb(static_cast<int>(std::floor(s.climb / s.rise))),
        radius(static_cast<int>(std::ceil(s.radius / s.cell))) {}
};

Failure build(const float* vertices, int vertex_count, const int* triangles, int triangle_count,
              const uint8_t* forbidden, const Settings& s, NavigationMesh& nav, Made& made,
              double* seconds) {
  rcContext context(false);
  Stopwatch watch(seconds);
  const Scale scale(s);
  float low[3], high[3];
  rcCalcBounds(vertices, vertex_count, low, high);
  int width = 0, depth = 0;
  rcCalcGridSize(low, high, s.cell, &width, &depth);

  // Voxels: triangles, then what cannot be stood on taken away.
  Owned<rcHeightfield, rcFreeHeightField> solid(rcAllocHeightfield());
  if (!rcCreateHeightfield(&context, *solid, width, depth, low, high, s.cell, s.rise))
    return heightfield;
  std::vector<unsigned char> areas(triangle_count, 0);
  rcMarkWalkableTriangles(&context, s.slope_degrees, vertices, vertex_count, triangles,
                          triangle_count, areas.data());
  for (int k = 0; k < triangle_count; ++k)
    if (forbidden[k]) areas[k] = RC_NULL_AREA;
  if (!rcRasterizeTriangles(&context, vertices, vertex_count, triangles, areas.data(),
                            triangle_count, *solid, scale.climb))
    return rasterise;
  rcFilterLowHangingWalkableObstacles(&context, scale.climb, *solid);
  rcFilterLedgeSpans(&context, scale.height, scale.climb, *solid);
  rcFilterWalkableLowHeightSpans(&context, scale.height, *solid);
  Owned<rcCompactHeightfield, rcFreeCompactHeightfield> field(rcAllocCompactHeightfield());
  if (!rcBuildCompactHeightfield(&context, scale.height, scale.climb, *solid, *field))
    return compact;
  solid.reset();
  watch.lap(voxels);
  if (!rcErodeWalkableArea(&context, scale.radius, *field)) return erode;
  watch.lap(borders);

  if (!rcBuildDistanceField(&context, *field) ||
      !rcBuildRegions(&context, *field, 0, static_cast<int>(s.region_least * s.region_least),
                      static_cast<int>(s.region_merged * s.region_merged)))
    return regions;
  watch.lap(partition);

  Owned<rcContourSet, rcFreeContourSet> lines(rcAllocContourSet());
  if (!rcBuildContours(&context, *field, s.edge_error, static_cast<int>(s.edge_length / s.cell),
                       *lines))
    return contours;
  Owned<rcPolyMesh, rcFreePolyMesh> flat(rcAllocPolyMesh());
  if (!rcBuildPolyMesh(&context, *lines, 6, *flat)) return polygons;
  Owned<rcPolyMeshDetail, rcFreePolyMeshDetail> heights(rcAllocPolyMeshDetail());
  const float spacing = s.detail_spacing < 0.9f ? 0.0f : s.detail_spacing * s.cell;
  if (!rcBuildPolyMeshDetail(&context, *flat, *field, spacing, s.detail_error * s.rise, *heights))
    return detail;
  for (int k = 0; k < flat->npolys; ++k)
    flat->flags[k] = flat->areas[k] == RC_WALKABLE_AREA ? 1 : 0;
  watch.lap(outline);

  dtNavMeshCreateParams make{};
  make.verts = flat->verts, make.vertCount = flat->nverts;
  make.polys = flat->polys, make.polyCount = flat->npolys, make.nvp = flat->nvp;
  make.polyAreas = flat->areas, make.polyFlags = flat->flags;
  make.detailMeshes = heights->meshes;
  make.detailVerts = heights->verts, make.detailVertsCount = heights->nverts;
  make.detailTris = heights->tris, make.detailTriCount = heights->ntris;
  make.walkableHeight = s.height, make.walkableRadius = s.radius, make.walkableClimb = s.climb;
  std::copy_n(flat->bmin, 3, make.bmin);
  std::copy_n(flat->bmax, 3, make.bmax);
  make.cs = s.cell, make.ch = s.rise, make.buildBvTree = true;
  unsigned char* bytes = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&make, &bytes, &size)) return data;
  if (dtStatusFailed(nav.mesh->init(bytes, size, DT_TILE_FREE_DATA))) {
    dtFree(bytes);
    return data;
  }
  if (dtStatusFailed(nav.query->init(nav.mesh.get(), most_nodes))) return query;
  watch.lap(navigation);
  made = {width, depth, field->spanCount, flat->npolys, size};
  return none;
}

// The length of the way along straight stretches, or less than 0 where there is none.
double path(const dtNavMeshQuery& query, const dtQueryFilter& filter, const float* start,
            const float* end, const float* reach, std::vector<dtPolyRef>& rooms,
            std::vector<float>& corners, double& away) {
  dtPolyRef first = 0, last = 0;
  float from[3], to[3];
  query.findNearestPoly(start, reach, &filter, &first, from);
  query.findNearestPoly(end, reach, &filter, &last, to);
  away = -1.0;
  if (!first || !last) return -1.0;
  away = std::max(std::hypot(from[0] - start[0], from[2] - start[2]),
                  std::hypot(to[0] - end[0], to[2] - end[2]));
  int count = 0, corner_count = 0;
  query.findPath(first, last, from, to, &filter, rooms.data(), &count, most_polygons);
  if (!count || rooms[count - 1] != last) return -1.0;
  query.findStraightPath(from, to, rooms.data(), count, corners.data(), nullptr, nullptr,
                         &corner_count, most_polygons);
  double length = 0.0;
  for (int k = 3; k < 3 * corner_count; k += 3)
    length += std::hypot(corners[k] - corners[k - 3], corners[k + 1] - corners[k - 2],
                         corners[k + 2] - corners[k - 1]);
  return length;
}

}  // namespace

extern "C" {

// nullptr where it failed, and in which phase. `seconds` has room for five phases.
NavigationMesh* recast_build(const float* vertices, int vertex_count, const int* triangles,
                             int triangle_count, const uint8_t* forbidden,
                             const Settings* settings, Made* made, double* seconds,
                             int32_t* failure) {
  auto nav = std::make_unique<NavigationMesh>();
  std::fill_n(seconds, static_cast<int>(phase_count), 0.0);
  *failure = build(vertices, vertex_count, triangles, triangle_count, forbidden, *settings, *nav,
                   *made, seconds);
  return *failure == none ? nav.release() : nullptr;
}

void recast_free(NavigationMesh* nav) { delete nav; }

// Lengths of ways between points (count, 3) [m], less than 0 for none; and how far the ends lie
// from the mesh, seen from above [m].
void recast_paths(const NavigationMesh* nav, int count, const float* starts, const float* ends,
                  const float* reach, double* lengths, double* away) {
  const dtQueryFilter filter;
  std::vector<dtPolyRef> rooms(most_polygons);
  std::vector<float> corners(3 * most_polygons);
  for (int k = 0; k < count; ++k)
    lengths[k] = path(*nav->query, filter, starts + 3 * k, ends + 3 * k, reach, rooms, corners,
                      away[k]);
}
}
