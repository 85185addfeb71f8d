# shellcheck shell=bash
# Sourced by ./muster and ./verify: installs missing packages.

# Reports missing packages, and installs them if that needs no password. Otherwise prints the command to type, and ends.
install_packages() {
  local packages=$*
  if ! can_install; then
    printf 'muster: missing: %s. Install it:\n  sudo apt-get update && sudo apt-get install %s\n' "$packages" "$packages" >&2
    exit 69
  fi
  if ! apt_install "$@"; then
    printf 'muster: could not install %s\n' "$packages" >&2
    exit 69
  fi
}

# Whether packages can be installed without a password.
can_install() {
  type -P apt-get >/dev/null && as_root true 2>/dev/null
}

# Installs packages. Call it only if can_install is true.
apt_install() {
  printf 'muster: installing %s\n' "$*" >&2
  { as_root apt-get -q update && as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy --no-install-recommends install "$@"; } \
    </dev/null >&2
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo -n "$@"
  fi
}

# Adds packages that the build itself needs and that are missing to the list "missing".
missing_for_build() {
  if [[ ! $(compilers) ]]; then
    if apt-cache show openjdk-17-jdk-headless >/dev/null 2>&1; then
      missing+=(openjdk-17-jdk-headless)
    else
      missing+=(default-jdk-headless)
    fi
  fi
  type -P mvn >/dev/null || missing+=(maven)
  type -P python3 >/dev/null || missing+=(python3)
  has_c_compiler || missing+=(gcc musl-tools)
}

# Whether a C compiler and its headers are installed.
has_c_compiler() {
  local compiler
  for compiler in musl-gcc cc gcc clang; do
    ! "$compiler" -E -x c - <<<'#include <poll.h>' >/dev/null 2>&1 || return 0
  done
  return 1
}
