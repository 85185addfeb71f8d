# shellcheck shell=bash
# Sourced by ./muster, ./verify and the build: the JDKs of this machine.

# Prints the home of every Java of 17 or newer, each once: JAVA_HOME, the one in PATH, then those of /usr/lib/jvm.
jdks() {
  local java home version seen=:
  for java in ${JAVA_HOME:+"$JAVA_HOME/bin/java"} "$(type -P java)" /usr/lib/jvm/*/bin/java; do
    [[ -x $java ]] || continue
    home=$(readlink -f -- "$java")
    home=${home%/bin/java}
    version=$(java_version "$home")
    if ((version >= 17)) && [[ $seen != *":$home:"* ]]; then
      seen+=$home:
      printf '%s\n' "$home"
    fi
  done
}

# Prints the homes of those with a compiler, in the same order.
compilers() {
  local home
  jdks | while read -r home; do
    [[ ! -x $home/bin/javac ]] || printf '%s\n' "$home"
  done
}

# Sorts homes by version, the oldest first.
by_version() {
  local home
  while read -r home; do
    printf '%s %s\n' "$(java_version "$home")" "$home"
  done | sort -s -n -k1,1 | cut -d' ' -f2-
}

# Prints a value of a Java's release file, without its quotes.
release_value() {
  sed -n "s/^$2=//p" "$1/release" 2>/dev/null | tr -d '"'
}

# Prints the feature version of a Java, or 0 if it is unknown.
java_version() {
  local version
  version=$(release_value "$1" JAVA_VERSION)
  version=${version#1.}
  version=${version%%[!0-9]*}
  printf '%s\n' "${version:-0}"
}
