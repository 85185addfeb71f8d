#!/bin/bash
#
# package.sh JAR PROGRAMS VERSION SECONDS: makes these beside JAR, for each linux-ARCHITECTURE/muster of build.sh in PROGRAMS:
#   muster-linux-ARCHITECTURE/                           the package with its own Java, see own-java.sh
#   muster-VERSION-linux-ARCHITECTURE.tar.gz             the same
#   muster-VERSION-linux-ARCHITECTURE-generic.tar.gz     the package for the user's own Java
#   muster/                                              the same for this machine
# All times of files are SECONDS since 1970. Two builds of the same sources give the same bytes, except class data, which a JVM dumps.
set -euo pipefail

jar=$1 programs=$2 version=$3 seconds=$4
target=$(cd -- "${jar%/*}" && pwd)
here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
package=$target/muster
machine=$(uname -m)
umask 022
# shellcheck source=distribution/src/build/jdks.sh
. "$here/jdks.sh"

# Makes a jar with a copy of the launcher's first class. It reports a muster.jar that was cut off.
make_start_jar() {
  local jar_tool class=dev/muster/Start.class
  jar_tool=$(compilers | sed -n 1p)/bin/jar
  (
    cd "$package/lib"
    "$jar_tool" -xf muster.jar "$class"
    touch -d "@$seconds" "$class"
    TZ=UTC "$jar_tool" -cMf start.jar "$class"
    rm -r dev
  )
}

# put_program ARCHITECTURE DIRECTORY
put_program() {
  mkdir -p "$2/bin"
  cp "$programs/linux-$1/muster" "$2/bin/muster"
  chmod -R u=rwX,go=rX "$2"
  find "$2" -exec touch -h -d "@$seconds" {} +
}

# A release is compressed well; a snapshot is compressed fast.
effort=9
[[ $version != *-SNAPSHOT ]] || effort=1

# archive DIRECTORY NAME
archive() {
  tar --sort=name --owner=0 --group=0 --numeric-owner --format=posix --pax-option=delete=atime,delete=ctime \
    --transform="s,^${1##*/},muster-$version," -C "${1%/*}" -c "${1##*/}" | gzip "-${effort}n" >"$target/muster-$version-$2.tar.gz"
}

rm -rf "$package" "$target"/muster-linux-* "$target"/muster-*.tar.gz
mkdir -p "$package/lib"
cp -r "$here/../package/." "$package"
cp "$here"/../../../{LICENSE,docs/*.schema.json} "$package"
mkdir "$package/docs"
cp -r "$here"/../../../docs/{*.md,platforms} "$package/docs"
# The page has a pom to copy: it gets the version of this package.
sed -i "s/[0-9.]*-SNAPSHOT/$version/" "$package/docs/engine-spi.md"
# The package has the schemas in another place than the repository, and has no README, decisions and examples: links to these become text.
sed -Ei 's,\]\(([a-z]+\.schema\.json\)),](../\1,g; s,\[([^]]*)\]\((\.\./)*(README\.md|CONTRIBUTING\.md|adr/|examples/)[^)]*\),\1,g' "$package"/docs/*.md
sed -Ei 's,\[([^]]*)\]\(\.\./(\.\./README\.md|adr/)[^)]*\),\1,g' "$package"/docs/platforms/*.md
cp "$jar" "$package/lib/muster.jar"
make_start_jar
"$(compilers | sed -n 1p)/bin/java" -cp "$package/lib/muster.jar" dev.muster.runtime.cli.ShareDirectoryWriter "$package/share" \
  "$(date -u -d "@$seconds" +%F)"
# Class data contains the jar's time, so put_program sets the times before it is made. It is for this architecture only.
put_program "$machine" "$package"

"$here/class-data.sh" "$package" "$target/class-data"

for program in "$programs"/linux-*/muster; do
  name=${program%/muster} name=${name##*/linux-}
  "$here/own-java.sh" "$package" "$name" "$target/muster-linux-$name" "$target/class-data" "$version"
  if [[ -d $target/muster-linux-$name ]]; then
    put_program "$name" "$target/muster-linux-$name"
    archive "$target/muster-linux-$name" "linux-$name"
  fi
  if [[ $name != "$machine" ]]; then
    cp -r "$package" "$target/muster-generic"
    rm -r "$target/muster-generic/lib/cds"
    put_program "$name" "$target/muster-generic"
    archive "$target/muster-generic" "linux-$name-generic"
    rm -r "$target/muster-generic"
  fi
done

# Users can unpack the archive without class data: tar --exclude='*/lib/cds/*'.
put_program "$machine" "$package"
archive "$package" "linux-$machine-generic"
