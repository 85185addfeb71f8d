#!/bin/bash
#
# class-data.sh PACKAGE CACHE: makes PACKAGE/lib/cds/<key>-<jar>.jsa or .aot for every Java of 17 or newer on this machine, so
# that the launcher's classes come parsed and linked. CACHE keeps them between builds of the same jar, with the list of the classes of each.
# See docs/adr/0003.
set -euo pipefail

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
package=$1 cache=$2
# shellcheck source=distribution/src/build/jdks.sh
. "$here/jdks.sh"

# The flags of every launch.
mapfile -t flags < <(grep '^-' "$package/lib/jvm.options")

# The name of a Java's file, as bin/muster computes it.
key() {
  local key
  key=$(release_value "$1" IMPLEMENTOR)-$(release_value "$1" JAVA_RUNTIME_VERSION)-$(release_value "$1" OS_ARCH)
  printf '%s\n' "${key//[!A-Za-z0-9._+-]/_}"
}

# Lists what recorded runs have loaded and the classes of all engines, of which a launch has any one, and writes the archive. From 25 on
# it is an AOT cache: the classes are linked, too. One that such a JVM records by itself takes no list.
record() {
  local home=$1 version=$2 file=$3 linked=() list=$3.classes
  rm -f "$file"
  ((version < 25)) || linked=(-XX:+AOTClassLinking)
  {
    # As bin/muster starts it: the check of the name against the jar is in the data, too.
    recorded "$list" "$home" "-Dmuster.classdata=${file##*/}" && engines >>"$list" &&
      "$home/bin/java" "${flags[@]}" "${linked[@]}" -Xshare:dump "-XX:SharedClassListFile=$list" "-XX:SharedArchiveFile=$file" \
        -cp muster.jar dev.muster.Start
  } >"$file.log" 2>&1 && [[ -s $file ]]
}

# recorded LIST JAVA_HOME OPTION: puts together what launches of all kinds have loaded, without the numbers that a class has in one run.
recorded() {
  local list=$1 home=$2 option=$3 kind
  rm -f "$list".*
  for kind in nodes alone stopped text; do
    JAVA_HOME=$home "$here/training-run.sh" "$kind" "$place/muster" "$option" "-XX:DumpLoadedClassList=$list.$kind" || return
  done
  cat "$list".* | sed '/^[@#]/!s/ .*//' | awk '!seen[$0]++' >"$list"
  rm "$list".*
}

# The names of all classes of engines, as such a list has them.
engines() {
  "$(compilers | head -n 1)/bin/jar" -tf muster.jar | sed -n 's,^\(dev/muster/engine/.*\)\.class$,\1,p'
}

mkdir -p "$cache" "$package/lib/cds"
rm -f "$package"/lib/cds/*
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
export LC_ALL=C.UTF-8
# JDK 17 archives no class of a jar whose path reads otherwise as an address, with a space, say: so the package is recorded elsewhere.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp -rp "$package" "$place/muster"
cd "$place/muster/lib"
inputs=$(cat muster.jar jvm.options ../bin/muster "$here"/*.sh | sha256sum)
jdks | while read -r home; do
  version=$(java_version "$home")
  if ((version >= 25)); then kind=aot; else kind=jsa; fi
  file=$cache/$(key "$home")-$("$home/bin/java" -Xshare:auto -cp muster.jar dev.muster.JarContent muster.jar).$kind
  find "$cache" -maxdepth 1 -name "$(key "$home")-*" ! -name "${file##*/}*" -delete
  if [[ ! -s $file || $(cat "$file.of" 2>/dev/null) != "$inputs" ]]; then
    echo "class data for Java $version ($home)"
    if ! record "$home" "$version" "$file"; then
      echo "no class data for Java $version ($home): the launcher works without; see $file.log"
      rm -f "$file"
      continue
    fi
    printf '%s\n' "$inputs" >"$file.of"
  fi
  cp "$file" "$package/lib/cds/"
done
