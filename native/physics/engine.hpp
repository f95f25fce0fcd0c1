// MuJoCo's library, found at run time. Only its headers are compiled in, so the structures that we
// read are those of one version: another one is refused by name.
#pragma once

#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>

namespace surefoot::physics {

// The library is not there, or is another version than the headers.
struct EngineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What we call of it.
struct Engine {
  int version = 0;
  decltype(&::mj_step) step = nullptr;
  decltype(&::mj_forward) forward = nullptr;
  decltype(&::mj_makeData) make_data = nullptr;
  decltype(&::mj_deleteData) delete_data = nullptr;
  decltype(&::mj_resetData) reset_data = nullptr;
  decltype(&::mj_contactForce) contact_force = nullptr;
  mjfGeneric* control = nullptr;            // the library's one control callback
  void (**warning)(const char*) = nullptr;  // and its one handler of warnings
};

// Opens the library once; later calls give the same engine.
const Engine& load_engine(const std::string& path);

// The one that was loaded; an error when none was.
const Engine& engine();

// "4.0.1" of 4000001.
std::string version_text(int version);

// The version whose headers were compiled in.
inline constexpr int headers_version = mjVERSION_HEADER;

}  // namespace surefoot::physics
