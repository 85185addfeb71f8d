#!/bin/bash
#
# build.sh [--own | --release | --sanitize] OUT_DIR: builds the supervisor as OUT_DIR/linux-ARCHITECTURE/muster.
# --own (the default): for this machine, with musl-gcc or cc.
# --release: for x86-64 and aarch64, with the zig that zig.txt pins. The same sources give the same bytes on every machine.
#   Without zig, as where nothing can be downloaded, it does what --own does and says so. In CI it ends instead.
# --sanitize: for this machine, with the sanitizers for addresses and for undefined behaviour.
# A program that was built from the same sources stays.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
flags=(-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wconversion "-ffile-prefix-map=$here=.")
small=(-Os -static -s)

# compile FILE COMPILER WORD...: FILE gets its name only when it is complete.
compile() {
  local file=$1
  shift
  mkdir -p "${file%/*}"
  "$@" "${flags[@]}" -o "$file.part" "$here"/src/main/c/*.c && mv "$file.part" "$file"
}

# is_current FILE BY: whether FILE was built from these sources. BY is a pattern for the compiler.
is_current() {
  # shellcheck disable=SC2053 # a pattern
  [[ -x $1 && $(cat "${1%/*}.made" 2>/dev/null) == "$sources "$2 ]]
}

# made FILE BY: records the sources and the compiler of FILE.
made() {
  printf '%s %s\n' "$sources" "$2" >"${1%/*}.made"
}

own() {
  local file=$out/linux-$machine/muster compiler other
  for other in "$out"/linux-*/muster; do
    is_current "$other" '*' || rm -f "$other"
  done
  [[ ! -x $file ]] || return 0
  for compiler in musl-gcc cc gcc clang; do
    type -P "$compiler" >/dev/null || continue
    # Not every machine has a static libc.
    if compile "$file" "$compiler" "${small[@]}" 2>/dev/null || compile "$file" "$compiler" -Os -s; then
      made "$file" "$compiler"
      return
    fi
  done
  echo "build.sh: no C compiler could build the supervisor. Install one: sudo apt-get install musl-tools" >&2
  return 69
}

release() {
  local name file zig=''
  for name in x86_64 aarch64; do
    file=$out/linux-$name/muster
    is_current "$file" zig && continue
    [[ $zig ]] || zig=$(find_zig) || {
      echo "build.sh: no zig here ($zig): the supervisor is built for $machine alone" >&2
      [[ ${CI-} != true ]] || return 69
      rm -rf "$out"/linux-*
      own
      return
    }
    compile "$file" "$zig" cc -target "$name-linux-musl" "${small[@]}"
    made "$file" zig
  done
}

# Prints the path of zig, or why there is none. pip checks its hash.
find_zig() {
  local cache=${XDG_CACHE_HOME:-${HOME-}/.cache}/muster version place
  version=$(sed -n 's/^ziglang==\([^ ]*\).*/\1/p' "$here/zig.txt")
  place=$cache/ziglang-$version
  if [[ ! -x $place/ziglang/zig ]]; then
    mkdir -p "$cache" 2>&1 || return 1
    rm -rf "$place.part"
    if ! python3 -m pip --disable-pip-version-check install --no-input --quiet --no-deps --only-binary :all: --require-hashes \
      --target "$place.part" --requirement "$here/zig.txt" </dev/null >"$cache/ziglang.log" 2>&1; then
      tail -n 1 "$cache/ziglang.log"
      return 1
    fi
    rm -rf "$place"
    mv -T "$place.part" "$place"
  fi
  printf '%s\n' "$place/ziglang/zig"
}

sanitize() {
  local file=$out/linux-$machine/muster
  is_current "$file" sanitize && return
  compile "$file" cc -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
  made "$file" sanitize
}

mode=--own
case ${1-} in --own | --release | --sanitize)
  mode=$1
  shift
  ;;
esac
[[ ${1-} ]] || { sed -n '3,$s/^# //p;/^set/q' "${BASH_SOURCE[0]}" >&2 && exit 64; }
mkdir -p "$1"
out=$(cd -- "$1" && pwd)
machine=$(uname -m)
sources=$(cat "$here"/build.sh "$here"/zig.txt "$here"/src/main/c/*.[ch] | sha256sum)
sources=${sources%% *}
# Of two builds at the same time only one compiles. The lock is on this script, so that no lock file is left behind.
exec 9<"$here/build.sh"
flock 9
"${mode#--}"
