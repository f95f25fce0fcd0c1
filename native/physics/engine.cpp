#include "physics/engine.hpp"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace surefoot::physics {
namespace {

Engine loaded;

#ifdef _WIN32
void* open_library(const std::string& path) { return LoadLibraryA(path.c_str()); }
void* symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
#else
// Python has opened the library already: this is the same one, with the same callbacks.
void* open_library(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL); }
void* symbol(void* library, const char* name) { return dlsym(library, name); }
#endif

template <class Pointer>
void find(void* library, const char* name, Pointer& out) {
  void* found = symbol(library, name);
  if (found == nullptr) throw EngineError("MuJoCo's library has no " + std::string(name));
  out = reinterpret_cast<Pointer>(found);
}

}  // namespace

std::string version_text(int version) {
  // Since 4.0 a million for each major version and a thousand for each minor one.
  return std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." +
         std::to_string(version % 1000);
}

const Engine& load_engine(const std::string& path) {
  if (loaded.version != 0) return loaded;
  void* library = open_library(path);
  if (library == nullptr) throw EngineError("MuJoCo's library cannot be opened: " + path);
  Engine found;
  decltype(&::mj_version) version = nullptr;
  find(library, "mj_version", version);
  // Structures may change between minor versions, not between patches.
  if (version() / 1000 != headers_version / 1000)
    throw EngineError("this surefoot was built for MuJoCo " + version_text(headers_version) +
                      ", but " + version_text(version()) +
                      " is installed: pip install 'surefoot[physics]'");
  find(library, "mj_step", found.step);
  find(library, "mj_forward", found.forward);
  find(library, "mj_makeData", found.make_data);
  find(library, "mj_deleteData", found.delete_data);
  find(library, "mj_resetData", found.reset_data);
  find(library, "mj_contactForce", found.contact_force);
  find(library, "mjcb_control", found.control);
  find(library, "mju_user_warning", found.warning);
  found.version = version();
  loaded = found;
  return loaded;
}

const Engine& engine() {
  if (loaded.version == 0) throw EngineError("MuJoCo is not loaded: call load_engine first");
  return loaded;
}

}  // namespace surefoot::physics
