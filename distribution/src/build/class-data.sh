#!/bin/bash
#
# class-data.sh PACKAGE CACHE: makes the class data PACKAGE/lib/cds/<key>-<jar>.jsa or .aot for every Java of 17 or newer on this machine:
# the launcher's classes, parsed and linked. CACHE keeps the files between builds of the same jar, with the list of classes of each.
# See docs/adr/0003.
set -euo pipefail

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
package=$1 cache=$2
# shellcheck source=distribution/src/build/jdks.sh
. "$here/jdks.sh"

# The flags of every launch.
mapfile -t flags < <(grep '^-' "$package/lib/jvm.options")

# Prints the key of a Java in the file's name. bin/muster finds the file by the build in it.
key() {
  local key
  key=$(release_value "$1" IMPLEMENTOR)-$(release_value "$1" JAVA_RUNTIME_VERSION)-$(release_value "$1" OS_ARCH)
  printf '%s\n' "${key//[!A-Za-z0-9._+-]/_}"
}

# Writes the archive of all classes that recorded runs have loaded, and of the classes of all engines, since a launch may use any. Since
# Java 25 it is an AOT cache, in which classes are also linked. It is dumped from a list: an AOT cache that a JVM records takes none.
record() {
  local home=$1 version=$2 file=$3 linked=() list=$3.classes
  rm -f "$file"
  ((version < 25)) || linked=(-XX:+AOTClassLinking)
  {
    # The same property as from bin/muster, so that the classes of its check are in the data, too.
    recorded "$list" "$home" "-Dmuster.classdata=${file##*/}" && engines >>"$list" &&
      "$home/bin/java" "${flags[@]}" "${linked[@]}" -Xshare:dump "-XX:SharedClassListFile=$list" "-XX:SharedArchiveFile=$file" \
        -cp muster.jar dev.muster.Start
  } >"$file.log" 2>&1 && [[ -s $file ]]
}

# recorded LIST JAVA_HOME OPTION: writes the list of classes that launches of all kinds have loaded, without the ids of a single run.
recorded() {
  local list=$1 home=$2 option=$3 kind
  rm -f "$list".*
  for kind in nodes alone stopped text; do
    JAVA_HOME=$home "$here/training-run.sh" "$kind" "$place/muster" "$option" "-XX:DumpLoadedClassList=$list.$kind" || return
  done
  cat "$list".* | sed '/^[@#]/!s/ .*//' | awk '!seen[$0]++' >"$list"
  rm "$list".*
}

# Prints the names of all classes of engines, in the form of such a list.
engines() {
  "$(compilers | head -n 1)/bin/jar" -tf muster.jar | sed -n 's,^\(dev/muster/engine/.*\)\.class$,\1,p'
}

mkdir -p "$cache" "$package/lib/cds"
rm -f "$package"/lib/cds/*
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
export LC_ALL=C.UTF-8
# JDK 17 archives no class of a jar whose path changes in a URL, for example with a space. So a copy of the package is recorded.
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
