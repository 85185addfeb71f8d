#!/bin/bash
#
# check.sh [--fuzz SECONDS]: runs cppcheck, clang-tidy and the tests of the supervisor. It tests the program as it is built, one with
# sanitizers and, with a few tests, the one for aarch64 under qemu. --fuzz: only feeds the decoder with random frames.
# If a tool is missing, its check is left out, with a message. In CI a missing tool is a failure.
set -euo pipefail
export LC_ALL=C.UTF-8

cd -P -- "${BASH_SOURCE[0]%/*}"
sources=(src/main/c/*.c)
target=target/check

# has PROGRAM WHAT: whether a program is installed. WHAT is the check that is left out without it.
has() {
  type -P "$1" >/dev/null && return
  echo "check.sh: no $1 here: $2" >&2
  [[ ${CI-} != true ]] || exit 69
  return 1
}

analyse() {
  ! has cppcheck 'the C sources are not analysed by it' ||
    cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr -D_GNU_SOURCE \
      --suppress=missingIncludeSystem "${sources[@]}"
  # Standard error has clang-tidy's messages about system headers.
  ! has clang-tidy 'the C sources are not analysed by it' ||
    clang-tidy --quiet "${sources[@]}" -- -std=c11 -D_GNU_SOURCE 2>/dev/null
}

# run_tests PROGRAM [NAME...]
run_tests() {
  has python3 'the supervisor is not tested' || return 0
  echo "tests of $1"
  python3 src/test/python/run.py "$@"
}

run_foreign() {
  local program=target/classes/dev/muster/native/linux-aarch64/muster
  [[ $(uname -m) == x86_64 && -x $program ]] || return 0
  ! has qemu-aarch64 'the program for aarch64 is not tried' || MUSTER_EMULATOR=qemu-aarch64 run_tests "$program" HelloTest.test_tells StartTest.test_statuses
}

fuzz() {
  has clang 'the decoder is not fuzzed' || return 0
  mkdir -p "$target/corpus"
  clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Isrc/main/c \
    -o "$target/fuzz" src/test/c/fuzz_records.c src/main/c/records.c
  "$target/fuzz" -max_total_time="$1" -max_len=4096 -verbosity=0 -artifact_prefix="$target/" "$target/corpus"
}

mkdir -p "$target"
if [[ ${1-} == --fuzz ]]; then
  fuzz "$2"
  exit
fi
analyse
run_tests "target/classes/dev/muster/native/linux-$(uname -m)/muster"
if ./build.sh --sanitize "$target"; then
  # A child that is killed leaks its memory.
  ASAN_OPTIONS=detect_leaks=0 run_tests "$target/linux-$(uname -m)/muster"
fi
run_foreign
